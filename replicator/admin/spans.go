package admin

import (
	"slices"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Two published versions of a text have the same words outside of their surrogates, so what
// one of them lacks shows where the other one has a surrogate instead. Places can't be compared: a surrogate need
// not be as long as what it stands for, and nothing stores how long that was.

// SpanChanges counts what was found otherwise than before, by type. It holds no text.
type SpanChanges struct {
	Added   map[string]int64            `json:"added"`   // found now, and not before
	Removed map[string]int64            `json:"removed"` // found before, and not now
	Retyped map[string]map[string]int64 `json:"retyped"` // found as another type: from, to
}

// marked is a published text with the places of its surrogates, in code points. It prints itself redacted.
type marked struct {
	phi.Redacted

	text  string
	spans []surrogate.Span
}

// token is a word or mark of a text, or a surrogate of a type.
type token struct {
	phi.Redacted

	word  string
	typ   phi.Type
	found bool
}

// tokens returns a text in tokens, false if its spans do not fit it.
func (m marked) tokens() ([]token, bool) {
	text, at, list := []rune(m.text), 0, []token(nil)
	for _, s := range m.spans {
		if s.Start < at || s.End < s.Start || s.End > len(text) {
			return nil, false
		}
		list = append(appendWords(list, text[at:s.Start]), token{typ: s.Type, found: true})
		at = s.End
	}
	return appendWords(list, text[at:]), true
}

// appendWords appends words and single marks.
func appendWords(list []token, text []rune) []token {
	for start := 0; start < len(text); {
		end := start + 1
		for isWord(text[start]) && end < len(text) && isWord(text[end]) {
			end++
		}
		list = append(list, token{word: string(text[start:end])})
		start = end
	}
	return list
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// add counts what differs between two published versions of a text.
func (c *SpanChanges) add(before, after marked) {
	was, fits := before.tokens()
	now, too := after.tokens()
	if !fits || !too {
		c.addHunk(types(before.spans), types(after.spans))
		return
	}
	for _, h := range differences(was, now) {
		c.addHunk(found(was[h.was:h.wasEnd]), found(now[h.now:h.nowEnd]))
	}
}

func types(spans []surrogate.Span) []phi.Type {
	list := make([]phi.Type, len(spans))
	for i, s := range spans {
		list[i] = s.Type
	}
	return list
}

func found(tokens []token) []phi.Type {
	var list []phi.Type
	for _, t := range tokens {
		if t.found {
			list = append(list, t.typ)
		}
	}
	return list
}

// addHunk counts the spans of a place where two texts differ. Those of one type are the same span with other
// borders; what is left over stands for each other, in order.
func (c *SpanChanges) addHunk(was, now []phi.Type) {
	now = slices.Clone(now)
	was = slices.DeleteFunc(slices.Clone(was), func(t phi.Type) bool {
		i := slices.Index(now, t)
		if i >= 0 {
			now = slices.Delete(now, i, i+1)
		}
		return i >= 0
	})
	for len(was) > 0 && len(now) > 0 {
		from := was[0].String()
		if c.Retyped[from] == nil {
			c.Retyped[from] = map[string]int64{}
		}
		c.Retyped[from][now[0].String()]++
		was, now = was[1:], now[1:]
	}
	for _, t := range was {
		c.Removed[t.String()]++
	}
	for _, t := range now {
		c.Added[t.String()]++
	}
}

// hunk is a place where two lists of tokens differ.
type hunk struct{ was, wasEnd, now, nowEnd int }

// most bounds the work for texts that have little in common: they are one hunk then.
const most = 1000

// differences returns where two lists differ, by the shortest script of insertions and deletions that makes one
// of the other (Myers, "An O(ND) difference algorithm and its variations", 1986).
func differences(was, now []token) []hunk {
	first := 0
	for first < len(was) && first < len(now) && was[first] == now[first] {
		first++
	}
	was, now = was[first:], now[first:]
	for len(was) > 0 && len(now) > 0 && was[len(was)-1] == now[len(now)-1] {
		was, now = was[:len(was)-1], now[:len(now)-1]
	}
	if len(was) == 0 && len(now) == 0 {
		return nil
	}
	hunks := []hunk{{0, len(was), 0, len(now)}}
	if paths := furthest(was, now); paths != nil {
		hunks = backwards(paths, was, now)
	}
	for i := range hunks {
		h := &hunks[i]
		h.was, h.wasEnd, h.now, h.nowEnd = h.was+first, h.wasEnd+first, h.now+first, h.nowEnd+first
	}
	return hunks
}

// furthest returns, for each number d of edits up to the one that is enough, how far into was one comes on each
// diagonal from -d to d; nil where too many are needed.
func furthest(was, now []token) [][]int {
	var paths [][]int
	for d := 0; d <= min(len(was)+len(now), most); d++ {
		row := make([]int, 2*d+1)
		paths = append(paths, row)
		for k := -d; k <= d; k += 2 {
			x := 0
			if d > 0 {
				x, _ = step(paths[d-1], d-1, k)
			}
			for x < len(was) && x-k < len(now) && x >= 0 && x-k >= 0 && was[x] == now[x-k] {
				x++
			}
			row[k+d] = x
			if x >= len(was) && x-k >= len(now) {
				return paths
			}
		}
	}
	return nil
}

// step returns how far one comes on diagonal k with one edit more than row has (d of them), and the diagonal
// from which.
func step(row []int, d, k int) (x, from int) {
	at := func(k int) int {
		if k < -d || k > d {
			return -1
		}
		return row[k+d]
	}
	if right := at(k-1) + 1; k-1 >= -d && right > at(k+1) {
		return right, k - 1
	}
	return at(k + 1), k + 1
}

// backwards follows the paths from the end and returns the places of edits, those next to each other as one.
func backwards(paths [][]int, was, now []token) []hunk {
	var hunks []hunk
	x, y := len(was), len(now)
	for d := len(paths) - 1; d > 0; d-- {
		reached, from := step(paths[d-1], d-1, x-y)
		beforeX := paths[d-1][from+d-1]
		h := hunk{beforeX, reached, beforeX - from, reached - (x - y)}
		if n := len(hunks); n > 0 && hunks[n-1].was == h.wasEnd && hunks[n-1].now == h.nowEnd {
			hunks[n-1].was, hunks[n-1].now = h.was, h.now
		} else {
			hunks = append(hunks, h)
		}
		x, y = beforeX, beforeX-from
	}
	slices.Reverse(hunks)
	return hunks
}
