package record

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// person collects the parts of one name.
type person struct {
	phi.Redacted

	bits          wordBits
	given, family []string // folded
}

// take adds the words of another name of the same person.
func (p *person) take(q person) {
	p.given, p.family = append(p.given, q.given...), append(p.family, q.family...)
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
	if len(words) == 0 {
		return person{}
	}
	return person{given: words[:len(words)-1], family: words[len(words)-1:]}
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
	b.person(&b.patient)
	b.initials(&b.patient)
	b.logins(&b.patient)
	for i := range b.others {
		b.person(&b.others[i])
	}
}

// mostPaired is the number of given and of family names of one person that are known
// next to one another. The others are known as words.
const mostPaired = 24

func (b *builder) person(p *person) {
	paired := person{bits: p.bits, given: p.given[:min(len(p.given), mostPaired)]}
	paired.family = slices.Concat(p.family[:min(len(p.family), mostPaired)], b.gluedParticles(p))
	b.names = slices.Concat(b.names, p.given, p.family)
	for i, w := range p.given {
		b.given(w, p.bits|wGiven, &paired, i < mostPaired)
		if p.bits&wProvider != 0 {
			continue
		}
		for _, nick := range lexicon.Nicknames(w) {
			b.given(nick, p.bits|wGiven|wNick, &paired, i < mostPaired)
		}
	}
	for i, w := range p.family {
		b.name(w, p.bits|wFamily)
		for _, other := range paired.family[:min(i, mostPaired)] {
			b.g.pairs[pairKey(text.FoldedKey(other), text.FoldedKey(w))] |= p.bits
		}
	}
}

// gluedParticles enters family names in one word with the particles in front of them, "delacruz", and returns them.
func (b *builder) gluedParticles(p *person) (all []string) {
	words := slices.Concat(p.given[:min(len(p.given), mostPaired)], p.family[:min(len(p.family), mostPaired)])
	for i := range words {
		j := i
		for j < len(words) && isParticle(words[j]) {
			j++
		}
		if j == i || j == len(words) {
			continue
		}
		b.mark(strings.Join(words[i:j], ""), wParticle)
		glued := strings.Join(words[i:j+1], "")
		b.name(glued, p.bits|wFamily)
		all = append(all, glued)
	}
	return all
}

// longestParticle is the length up to which a particle is no name itself.
const longestParticle = 3

func isParticle(w string) bool {
	return len(w) <= longestParticle && text.RolesOf(w)&text.RoleParticle != 0
}

// given enters a given name and, if paired, the name next to each of the person's other names, and the
// initial of either next to the other.
func (b *builder) given(given string, bits wordBits, p *person, paired bool) {
	b.name(given, bits)
	if !paired {
		return
	}
	pair := func(first, second string) {
		if first != second {
			b.g.pairs[pairKey(text.FoldedKey(first), text.FoldedKey(second))] |= p.bits
		}
	}
	for _, f := range p.family {
		if f != given {
			pair(given, f)
			pair(initialOf(given), f)
			if p.bits&wProvider == 0 {
				pair(given, initialOf(f))
			}
		}
	}
	for _, other := range p.given {
		if other != given {
			pair(given, other)
			pair(given, initialOf(other))
		}
	}
}

func initialOf(name string) string { return name[:firstRune(name)] }

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
	if isParticle(w) {
		b.mark(w, wParticle)
		b.g.near.add(w, k)
		return
	}
	if firstRune(w) == len(w) && !logographic(w) {
		return
	}
	old := b.g.words.values[k]
	if old.bits&wName != 0 && old.bits&wNick == 0 && bits&wNick != 0 {
		bits &^= wNick
	}
	if old.bits&wNick != 0 && bits&wNick == 0 {
		old.bits &^= wNick
	}
	if old.bits&wName == 0 {
		e, _ := lexicon.LookupFolded(w)
		old.level, old.epo, old.rare = levelOf(w, e), e.Is(lexicon.Eponym), rareAsWord(e)
		old.month = e.Is(lexicon.Month | lexicon.Weekday)
	}
	if bits&wProvider == 0 {
		b.g.near.add(w, k)
	}
	old.bits |= bits
	b.g.words.values[k] = old
	b.g.inside.add(w)
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

// rareAsWord reports whether a name is met as a word in lower case less than once in a million words: where the
// record has it, it is the name.
func rareAsWord(e lexicon.Entry) bool {
	const rare, someName = 24, 40 // of the lexicon's scale of 8*log2
	return e.Common < rare && max(e.First, e.Surname) >= someName && !e.Is(lexicon.Clinical|lexicon.Month|lexicon.Weekday|lexicon.Country)
}

func levelOf(w string, e lexicon.Entry) uint8 {
	switch {
	case logographic(w):
		return onlyName
	case len(w) <= 2 || e.Common >= ordinaryCommon || e.Is(lexicon.Month|lexicon.Weekday):
		return ordinary
	case e.Common > 0 || len(w) == 3 || e.Is(lexicon.Clinical|lexicon.Job|lexicon.Country):
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
	first := initialOf(p.given[0])
	for _, f := range p.family[:min(len(p.family), most)] {
		last := initialOf(f)
		b.g.initial[first+last] = true
		for _, middle := range p.given[1:min(len(p.given), most)] {
			b.g.initial[first+initialOf(middle)+last] = true
		}
	}
}

// logins enters what logins are made of: a family name with one or two initials of given names before
// it or one behind it.
func (b *builder) logins(p *person) {
	var letters []string
	for _, w := range p.given {
		if w[0] < utf8.RuneSelf && !b.g.letters[w[0]] {
			b.g.letters[w[0]] = true
			letters = append(letters, w[:1])
		}
	}
	for _, f := range p.family[:min(len(p.family), mostPaired)] {
		if len(f) < leastFamily {
			continue
		}
		for _, first := range letters {
			b.mark(first+f, wLogin)
			b.mark(f+first, wLogin)
			for _, second := range letters {
				b.mark(first+second+f, wLogin)
			}
		}
	}
}
