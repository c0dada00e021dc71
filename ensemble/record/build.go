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
	wInside            // within a phrase or a street
	wBirth             // the month of birth
	wParticle          // "de", "van": part of a family name, never a name
	wPiece             // any word of a phrase or a street
)

const (
	wName = wGiven | wFamily
	// placeBits mark words of places and employers, and months of birth.
	placeBits = wPhrase | wStreet | wInside | wPiece | wBirth
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
	words []uint64 // the keys of its name and type
	unit  string
}

type birth struct{ year, month, day int }

type builder struct {
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
			record: rec, words: make(map[uint64]gazWord, 4*n), idents: make(map[uint64]gazIdent, 2*n), initial: map[string]bool{},
			own: ownNames{}, pairs: map[uint64]wordBits{}, phrases: make(map[uint64]gazPhrase, n), streets: map[uint64][]gazStreet{},
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
		p := parsePerson(value)
		b.patient.given = append(b.patient.given, p.given...)
		b.patient.family = append(b.patient.family, p.family...)
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
		b.patient.given = append(b.patient.given, words[0])
		b.patient.family = append(b.patient.family, words[0])
		return
	}
	p := parsePerson(value)
	b.patient.given = append(b.patient.given, p.given...)
	b.patient.family = append(b.patient.family, p.family...)
}

func (b *builder) other(value string, bits wordBits) {
	p := parsePerson(value)
	p.bits = bits
	if len(p.given)+len(p.family) > 0 && (bits&wProvider == 0 || !p.noPerson()) {
		b.others = append(b.others, p)
	}
}

// finish builds the filter over the words' keys.
func (b *builder) finish() *Gazetteer {
	g := b.g
	g.near.finish()
	g.mails.finish()
	g.begins = sync.OnceValue(func() *beginnings { return newBeginnings(b.names) })
	size := 16
	for size*4 < len(g.words) {
		size *= 2
	}
	g.filter = make([]uint64, size)
	for h := range g.words {
		g.filter[h>>6&uint64(size-1)] |= 1 << (h & 63)
	}
	return g
}

// mayHold reports whether a word with this key may be in words.
func (g *Gazetteer) mayHold(hash uint64) bool {
	return g.filter[hash>>6&uint64(len(g.filter)-1)]&(1<<(hash&63)) != 0
}
