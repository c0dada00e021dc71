package phi

import (
	"slices"
	"testing"
)

func TestOverlaps(t *testing.T) {
	t.Parallel()
	s := Span{Start: 4, End: 8}
	for _, tt := range []struct {
		start, end int
		want       bool
	}{{0, 4, false}, {0, 5, true}, {4, 8, true}, {5, 6, true}, {7, 12, true}, {8, 12, false}, {0, 12, true}} {
		o := Span{Start: tt.start, End: tt.end}
		if s.Overlaps(o) != tt.want || o.Overlaps(s) != tt.want {
			t.Errorf("%v and %v: %v", s, o, !tt.want)
		}
	}
}

func TestSortSpans(t *testing.T) {
	t.Parallel()
	spans := []Span{
		{Start: 9, End: 12}, {Start: 4, End: 6, Type: Doctor}, {Start: 4, End: 8}, {Start: 4, End: 6, Type: Patient}, {Start: 0, End: 1},
	}
	want := []Span{
		{Start: 0, End: 1}, {Start: 4, End: 8}, {Start: 4, End: 6, Type: Doctor}, {Start: 4, End: 6, Type: Patient}, {Start: 9, End: 12},
	}
	SortSpans(spans)
	if !slices.Equal(spans, want) {
		t.Errorf("%v", spans)
	}
}

func TestCountOfVotes(t *testing.T) {
	t.Parallel()
	for v, want := range map[Votes]int{0: 0, 1: 1, 0b1011: 3, ^Votes(0): 32} {
		if v.Count() != want {
			t.Errorf("%b: %d", v, v.Count())
		}
	}
}
