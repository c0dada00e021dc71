package onnx

import (
	"math"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// recorded is what a recorder makes of a chunk with one segment of five units, of which the
// first four count and the third and fourth are parts of one token.
func recorded(t *testing.T, takes []int, ask []phi.Range, found *scores) *merge.Posterior {
	t.Helper()
	c := &chunk{
		units:    []unit{{token: 4}, {token: 5}, {token: 6}, {token: 6}, {token: 7}},
		segments: []segment{{window: window{start: 0, end: 5, from: 0, to: 4}}},
	}
	dst := &merge.Posterior{}
	dst.Reset(make([]phi.Type, len(takes)))
	r := &recorder{dst: dst, known: 3, takes: takes, asked: asker{ask}}
	r.take(c, []*scores{found})
	return dst
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	found := &scores{
		units: []uint16{0, 1, 2, 3, 4}, first: []bool{true, false, true, false, true},
		probs: slices.Concat(
			in65535ths(.5, .2, .1), in65535ths(.0005, .0001, .9), in65535ths(.1, .7, 0), in65535ths(.6, .1, 0), in65535ths(.9, .1, 0)),
	}
	for name, c := range map[string]struct {
		takes  []int
		ask    []phi.Range
		tokens []int32
		first  []bool
		probs  []float32
	}{
		"all types": {[]int{0, 1, 2}, nil, []int32{4, 5, 6}, []bool{true, false, true}, []float32{
			.5, .2, .1, .0005, .0001, .9, .6 / 1.3,
			.7 / 1.3, 0,
		}},
		"two types": {[]int{0, 1}, nil, []int32{4, 6}, []bool{true, true}, []float32{.5, .2, .6 / 1.3, .7 / 1.3}},
		"one type":  {[]int{2}, nil, []int32{4, 5}, []bool{true, false}, []float32{.1, .9}},
		"asked":     {[]int{0, 1, 2}, ranges(0, 4, 5, 6, 7, 8), []int32{5}, []bool{false}, []float32{.0005, .0001, .9}},
		"nothing":   {[]int{0, 1, 2}, ranges(), nil, nil, nil},
	} {
		got := recorded(t, c.takes, c.ask, found)
		if !slices.Equal(got.Tokens, c.tokens) || !slices.Equal(got.First, c.first) || len(got.Probs) != len(c.probs) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, want := range c.probs {
			if math.Abs(float64(got.Probs[i]-want)) > 2e-5 {
				t.Errorf("%s: probability %d is %g, want %g", name, i, got.Probs[i], want)
			}
		}
	}
}

// What is present has at least the least probability.
func TestRecorderLeavesOutWhatIsSurelyNothing(t *testing.T) {
	t.Parallel()
	for _, p := range []uint16{0, 63, 64, 65, math.MaxUint16} {
		got := recorded(t, []int{0, 1, 2}, nil, &scores{units: []uint16{1}, first: []bool{true}, probs: []uint16{0, p, 0}})
		if want := float64(p) >= leastScore; (got.Len() == 1) != want {
			t.Errorf("%d: %d tokens", p, got.Len())
		}
	}
}

func TestColumnsOfMembers(t *testing.T) {
	t.Parallel()
	known := []phi.Type{phi.Patient, phi.Doctor, phi.City}
	for name, c := range map[string]struct {
		types []phi.Type
		takes []int
		want  []phi.Type
	}{
		"all":   {nil, []int{0, 1, 2}, known},
		"some":  {[]phi.Type{phi.City, phi.Doctor}, []int{1, 2}, known[1:]},
		"a one": {[]phi.Type{phi.Patient}, []int{0}, known[:1]},
	} {
		d, err := newDecider(known, MemberOptions{Types: c.types})
		if err != nil {
			t.Fatal(err)
		}
		if takes, types := d.columnsOf(); !slices.Equal(takes, c.takes) || !slices.Equal(types, c.want) {
			t.Errorf("%s: %v, %v", name, takes, types)
		}
	}
}
