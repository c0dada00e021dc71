package record

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// wordBits say what a word of a gazetteer is part of.
type wordBits uint16

const (
	wGiven    wordBits = 1 << iota
	wFamily            // the last name, or a part of it
	wPatient           // of the patient or a relative
	wProvider          // of a member of the staff
	wNick              // a short form that the record does not hold itself
	wPhrase            // begins a phrase: a town, a facility, an employer
	wStreet            // begins the name of a street
	wIdent             // begins an identifier of letters and digits
	wBirth             // the month of birth
	wParticle          // "de", "van": part of a family name, never a name
	wPiece             // any word of a phrase or a street
	wLogin             // made of the patient's names as logins are
)

const (
	wName = wGiven | wFamily
	// placeBits mark words of places and employers, and months of birth.
	placeBits = wPhrase | wStreet | wPiece | wBirth
)

// How ordinary a name is as a word.
const (
	onlyName = iota // found in any case
	alsoWord        // needs a capital where it is alone
	ordinary        // needs the context of a name
)

type gazWord struct {
	bits  wordBits
	level uint8
	rare  bool // in lower case too the word is a name far more often than a word
	epo   bool // the word names diseases, scores, devices too
	month bool // the word is a month or a weekday
}

type gazIdent struct {
	typ  phi.Type
	n    uint8 // letters and digits
	must bool  // the leak check looks for it
}

type gazPhrase struct {
	typ   phi.Type
	level uint8
	short bool // a state's abbreviation
}

type gazStreet struct {
	phi.Redacted

	words   []uint64 // the keys of its name and type
	compass bool     // a point of the compass is behind the first of them
	unit    string   // the last word of it
	front   uint64   // the key of the word that begins a unit in front of the number
}

type birth struct{ year, month, day int }

type builder struct {
	phi.Redacted

	g       *Gazetteer
	patient person
	others  []person
	names   []string // all words of names and places
}

func newBuilder(rec Record) *builder {
	n := 0
	for _, values := range rec {
		n += len(values)
	}
	return &builder{
		g: &Gazetteer{
			record: rec, words: newIndex[gazWord](4 * n), idents: make(map[uint64]gazIdent, 2*n), initial: map[string]bool{},
			pairs: map[uint64]wordBits{}, phrases: make(map[uint64]gazPhrase, n), streets: map[uint64][]gazStreet{},
			births: map[birth]struct{}{}, near: newNearWords(), mails: newNearWords(),
		},
		patient: person{bits: wPatient},
	}
}

// add takes in one value of a role.
func (b *builder) add(role Role, value string) {
	if blank(role, value) {
		return
	}
	switch role {
	case NameFirst, NameMiddle:
		b.patient.given = append(b.patient.given, nameWords(value)...)
	case NameLast:
		b.patient.family = append(b.patient.family, nameWords(value)...)
	case NameAlias:
		b.alias(value)
	case NameFull:
		b.patient.take(parsePerson(value))
	case RelativeName:
		b.other(value, wPatient)
	case ProviderName:
		b.other(value, wProvider)
	case Facility:
		b.phrase(value, phi.Hospital)
	case Employer:
		b.phrase(value, phi.Organization)
	case City:
		b.phrase(value, phi.City)
	case State:
		b.phrase(value, phi.State)
	case Country:
		b.phrase(value, phi.Country)
	case Street:
		b.street(value)
	case Email:
		b.email(value)
	case BirthDate:
		b.birth(value)
	default:
		b.identifier(role, value)
	}
}

// alias takes in a former name or a nickname: one word, or a name in full.
func (b *builder) alias(value string) {
	words := nameWords(value)
	if len(words) == 1 {
		b.patient.take(person{given: words, family: words})
		return
	}
	b.patient.take(parsePerson(value))
}

func (b *builder) other(value string, bits wordBits) {
	p := parsePerson(value)
	p.bits = bits
	if len(p.given)+len(p.family) > 0 && (bits&wProvider == 0 || !p.noPerson()) {
		b.others = append(b.others, p)
	}
}

// finish builds what looks for words.
func (b *builder) finish() *Gazetteer {
	g := b.g
	g.words.finish()
	g.near.cuts.finish()
	g.mails.cuts.finish()
	g.begins = sync.OnceValue(func() *index[bool] { return newBeginnings(b.names) })
	return g
}
