package merge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Models that no stage has together decide by the mean of their log-odds, whatever their number.
func TestUnknownModelsAreAveraged(t *testing.T) {
	t.Parallel()
	for n := 1; n <= MaxModels; n++ {
		var names []string
		var spoken []Spoken
		mean := 0.0
		for k := range n {
			p := float32(k+1) / float32(MaxModels+1)
			names = append(names, fmt.Sprint("m", k))
			spoken = append(spoken, Spoken{Posterior: says(phi.Patient, map[int32]float32{0: p}, 0)})
			mean += LogOdds(float64(p)) / float64(n)
		}
		c := NewCombiner(settings(t), names)
		v := c.Combine(nil, spoken)
		if len(v) != 1 || math.Abs(c.Odds(&v[0])-mean) > 1e-5 || math.Abs(c.Margin(&v[0], &Bias{})-mean) > 1e-5 {
			t.Errorf("%d models: %+v, want %v", n, v, mean)
		}
	}
}

// What is beyond the most models, or was not announced, is left out and does no harm.
func TestTooManyModels(t *testing.T) {
	t.Parallel()
	var names []string
	var spoken []Spoken
	for k := range MaxModels + 3 {
		names = append(names, fmt.Sprint("m", k))
		spoken = append(spoken, Spoken{Posterior: says(phi.Patient, map[int32]float32{0: 0.9}, 0)})
	}
	c := NewCombiner(Default(), names)
	if got := c.Models(); !slices.Equal(got, names[:MaxModels]) {
		t.Errorf("models %v", got)
	}
	if v := c.Combine(nil, spoken); len(v) != 1 || v[0].Readers != 1<<MaxModels-1 {
		t.Errorf("%+v", v)
	}
	unread := Verdict{Type: phi.Patient}
	if c.Odds(&unread) > -10 || c.Margin(&unread, &Bias{All: 5}) > -10 {
		t.Error("a token that nothing has read is PHI")
	}
}

// The order in which models are named decides nothing.
func TestOrderOfModels(t *testing.T) {
	t.Parallel()
	a, b := says(phi.Patient, map[int32]float32{0: 0.9, 1: 0.2}, 0), says(phi.City, map[int32]float32{0: 0.4, 1: 0.7}, 1)
	one, other := NewCombiner(settings(t), []string{"a", "b"}), NewCombiner(settings(t), []string{"b", "a"})
	v, w := one.Combine(nil, []Spoken{{Posterior: a}, {Posterior: b}}), other.Combine(nil, []Spoken{{Posterior: b}, {Posterior: a}})
	for i := range v {
		if v[i].Token != w[i].Token || v[i].Type != w[i].Type || math.Abs(one.Odds(&v[i])-other.Odds(&w[i])) > 1e-6 {
			t.Errorf("token %d: %+v and %+v", i, v[i], w[i])
		}
	}
}

// A class has the threshold of its own, the others that of the stage; biases of all types and of one add up.
func TestThresholdsAndBiases(t *testing.T) {
	t.Parallel()
	c := NewCombiner(settings(t), []string{"a"})
	for _, tt := range []struct {
		typ  phi.Type
		bias Bias
		want float64 // margin less odds
	}{
		{phi.Patient, Bias{}, -logOdds(0.3)},
		{phi.Doctor, Bias{}, -logOdds(0.3)},
		{phi.City, Bias{}, -logOdds(0.4)},
		{phi.City, Bias{All: 1}, 1 - logOdds(0.4)},
		{phi.City, Bias{All: 1, Type: map[phi.Type]float64{phi.City: 0.5, phi.State: 9}}, 1.5 - logOdds(0.4)},
		{phi.City, Bias{Type: map[phi.Type]float64{phi.State: 9}}, -logOdds(0.4)},
	} {
		v := c.Combine(nil, []Spoken{{Posterior: says(tt.typ, map[int32]float32{0: 0.6}, 0)}})
		if got := c.Margin(&v[0], &tt.bias) - c.Odds(&v[0]); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s with %+v: %v, want %v", tt.typ, tt.bias, got, tt.want)
		}
	}
}

func TestFinders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		v    Verdict
		set  uint8
		want int
	}{
		{Verdict{}, 0, 0},
		{Verdict{Readers: 1}, 1, 1},
		{Verdict{Readers: 0b111, Odds: [MaxModels]float32{1, -1, 2}}, 0b101, 2},
		{Verdict{Readers: 0b010, Odds: [MaxModels]float32{1, -1, 2}}, 0, 0},
		{Verdict{Readers: 0b110, Odds: [MaxModels]float32{1, 0, -0.5}}, 0b010, 1},
	} {
		if set, n := tt.v.Finders(); set != tt.set || n != tt.want {
			t.Errorf("%+v: %b, %d", tt.v, set, n)
		}
	}
}

// A model that has read a part decides there, and is not asked elsewhere, wherever the part is.
func TestReadParts(t *testing.T) {
	t.Parallel()
	c := NewCombiner(Default(), []string{"a", "b"})
	all := map[int32]float32{}
	for i := range int32(20) {
		all[i] = 0.9
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		var read []phi.Range
		in := map[int32]bool{}
		for at := rng.IntN(4); at < 20; at += 1 + rng.IntN(5) {
			end := min(20, at+1+rng.IntN(4))
			read = append(read, phi.Range{Start: at, End: end})
			for ; at < end; at++ {
				in[int32(at)] = true
			}
		}
		if read == nil {
			continue
		}
		for _, v := range c.Combine(nil, []Spoken{{Posterior: says(phi.Patient, all)}, {Posterior: says(phi.Patient, nil), Read: read}}) {
			if both := v.Readers == 3; both != in[v.Token] {
				t.Fatalf("token %d, read %v: readers %b", v.Token, read, v.Readers)
			}
		}
	}
}

// Parts of an address are apart, types of one name are not, and a bracket, a plus or an apostrophe is where it belongs.
func TestSpansOfOneEntity(t *testing.T) {
	t.Parallel()
	const street, city, doctor, patient, phone = phi.Street, phi.City, phi.Doctor, phi.Patient, phi.Phone
	for _, tt := range []struct {
		text  string
		types []phi.Type // by token; 0: no PHI
		want  []string
	}{
		{"12 Elm St Flint", []phi.Type{street, street, street, city}, []string{"12 Elm St", "Flint"}},
		{"Ann Moss MD", []phi.Type{patient, doctor, 0}, []string{"Ann Moss"}},
		{"Ann O'Brien", []phi.Type{patient, patient, 0, patient}, []string{"Ann O'Brien"}},
		{"+1 555", []phi.Type{phone, phone, phone}, []string{"+1 555"}},
		{"( 555", []phi.Type{phone, phone}, []string{"555"}},
		{"Ann (Zoe)", []phi.Type{patient, patient, patient, patient}, []string{"Ann (Zoe)"}},
		{"Ann, Zoe.", []phi.Type{patient, 0, patient, patient}, []string{"Ann, Zoe"}},
		{"Ann ; Zoe", []phi.Type{patient, 0, patient}, []string{"Ann", "Zoe"}},
		{"Ann . , ( Zoe", []phi.Type{patient, 0, 0, 0, patient}, []string{"Ann", "Zoe"}},
		{"Ann . , Zoe", []phi.Type{patient, 0, 0, patient}, []string{"Ann . , Zoe"}},
		{"Ann Flint", []phi.Type{patient, city}, []string{"Ann", "Flint"}},
		{"", nil, nil},
	} {
		p := &Posterior{}
		p.Reset([]phi.Type{street, city, doctor, patient, phone})
		for i, typ := range tt.types {
			if typ != 0 {
				p.Add(int32(i), i == 0)[slices.Index(p.Types, typ)] = 0.9
			}
		}
		var got []string
		c := NewCombiner(Default(), []string{"m"})
		verdicts := c.Combine(nil, []Spoken{{Posterior: p}})
		for _, s := range c.Spans(nil, text.NewView(tt.text), verdicts, &Bias{}, func(*Verdict) phi.Votes { return 1 }) {
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
