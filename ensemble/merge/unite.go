package merge

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Unite makes one list of sorted, disjoint spans of the members' votes, each with one member in
// By: the union of all proposals. It reorders votes. Overlapping ranges are resolved by settle.
func (v *Voters) Unite(text string, votes []phi.Span) []phi.Span {
	phi.SortSpans(votes)
	out := make([]phi.Span, 0, len(votes))
	for i := 0; i < len(votes); {
		j, end := i+1, votes[i].End
		for j < len(votes) && votes[j].Start < end {
			end = max(end, votes[j].End)
			j++
		}
		if j == i+1 {
			out = append(out, votes[i])
		} else {
			out = v.settle(text, votes[i:j], out)
		}
		i = j
	}
	return join(text, out)
}

// settle appends the spans of a cluster of overlapping votes. They claim their ranges in order of
// precedence: a later one of the same class widens the span that it overlaps, one of another class
// keeps the rest of its range.
func (v *Voters) settle(text string, cluster []phi.Span, out []phi.Span) []phi.Span {
	first := len(out)
	start, end := cluster[0].Start, cluster[0].End
	for _, s := range cluster {
		end = max(end, s.End)
	}
	slices.SortStableFunc(cluster, func(a, b phi.Span) int {
		return cmp.Or(precedence(b, start, end)-precedence(a, start, end), v.rank(a)-v.rank(b))
	})
	for _, s := range cluster {
		out = claim(text, s, out, first)
	}
	phi.SortSpans(out[first:])
	return out
}

// precedence orders the votes of a cluster [start, end): first a span that covers all of it, since
// the longer reading explains the shorter, then sure votes, then types by priority, then length.
func precedence(s phi.Span, start, end int) int {
	p := priority(s.Type)<<20 + min(s.End-s.Start, 1<<20-1)
	if s.Sure {
		p += 1 << 26
	}
	if s.Start == start && s.End == end && !mayStay(s.Type) {
		p += 1 << 27
	}
	return p
}

// mayStay reports whether spans of a type are often left in the text. Such a span must not replace
// one that would be replaced.
func mayStay(t phi.Type) bool { return t == phi.Profession || t == phi.Time || t == phi.Age }

// priority ranks types in conflicts. Exact patterns explain what lies within them; then come
// names, locations, ages and organisations, in the order of the main paper's Supplementary Table
// 1.
func priority(t phi.Type) int {
	switch t {
	case phi.Email, phi.URL, phi.IPAddr, phi.SSN, phi.Street:
		return 9
	case phi.Patient, phi.Doctor, phi.Username:
		return 6
	case phi.City, phi.State, phi.Country, phi.County, phi.Zip, phi.LocationOther, phi.Hospital:
		return 5
	case phi.Age:
		return 4
	case phi.Organization:
		return 3
	case phi.Profession:
		return 1
	case phi.Time:
		return 2
	case phi.Date:
		return 7
	default: // phones and numbers
		return 8
	}
}

// claim adds s to out[first:], which holds the disjoint spans of its cluster so
// far. Spans that s overlaps get its vote.
func claim(text string, s phi.Span, out []phi.Span, first int) []phi.Span {
	rest := []phi.Range{{Start: s.Start, End: s.End}}
	for i := first; i < len(out); i++ {
		o := &out[i]
		if !o.Overlaps(s) {
			continue
		}
		o.By |= s.By
		if o.Type.Class() == s.Type.Class() && free(out[first:], i-first, s) {
			o.Start, o.End = min(o.Start, s.Start), max(o.End, s.End)
			lend(o, s)
			return out
		}
		rest = subtract(rest, phi.Range{Start: o.Start, End: o.End})
	}
	for _, r := range rest {
		if r = trim(text, r); r.Start < r.End {
			s.Start, s.End = r.Start, r.End
			out = append(out, s)
		}
	}
	return out
}

// lend gives a span the weight of one that it absorbs.
func lend(s *phi.Span, o phi.Span) {
	s.By |= o.By
	s.Sure, s.Tentative = s.Sure || o.Sure, s.Tentative && o.Tentative
	s.Score = max(s.Score, o.Score)
}

// free reports whether s overlaps no span but the i-th.
func free(spans []phi.Span, i int, s phi.Span) bool {
	for j, o := range spans {
		if j != i && o.Overlaps(s) {
			return false
		}
	}
	return true
}

// subtract cuts a range out of disjoint ranges.
func subtract(ranges []phi.Range, cut phi.Range) []phi.Range {
	var out []phi.Range
	for _, r := range ranges {
		if left := (phi.Range{Start: r.Start, End: min(r.End, cut.Start)}); left.Start < left.End {
			out = append(out, left)
		}
		if right := (phi.Range{Start: max(r.Start, cut.End), End: r.End}); right.Start < right.End {
			out = append(out, right)
		}
	}
	return out
}

// trim removes characters other than letters and digits from both ends of a range.
func trim(text string, r phi.Range) phi.Range {
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

// join joins neighbours of one name type with a single blank between them, such as a first name
// and a surname found by different members.
func join(text string, spans []phi.Span) []phi.Span {
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 {
			prev := &out[n-1]
			if prev.Type == s.Type && s.Type.Class() == phi.ClassName && text[prev.End:s.Start] == " " {
				prev.End = s.End
				lend(prev, s)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
