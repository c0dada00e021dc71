package rules

import (
	"cmp"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// candidate is a span with the place of its finder in the list.
type candidate struct {
	phi.Span
	rank int
}

// merge appends sorted, disjoint spans of candidates to dst: of spans that overlap the longest
// stays, of equally long ones that of the finder that is listed first.
func merge(found []candidate, dst []phi.Span) []phi.Span {
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(a.Start-b.Start, b.End-a.End, a.rank-b.rank) })
	for i := 0; i < len(found); {
		j, end := i+1, found[i].End
		for j < len(found) && found[j].Start < end {
			end = max(end, found[j].End)
			j++
		}
		dst = settle(found[i:j], dst)
		i = j
	}
	return dst
}

// settle appends what stays of candidates of which each overlaps another.
func settle(cluster []candidate, dst []phi.Span) []phi.Span {
	if len(cluster) == 1 {
		return append(dst, cluster[0].Span)
	}
	slices.SortStableFunc(cluster, func(a, b candidate) int { return cmp.Or((b.End-b.Start)-(a.End-a.Start), a.rank-b.rank) })
	first := len(dst)
	for _, c := range cluster {
		if !slices.ContainsFunc(dst[first:], c.Overlaps) {
			dst = append(dst, c.Span)
		}
	}
	phi.SortSpans(dst[first:])
	return dst
}
