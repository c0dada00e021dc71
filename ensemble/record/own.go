package record

import "github.com/pgdeid/pgdeid/ensemble/text"

// ownNames holds which words the patient was ever called by. Any of the given names may
// precede any of the family names, so pairs are looked up word by word and never
// listed: a record with thousands of aliases has millions of them.
type ownNames map[uint64]ownName

type ownName struct {
	bits    ownBits
	initial uint64 // of a letter: the given name that begins with it
	several bool   // of a letter: more than one given name does
}

type ownBits uint8

const (
	ownGiven ownBits = 1 << iota
	ownNick          // a short form that the record does not hold itself
	ownFamily
	ownInitial       // the first letter of a given name
	ownNickInitial   // of a short form
	ownGivenOrNick   = ownGiven | ownNick
	ownLetterOfGiven = ownInitial | ownNickInitial
)

func (o ownNames) add(word string, bits ownBits) {
	hash := text.FoldedKey(word).Hash
	n := o[hash]
	n.bits |= bits
	o[hash] = n
	if bits&ownGivenOrNick == 0 {
		return
	}
	letter := text.FoldedKey(word[:firstRune(word)]).Hash
	l := o[letter]
	if bits&ownGiven != 0 {
		l.several = l.several || l.bits&ownInitial != 0 && l.initial != hash
		l.bits, l.initial = l.bits|ownInitial, hash
	} else {
		l.bits |= ownNickInitial
	}
	o[letter] = l
}

// pair reports whether a may come before b in the patient's name: a given name or its
// initial before a family name, another given name or the initial of one before or
// behind a given name, two family names.
func (o ownNames) pair(a, b uint64) bool {
	if a == b {
		return false
	}
	x, y := o[a], o[b]
	switch {
	case x.bits&(ownGivenOrNick|ownLetterOfGiven) != 0 && y.bits&ownFamily != 0:
		return true
	case x.bits&ownGivenOrNick != 0 && y.bits&ownGiven != 0:
		return true
	case x.bits&ownGivenOrNick != 0 && y.bits&ownInitial != 0:
		return y.several || y.initial != a
	}
	return x.bits&ownFamily != 0 && y.bits&ownFamily != 0
}

// pairBits returns whose names a before b are, or 0.
func (g *Gazetteer) pairBits(a, b uint64) wordBits {
	bits := g.pairs[pairKey(a, b)]
	if g.own.pair(a, b) {
		bits |= wPatient
	}
	return bits
}
