package record

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/fold"
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// How long a name must be to be known in pieces: in separate letters, and in
// pieces of several letters.
const (
	leastSpelt  = 4
	leastBroken = 5
)

// longestName is the length in bytes up to which a name is known in pieces.
const longestName = 48

// beginnings holds the keys of what the names of a record begin with.
type beginnings struct {
	keys   map[uint64]struct{}
	filter [64]uint64
}

func (b *beginnings) has(hash uint64) bool {
	if b.filter[hash>>6&63]&(1<<(hash&63)) == 0 {
		return false
	}
	_, ok := b.keys[hash]
	return ok
}

func newBeginnings(names []string) *beginnings {
	b := &beginnings{keys: map[uint64]struct{}{}}
	for _, name := range names {
		if len(name) < leastSpelt || len(name) > longestName {
			continue
		}
		for i := 1; i < len(name); i++ {
			if !utf8.RuneStart(name[i]) {
				continue
			}
			hash := text.FoldedKey(name[:i]).Hash
			b.keys[hash] = struct{}{}
			b.filter[hash>>6&63] |= 1 << (hash & 63)
		}
	}
	return b
}

// scattered finds names in pieces: "Z.o.r.v.a.k.i.a.n", "Z o r v a k i a n", "Zor-" at a
// line's end and "vakian" on the next.
func (r *oddReader) scattered() {
	begins := r.g.begins()
	for i := 0; i < len(r.toks); i++ {
		if r.toks[i].Kind != text.Word || !begins.has(r.keys[i].Hash) {
			continue
		}
		if end := r.scatteredAt(i, begins); end > i {
			i = end - 1
		}
	}
}

// scatteredAt finds the longest name in pieces that begins at token i, and returns the
// token after it, or i.
func (r *oddReader) scatteredAt(i int, begins *beginnings) int {
	var name strings.Builder
	end, found, reading := i, gazWord{}, ""
	singles, unknown := true, false
	for j := i; ; {
		r.steps++
		piece := lexicon.Fold(r.tok(j))
		name.WriteString(piece)
		single := utf8.RuneCountInString(piece) == 1
		singles = singles && single
		unknown = unknown || !single && !r.known(j)
		hash := text.FoldedKey(name.String()).Hash
		if w, ok := r.g.words[hash]; ok && j > i && r.isInPieces(w, name.Len(), singles, unknown) {
			end, found, reading = j+1, w, r.joinedText(i, j+1)
		}
		next := r.nextPiece(j, singles)
		if next == 0 || name.Len() >= longestName || !begins.has(hash) {
			break
		}
		j = next
	}
	if end > i {
		r.joined = append(r.joined, fold.Edit{From: r.toks[i].Start, To: r.toks[end-1].End, As: reading})
	}
	if end > i && found.bits&wName != 0 {
		r.hits = append(r.hits, oddHit{phi.Span{Start: r.toks[i].Start, End: r.toks[end-1].End, Type: r.typeOf(found.bits), Sure: true}, reading})
	}
	return end
}

// isInPieces decides on a word of the record in pieces: separate letters spell it
// whatever it means; pieces of several letters must not all be words, as those of
// "arm strong" are.
func (r *oddReader) isInPieces(w gazWord, length int, singles, unknown bool) bool {
	if w.bits&wName == 0 && (w.bits&placeBits == 0 || r.mustOnly) || w.bits&wNick != 0 && r.mustOnly {
		return false
	}
	if singles {
		return length >= leastSpelt
	}
	return length >= leastBroken && unknown && w.level < ordinary
}

// nextPiece returns the word after token j over what may divide a word, or 0: marks or
// blanks, a line's end with or without a hyphen, and both between single letters.
func (r *oddReader) nextPiece(j int, singles bool) int {
	const mostMarks = 3
	k := j + 1
	for k <= j+mostMarks && r.has(k) && r.toks[k].Kind == text.Punct && divides(r.tok(k)) && (singles && !r.toks[k].Line || !r.toks[k].Space) {
		k++
	}
	if !r.isWord(k) {
		return 0
	}
	switch marks := k - j - 1; {
	case singles && firstRune(r.tok(k)) == len(r.tok(k)):
		return k
	case r.toks[k].Line:
		if marks > 1 || marks == 1 && r.punct(j+1) != '-' || strings.Count(r.text[r.toks[k-1].End:r.toks[k].Start], "\n") > 1 {
			return 0
		}
	case r.toks[k].Space && marks > 0:
		return 0
	}
	return k
}

// divides reports whether a mark may be inside a word that is written oddly.
func divides(mark string) bool {
	return len(mark) > 1 || strings.Contains(".-_*|/\\~+=:()[]{}'\"`^,", mark)
}

// joinedText returns the words of tokens [i, end) in one.
func (m *matcher) joinedText(i, end int) string {
	var b strings.Builder
	for ; i < end; i++ {
		if m.isWord(i) {
			b.WriteString(m.tok(i))
		}
	}
	return b.String()
}
