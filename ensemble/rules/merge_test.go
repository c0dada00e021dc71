package rules

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func span(start, end int, t phi.Type) phi.Span { return phi.Span{Start: start, End: end, Type: t} }

func TestMerge(t *testing.T) {
	t.Parallel()
	v := text.NewView("a1b2c3 4, d5e6f7") // of one byte each are all tokens
	for name, row := range map[string]struct {
		found []candidate
		want  []phi.Span
	}{
		"none":     {nil, nil},
		"apart":    {[]candidate{{span(5, 9, phi.Zip), 1}, {span(0, 5, phi.Date), 0}}, []phi.Span{span(0, 5, phi.Date), span(5, 9, phi.Zip)}},
		"longer":   {[]candidate{{span(0, 5, phi.Date), 0}, {span(2, 9, phi.Phone), 1}}, []phi.Span{span(0, 2, phi.Date), span(2, 9, phi.Phone)}},
		"covered":  {[]candidate{{span(3, 5, phi.Date), 0}, {span(2, 9, phi.Phone), 1}}, []phi.Span{span(2, 9, phi.Phone)}},
		"marks":    {[]candidate{{span(0, 8, phi.Phone), 0}, {span(7, 9, phi.Date), 1}}, []phi.Span{span(0, 8, phi.Phone)}},
		"trimmed":  {[]candidate{{span(0, 8, phi.Phone), 0}, {span(7, 12, phi.Date), 1}}, []phi.Span{span(0, 8, phi.Phone), span(10, 12, phi.Date)}},
		"rank":     {[]candidate{{span(0, 5, phi.Phone), 1}, {span(0, 5, phi.Date), 0}}, []phi.Span{span(0, 5, phi.Date)}},
		"rank too": {[]candidate{{span(0, 5, phi.Date), 0}, {span(3, 8, phi.Phone), 1}}, []phi.Span{span(0, 5, phi.Date), span(5, 8, phi.Phone)}},
		"ends stay": {
			[]candidate{{span(0, 3, phi.Age), 0}, {span(2, 8, phi.Phone), 1}, {span(8, 9, phi.Time), 2}, {span(7, 9, phi.Zip), 0}},
			[]phi.Span{span(0, 2, phi.Age), span(2, 8, phi.Phone), span(8, 9, phi.Time)},
		},
	} {
		if got := merge(v, row.found, nil); !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

// Whatever the order in which candidates come, the same spans stay, sorted and disjoint.
func TestMergeOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	v := text.NewView(strings.Repeat("a1, ", 30))
	for range 200 {
		var found []candidate
		for rank := range 7 {
			at := 0
			for range 5 {
				at += r.IntN(6)
				end := at + 1 + r.IntN(5)
				found = append(found, candidate{span(at, end, phi.Date), rank})
				at = end
			}
		}
		want := merge(v, slices.Clone(found), nil)
		r.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		if got := merge(v, found, nil); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for k := 1; k < len(want); k++ {
			if want[k].Start < want[k-1].End {
				t.Fatalf("%v overlap", want)
			}
		}
	}
}
