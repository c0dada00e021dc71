package ensemble

import (
	"cmp"
	mathbits "math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// unite makes one list of sorted, disjoint spans of the members' votes: the union of
// all that they propose. Ranges that overlap are settled together, see [settle].
func unite(text string, votes []Span, by *ranks) []Span {
	SortSpans(votes)
	out := make([]Span, 0, len(votes))
	for i := 0; i < len(votes); {
		j, end := i+1, votes[i].End
		for j < len(votes) && votes[j].Start < end {
			end = max(end, votes[j].End)
			j++
		}
		if j == i+1 {
			out = append(out, votes[i])
		} else {
			out = settle(text, votes[i:j], out, by)
		}
		i = j
	}
	return join(text, out)
}

// settle appends the spans of a cluster of overlapping votes. They claim their
// ranges in order of precedence: a later one of the same class widens the span
// that it meets, one of another class keeps what is left of it.
func settle(text string, cluster []Span, out []Span, by *ranks) []Span {
	first := len(out)
	start, end := cluster[0].Start, cluster[0].End
	for _, s := range cluster {
		end = max(end, s.End)
	}
	slices.SortStableFunc(cluster, func(a, b Span) int {
		return cmp.Or(precedence(b, start, end)-precedence(a, start, end), by.of(a)-by.of(b))
	})
	for _, s := range cluster {
		out = claim(text, s, out, first)
	}
	SortSpans(out[first:])
	return out
}

// precedence orders the votes of a cluster [start, end): first a span that
// covers all of it, since the longer reading explains the shorter, then what a
// member is sure of, then the types in order of priority, then length.
func precedence(s Span, start, end int) int {
	p := priority(s.Type)<<20 + min(s.End-s.Start, 1<<20-1)
	if s.Sure {
		p += 1 << 26
	}
	if s.Start == start && s.End == end && !mayStay(s.Type) {
		p += 1 << 27
	}
	return p
}

// ranks are the priorities of an ensemble's members, see [Member]. They come after
// everything else, so that they decide where several members tag the same words.
type ranks [maxMembers]int

// of returns the rank of the member that cast a vote.
func (r *ranks) of(s Span) int { return r[mathbits.TrailingZeros32(uint32(s.By))%maxMembers] }

// mayStay reports whether spans of a type are often left in the text: such a one
// explains nothing away, or the grandson Annie Stacker would be a stacker.
func mayStay(t Type) bool { return t == Profession || t == Time || t == Age }

// priority ranks types in conflicts. Exact patterns explain whatever stands in
// them; then come names, locations, ages and organisations, in the order of the
// main paper's Supplementary Table 1.
func priority(t Type) int {
	switch t {
	case Email, URL, IPAddr, SSN, Street:
		return 9
	case Patient, Doctor, Username:
		return 6
	case City, State, Country, County, Zip, LocationOther, Hospital:
		return 5
	case Age:
		return 4
	case Organization:
		return 3
	case Profession:
		return 1
	case Time:
		return 2
	case Date:
		return 7
	default: // phones and numbers
		return 8
	}
}

// claim adds s to out[first:], which holds the disjoint spans of its cluster so
// far. Where s meets spans it lends them its vote.
func claim(text string, s Span, out []Span, first int) []Span {
	rest := []Range{{s.Start, s.End}}
	for i := first; i < len(out); i++ {
		o := &out[i]
		if !o.Overlaps(s) {
			continue
		}
		o.By |= s.By
		if o.Type.Class() == s.Type.Class() && free(out[first:], i-first, s) {
			o.Start, o.End = min(o.Start, s.Start), max(o.End, s.End)
			o.lend(s)
			return out
		}
		rest = subtract(rest, Range{o.Start, o.End})
	}
	for _, r := range rest {
		if r = trim(text, r); r.Start < r.End {
			s.Start, s.End = r.Start, r.End
			out = append(out, s)
		}
	}
	return out
}

// lend gives a span the weight of another one that it takes up.
func (s *Span) lend(o Span) {
	s.By |= o.By
	s.Sure, s.Tentative = s.Sure || o.Sure, s.Tentative && o.Tentative
	s.Score = max(s.Score, o.Score)
}

// free reports whether s meets no span but the i-th.
func free(spans []Span, i int, s Span) bool {
	for j, o := range spans {
		if j != i && o.Overlaps(s) {
			return false
		}
	}
	return true
}

// subtract cuts a range out of disjoint ranges.
func subtract(ranges []Range, cut Range) []Range {
	var out []Range
	for _, r := range ranges {
		if left := (Range{r.Start, min(r.End, cut.Start)}); left.Start < left.End {
			out = append(out, left)
		}
		if right := (Range{max(r.Start, cut.End), r.End}); right.Start < right.End {
			out = append(out, right)
		}
	}
	return out
}

// trim takes off what is neither letter nor digit at both ends of a range.
func trim(text string, r Range) Range {
	for r.Start < r.End {
		c, size := utf8.DecodeRuneInString(text[r.Start:r.End])
		if isWordRune(c) {
			break
		}
		r.Start += size
	}
	for r.Start < r.End {
		c, size := utf8.DecodeLastRuneInString(text[r.Start:r.End])
		if isWordRune(c) {
			break
		}
		r.End -= size
	}
	return r
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// join makes one span of neighbours of one name type with a single blank
// between them, such as a first name and a surname found by different members.
func join(text string, spans []Span) []Span {
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 {
			prev := &out[n-1]
			if prev.Type == s.Type && s.Type.Class() == ClassName && text[prev.End:s.Start] == " " {
				prev.End = s.End
				prev.lend(s)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
