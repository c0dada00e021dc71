package rules

import (
	"cmp"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// candidate is a span with the place of its finder in the list.
type candidate struct {
	phi.Span
	rank int
}

// merge appends sorted, disjoint spans of candidates in a text to dst: of spans that overlap the
// longest stays, of equally long ones that of the finder that is listed first. Of another span
// the words that stick out stay.
func merge(v *text.View, found []candidate, dst []phi.Span) []phi.Span {
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(a.Start-b.Start, b.End-a.End, a.rank-b.rank) })
	for i := 0; i < len(found); {
		j, end := i+1, found[i].End
		for j < len(found) && found[j].Start < end {
			end = max(end, found[j].End)
			j++
		}
		dst = settle(v, found[i:j], dst)
		i = j
	}
	return dst
}

// settle appends what stays of candidates of which each overlaps another.
func settle(v *text.View, cluster []candidate, dst []phi.Span) []phi.Span {
	if len(cluster) == 1 {
		return append(dst, cluster[0].Span)
	}
	slices.SortStableFunc(cluster, func(a, b candidate) int { return cmp.Or((b.End-b.Start)-(a.End-a.Start), a.rank-b.rank) })
	first := len(dst)
	for _, c := range cluster {
		s := c.Span
		for _, kept := range dst[first:] {
			s = without(s, kept)
		}
		if s != c.Span {
			s = wholeWords(v, s)
		}
		if s.Start < s.End {
			dst = append(dst, s)
		}
	}
	phi.SortSpans(dst[first:])
	return dst
}

// without returns the part of span s that sticks out of a kept span, which is empty if kept
// covers s. What was as long as s when it was kept is never inside it; of what else is, the part
// before it stays.
func without(s, kept phi.Span) phi.Span {
	switch {
	case !s.Overlaps(kept):
	case s.Start < kept.Start:
		s.End = kept.Start
	default:
		s.Start = min(kept.End, s.End)
	}
	return s
}

// wholeWords returns span s without words and numbers that it has part of, and without marks at
// its ends.
func wholeWords(v *text.View, s phi.Span) phi.Span {
	first, _ := slices.BinarySearchFunc(v.Tokens, s.Start, func(t text.Token, start int) int { return t.Start - start })
	last := first
	for last < len(v.Tokens) && v.Tokens[last].End <= s.End {
		last++
	}
	for first < last && v.Tokens[first].Kind == text.Punct {
		first++
	}
	for first < last && v.Tokens[last-1].Kind == text.Punct {
		last--
	}
	if first == last {
		return phi.Span{}
	}
	return v.Span(first, last, s.Type)
}
