package record

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

const (
	// leastGlued and mostGlued are the lengths of words that are searched for what they glue together.
	leastGlued = 4
	mostGlued  = 40
	// leastFamily is the length of a family name in a login, and of a name that is glued to a word.
	leastFamily = 3
	// leastGluedName is the length from which a name that is glued to a word is no part of that by chance.
	leastGluedName = 4
	// frequentGlued is how often a word is met, on the lexicon's scale, that may be glued to a name.
	frequentGlued = 32
)

// What the parts of a word that glues words together cost: the cheapest parts make it up.
const (
	costRecord  = 20 // a word of the record, less a point for each letter
	costKnown   = 25 // a word that texts have, or one that announces a value
	costLetter  = 25 // an initial of the patient, or a point of the compass
	costCapital = 45 // any word between capitals
	mostCost    = 115
)

// gluedWord is a word as the parts that it may glue together.
type gluedWord struct {
	phi.Redacted

	tok  text.Token
	low  []byte // folded, without an apostrophe
	at   []int  // by byte of low: where it is in the text
	best []gluedPart
}

// gluedPart is a part of a word. In best it is the cheapest that ends at a byte, and cost is that
// of all parts up to its end.
type gluedPart struct {
	from, to, cost int
	bits           wordBits
}

// cut reads the unknown word i as the words of the record and others that it glues together:
// "catharinewhiting", "Zorvakianwas", "QuillaZorvakianDocs".
func (r *reader) cut(i int) int {
	const leastTail = 3
	if r.punct(i+1) == '\'' && r.glued(i+1) && r.glued(i+2) && r.isWord(i+2) && r.toks[i+2].End-r.toks[i+2].Start >= leastTail {
		if end := r.cutTo(i, i+3); end > 0 { // "RonanO'Dwelly"
			return end
		}
	}
	return r.cutTo(i, i+1)
}

func (r *reader) cutTo(i, end int) int {
	t := r.toks[i]
	t.End = r.toks[end-1].End
	if end > i+1 && t.Case == text.Title {
		t.Case = text.Mixed
	}
	if n := t.End - t.Start; n < leastGlued || n > mostGlued {
		return 0
	}
	if !r.g.inside.mayHold(r.text[t.Start:t.End]) && !(r.isOwnInitial(lower(r.text[t.Start])) && r.followsName(nil, 0, i)) {
		return 0 // no part is the record's
	}
	if end == i+1 && t.Case != text.Mixed && isNamed(r.entry(i)) {
		return 0
	}
	w := &r.glue
	w.fold(r.text, t)
	parts := r.parts(w, i)
	if len(parts) < 2 {
		return 0
	}
	r.keepTo(i)
	for _, p := range parts {
		r.part(i, w, p)
	}
	r.kept = end
	return end
}

// gluedToNumber reads a word as two that are glued to a number: a label and the letters of a code in front of it,
// "MRNE8277165", or the end of an ordinal and the kind of a street behind it, "5thSt".
func (r *reader) gluedToNumber(i int) int {
	const mostLetters, leastLabel = 3, 3
	t := r.toks[i]
	word := r.text[t.Start:t.End]
	if len(word) > mostGlued || !r.isNumber(i+1) && !r.isNumber(i-1) {
		return 0
	}
	if at := len("th"); r.glued(i) && r.isNumber(i-1) && len(word) > at && classOf(word[:at])&isInDate != 0 && classOf(word[at:])&isStreetType != 0 {
		return r.cutAt(i, at)
	}
	if !r.glued(i+1) || !r.isNumber(i+1) || r.g.words.get(r.keys[i]).bits&wIdent != 0 {
		return 0
	}
	for at := len(word) - 1; at >= max(leastLabel, len(word)-mostLetters); at-- {
		if r.g.words.get(text.KeyOf(word[at:])).bits&wIdent != 0 && classOf(word[:at])&isLabel != 0 {
			return r.cutAt(i, at)
		}
	}
	return 0
}

// cutAt reads the word i as two.
func (r *reader) cutAt(i, at int) int {
	w := &r.glue
	w.fold(r.text, r.toks[i])
	r.keepTo(i)
	r.part(i, w, gluedPart{to: at})
	r.part(i, w, gluedPart{from: at, to: len(w.low)})
	r.kept = i + 1
	return i + 1
}

// entry returns what the lexicon knows of word i.
func (r *reader) entry(i int) lexicon.Entry {
	if r.entries != nil {
		return r.entries[i]
	}
	e, _ := lexicon.Lookup(r.tok(i))
	return e
}

// fold takes in the word t of a text.
func (w *gluedWord) fold(s string, t text.Token) {
	w.tok, w.low, w.at = t, w.low[:0], w.at[:0]
	start, end := t.Start, t.End
	for i, c := range s[start:end] {
		if text.PlainPunct(string(c)) == '\'' {
			continue
		}
		if c < 0x80 {
			w.low, w.at = append(w.low, byte(unicode.ToLower(c))), append(w.at, start+i)
			continue
		}
		for _, b := range []byte(lexicon.Fold(string(c))) {
			w.low, w.at = append(w.low, b), append(w.at, start+i)
		}
	}
	w.at = append(w.at, end)
}

// isNamed reports whether the lexicon knows a word, as a name or as anything else.
func isNamed(e lexicon.Entry) bool { return isKnown(e) || e.First > 0 || e.Surname > 0 }

// parts returns the cheapest parts that make up a word, in order, if one of them is a word of the record
// that is not there by chance.
func (r *reader) parts(w *gluedWord, i int) []gluedPart {
	n := len(w.low)
	w.best = append(w.best[:0], gluedPart{})
	for range n {
		w.best = append(w.best, gluedPart{cost: mostCost + 1})
	}
	for from := range n {
		if w.best[from].cost > mostCost {
			continue
		}
		hash := uint64(fnv64Offset)
		for to := from + 1; to <= n; to++ {
			r.steps++
			hash = (hash ^ uint64(w.low[to-1])) * fnv64Prime
			if from == 0 && to == n {
				continue // the word itself
			}
			cost, bits := r.partCost(w, from, to, hash, i)
			if cost += w.best[from].cost; cost < w.best[to].cost {
				w.best[to] = gluedPart{from, to, cost, bits}
			}
		}
	}
	if w.best[n].cost > mostCost {
		return nil
	}
	var parts []gluedPart
	held := false
	for to := n; to > 0; to = w.best[to].from {
		p := w.best[to]
		held = held || p.bits != 0 && to-p.from >= leastFamily || to == 1 && r.isOwnInitial(w.low[0]) && r.followsName(w, 0, i)
		parts = append(parts, p)
	}
	if !held {
		return nil
	}
	slices.Reverse(parts)
	return parts
}

// partCost returns what a part of a word costs, and what the record holds of it.
func (r *reader) partCost(w *gluedWord, from, to int, hash uint64, i int) (cost int, bits wordBits) {
	if w.at[from] == w.at[to] || from > 0 && w.at[from-1] == w.at[from] {
		return mostCost + 1, 0 // inside a character
	}
	n := to - from
	held := r.g.words.get(hash).bits
	bits = held & (wName | placeBits)
	if bits != 0 && (to-from > 1 || bits&wName == 0) && (r.mode != exact || bits&wName != 0 && held&wNick == 0) {
		if held&wNick != 0 {
			return costKnown, bits
		}
		return costRecord - min(n, costRecord/2), bits
	}
	switch {
	case held&wParticle != 0 && n > 1 && from > 0 && r.mode != exact:
		return costRecord, 0
	case n == 1:
		if from == 0 && classes().get(hash)&isCompass != 0 && r.isNumber(i-1) || r.isOwnInitial(w.low[from]) && r.followsName(w, from, i) {
			return costLetter, 0
		}
	case from > 0 && to < len(w.low):
	case n > 1 && (isInTexts(w.low[from:to]) || classes().get(hash)&isLabel != 0):
		return costKnown, 0
	}
	if w.tok.Case == text.Mixed && r.betweenCapitals(w.at[from], w.at[to], w.tok) {
		return costCapital, 0
	}
	return mostCost + 1, 0
}

// followsName reports whether a name of the record ends before a letter of word i: in the word, or
// before it.
func (r *reader) followsName(w *gluedWord, from, i int) bool {
	if from > 0 {
		return w.best[from].bits&wName != 0
	}
	j := i - 1
	if c := r.punct(j); c == ',' || c == '.' {
		j--
	}
	return r.isWord(j) && r.holds(j)
}

// betweenCapitals reports whether [from, to) of the text is a word of camel case.
func (r *reader) betweenCapitals(from, to int, t text.Token) bool {
	s := r.text[t.Start:t.End]
	for i := range s[from-t.Start : to-t.Start] {
		if i > 0 && isHump(s, from-t.Start+i) {
			return false
		}
	}
	return isHump(s, from-t.Start) && isHump(s, to-t.Start)
}

// isHump reports whether a word of camel case begins or ends at byte i of s.
func isHump(s string, i int) bool {
	if i == 0 || i == len(s) {
		return true
	}
	class := func(i int) text.RuneClass {
		if i < 0 || i >= len(s) {
			return text.PunctRune
		}
		c, _ := text.ClassOf(s[i:])
		return c
	}
	before, at, after := class(i-1), class(i), class(i+runeLen(s[i:]))
	return at == text.UpperRune && (before == text.LowerRune || before == text.UpperRune && after == text.LowerRune)
}

// isInTexts reports whether a word is met in texts, a short one often.
func isInTexts(word []byte) bool {
	e, _ := lexicon.LookupKey(word)
	return e.Common >= frequentGlued && len(word) > 1 || isKnown(e) && len(word) >= leastFamily
}

// part puts a part of word i into the reading.
func (r *reader) part(i int, w *gluedWord, p gluedPart) {
	from, to := p.from, p.to
	t := text.Tokenize(r.text[w.at[from]:w.at[to]])[0]
	t.Start, t.End = w.at[from], w.at[to]
	t.Space, t.Line = from == 0 && r.toks[i].Space, from == 0 && r.toks[i].Line
	like := asWritten
	switch {
	case p.bits == 0 && to-from == 1:
		like = inPieces // an initial
	case p.bits&wName != 0:
		like = inPieces
		held := r.g.words.get(text.FoldedKey(w.low[from:to]))
		if to-from < leastGluedName || held.level == ordinary || held.bits&wNick != 0 || r.endsCompound(w, p) {
			like = doubtful
		}
	}
	r.out.toks = append(r.out.toks, t)
	r.out.keys = append(r.out.keys, text.FoldedKey(w.low[from:to]))
	r.out.as = append(r.out.as, "")
	r.out.like = append(r.out.like, like)
}

// endsCompound reports whether a part ends the word behind an ordinary word, and no capital of its own
// sets it off, while others bear the name too: names of places are made so ("Springdale").
func (r *reader) endsCompound(w *gluedWord, p gluedPart) bool {
	if c := w.tok.Case; p.from == 0 || p.to < len(w.low) || c != text.Title && c != text.Upper || w.best[p.from].bits != 0 {
		return false
	}
	e, _ := lexicon.LookupKey(w.low[p.from:p.to])
	return isNamed(e)
}

// login reads a word that is made of the patient's names as logins are, and is no word of its own:
// "ksaverg", "savergk".
func (r *reader) login(i int) bool {
	t := &r.toks[i]
	if r.g.words.get(r.keys[i]).bits&wLogin == 0 || r.known(i) || t.End-t.Start == leastGlued && !(r.isNumber(i+1) && r.glued(i+1)) {
		return false
	}
	r.put(i, i+1, *t, r.keys[i], "", isLogin)
	return true
}

// isOwnInitial reports whether a given name of the patient begins with a letter.
func (r *reader) isOwnInitial(letter byte) bool { return letter < utf8.RuneSelf && r.g.letters[letter] }
