package record

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// person collects the parts of one name.
type person struct {
	bits          wordBits
	given, family []string // folded
}

// noPerson reports whether the words are all met far more often as words than as
// names: tables of staff hold "General Surgery" and "Unknown Provider" too.
func (p *person) noPerson() bool {
	for _, w := range slices.Concat(p.given, p.family) {
		e, _ := lexicon.LookupFolded(w)
		if int(e.Common) < int(max(e.Surname, e.First))+20 { // 20: some six times as often
			return false
		}
	}
	return true
}

// parsePerson splits a name in full, "Ann B. Long" or "Long, Ann B., MD".
func parsePerson(value string) person {
	head, tail, comma := strings.Cut(value, ",")
	words := nameWords(head)
	if len(words) > 1 && text.RolesOf(words[0])&text.RoleStaffTitle != 0 {
		words = words[1:] // "Nurse Florence": an occupation, which stays in the text
	}
	if comma {
		if rest := nameWords(tail); len(rest) > 0 {
			return person{given: rest, family: words}
		}
	}
	switch n := len(words); {
	case n == 0:
		return person{}
	case n > 2 && text.RolesOf(words[n-2])&text.RoleParticle != 0:
		return person{given: words[:n-2], family: words[n-2:]}
	default:
		return person{given: words[:n-1], family: words[n-1:]}
	}
}

// nameWords returns the folded words of a name without titles, credentials and
// suffixes. Words with an apostrophe come in one and in parts: "obrien", "brien".
func nameWords(value string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(lexicon.Fold(value), endsNameWord) {
		plain := strings.NewReplacer("'", "", "’", "", "`", "").Replace(part)
		if plain == "" || text.RolesOf(plain)&(text.RoleDoctorTitle|text.RolePersonTitle|text.RoleCredential|text.RoleSuffix) != 0 {
			continue
		}
		out = append(out, plain)
		if i := strings.IndexAny(part, "'’`"); i == 1 && len(part) > i+4 {
			out = append(out, strings.TrimLeft(part[i:], "'’`"))
		}
	}
	return out
}

// endsNameWord reports whether a rune is no part of a name's word. Digits are not:
// made-up patients are called "Ann123", and text is cut there too.
func endsNameWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' && r != '`'
}

// people enters the names.
func (b *builder) people() {
	b.own()
	b.initials(&b.patient)
	for i := range b.others {
		b.person(&b.others[i])
	}
}

// own enters what the patient is and was called.
func (b *builder) own() {
	for _, w := range b.patient.given {
		b.name(w, wPatient|wGiven)
		b.g.own.add(w, ownGiven)
		for _, nick := range lexicon.Nicknames(w) {
			b.name(nick, wPatient|wGiven|wNick)
			b.g.own.add(nick, ownNick)
		}
	}
	for _, w := range b.patient.family {
		b.name(w, wPatient|wFamily)
		b.g.own.add(w, ownFamily)
	}
}

// mostPaired is the number of given and of family names of one person that are known
// next to one another. The others are known as words.
const mostPaired = 12

func (b *builder) person(p *person) {
	paired := *p
	paired.given, paired.family = p.given[:min(len(p.given), mostPaired)], p.family[:min(len(p.family), mostPaired)]
	for i, w := range p.given {
		b.name(w, p.bits|wGiven)
		if i < mostPaired {
			b.pairs(w, &paired)
		}
		if p.bits&wProvider != 0 {
			continue
		}
		for _, nick := range lexicon.Nicknames(w) {
			b.name(nick, p.bits|wGiven|wNick)
			if i < mostPaired {
				b.pairs(nick, &paired)
			}
		}
	}
	for i, w := range p.family {
		b.name(w, p.bits|wFamily)
		for _, other := range p.family[:min(i, mostPaired)] {
			b.g.pairs[pairKey(text.FoldedKey(other).Hash, text.FoldedKey(w).Hash)] |= p.bits
		}
	}
}

// pairs enters a given name and its initial next to each family name.
func (b *builder) pairs(given string, p *person) {
	g, initial := text.FoldedKey(given).Hash, text.FoldedKey(given[:firstRune(given)]).Hash
	for _, f := range p.family {
		if f == given {
			continue
		}
		k := text.FoldedKey(f).Hash
		b.g.pairs[pairKey(g, k)] |= p.bits
		b.g.pairs[pairKey(initial, k)] |= p.bits
	}
	for _, other := range p.given {
		if other != given {
			b.g.pairs[pairKey(g, text.FoldedKey(other).Hash)] |= p.bits
			b.g.pairs[pairKey(g, text.FoldedKey(other[:firstRune(other)]).Hash)] |= p.bits
		}
	}
}

func firstRune(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// name enters one word of a name. Single letters are initials, particles are no
// names.
func (b *builder) name(w string, bits wordBits) {
	k := text.FoldedKey(w)
	if text.RolesOf(w)&text.RoleParticle != 0 && len(w) <= 3 {
		b.mark(k.Hash, wParticle)
		b.g.near.add(w, k.Hash)
		return
	}
	if firstRune(w) == len(w) && !logographic(w) {
		return
	}
	old := b.g.words[k.Hash]
	if old.bits&wName != 0 && old.bits&wNick == 0 && bits&wNick != 0 {
		bits &^= wNick
	}
	if old.bits&wNick != 0 && bits&wNick == 0 {
		old.bits &^= wNick
	}
	if old.bits&wName == 0 {
		b.names = append(b.names, w)
		e, _ := lexicon.LookupFolded(w)
		old.level, old.epo = levelOf(w, e), e.Is(lexicon.Eponym)
		old.month = e.Is(lexicon.Month | lexicon.Weekday)
	}
	if bits&wProvider == 0 {
		b.g.near.add(w, k.Hash)
	}
	old.bits |= bits
	b.g.words[k.Hash] = old
}

// logographic reports whether a word is written in Chinese or Korean characters, one
// of which may be a whole name.
func logographic(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.In(r, unicode.Han, unicode.Hangul)
}

// Words met at least this often per ten million words of text, on the lexicon's
// scale of 8*log2, are ordinary.
const ordinaryCommon = 56

func levelOf(w string, e lexicon.Entry) uint8 {
	switch {
	case logographic(w):
		return onlyName
	case len(w) <= 2 || e.Common >= ordinaryCommon || e.Is(lexicon.Month|lexicon.Weekday):
		return ordinary
	case e.Is(lexicon.Clinical) && e.Common+e.Capital > 0 && max(e.Surname, e.First) < 90:
		return ordinary
	case e.Common > 0 || e.Capital >= 40 || len(w) == 3 || e.Is(lexicon.Clinical|lexicon.Job|lexicon.Country):
		return alsoWord
	default:
		return onlyName
	}
}

// initials enters "jcs" and "js". Which of several given names is the middle one, and which
// part of a family name is abbreviated, records do not say.
func (b *builder) initials(p *person) {
	if len(p.given) == 0 || len(p.family) == 0 {
		return
	}
	const most = 4 // first names, middle names and family names that are tried together
	first := p.given[0][:firstRune(p.given[0])]
	for _, f := range p.family[:min(len(p.family), most)] {
		last := f[:firstRune(f)]
		b.g.initial[first+last] = true
		for _, middle := range p.given[1:min(len(p.given), most)] {
			b.g.initial[first+middle[:firstRune(middle)]+last] = true
		}
	}
}
