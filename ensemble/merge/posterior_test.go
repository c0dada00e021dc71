package merge

import (
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestPosterior(t *testing.T) {
	t.Parallel()
	var p Posterior
	for _, types := range [][]phi.Type{{phi.Patient, phi.City, phi.Age}, {phi.Date}, {phi.Patient, phi.Doctor}} {
		p.Reset(types)
		if p.Len() != 0 {
			t.Fatalf("%d entries after Reset", p.Len())
		}
		for i := range 50 {
			row := p.Add(int32(3*i+1), i%2 == 0)
			if !slices.Equal(row, make([]float32, len(types))) {
				t.Fatalf("row %d is %v, want zeros", i, row)
			}
			row[i%len(types)] = float32(i)
		}
		for i := range 50 {
			want := make([]float32, len(types))
			want[i%len(types)] = float32(i)
			if p.Tokens[i] != int32(3*i+1) || p.First[i] != (i%2 == 0) || !slices.Equal(p.Row(i), want) {
				t.Fatalf("entry %d: token %d, first %t, row %v", i, p.Tokens[i], p.First[i], p.Row(i))
			}
		}
	}
}

func TestPosteriorFind(t *testing.T) {
	t.Parallel()
	var p Posterior
	if entry, ok := p.Find(0); ok || entry != 0 {
		t.Errorf("empty: %d, %t", entry, ok)
	}
	p.Reset([]phi.Type{phi.Patient})
	for _, token := range []int32{2, 3, 7} {
		p.Add(token, true)
	}
	for _, c := range []struct {
		token int32
		entry int
		ok    bool
	}{{0, 0, false}, {2, 0, true}, {3, 1, true}, {4, 2, false}, {7, 2, true}, {8, 3, false}} {
		if entry, ok := p.Find(c.token); entry != c.entry || ok != c.ok {
			t.Errorf("token %d: entry %d, %t, want %d, %t", c.token, entry, ok, c.entry, c.ok)
		}
	}
}

// A row that its owner appends to must not run into the next one.
func TestPosteriorRowsAreApart(t *testing.T) {
	t.Parallel()
	var p Posterior
	p.Reset([]phi.Type{phi.Patient, phi.City})
	p.Add(0, true)
	p.Add(1, true)[0] = 0.5
	_ = append(p.Row(0), 1)
	if p.Row(1)[0] != 0.5 {
		t.Error("the second row was overwritten")
	}
}
