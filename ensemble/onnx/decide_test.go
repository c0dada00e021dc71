package onnx

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

var knownTypes = []phi.Type{phi.Patient, phi.Doctor, phi.Hospital, phi.Organization, phi.City}

func in65535ths(probs ...float64) []uint16 {
	out := make([]uint16, len(probs))
	for i, p := range probs {
		out[i] = uint16(math.Round(p * math.MaxUint16))
	}
	return out
}

func TestDecide(t *testing.T) {
	names := []phi.Type{phi.Patient, phi.Doctor}
	for name, c := range map[string]struct {
		opts  MemberOptions
		probs []uint16 // patient, doctor, hospital, organization, city
		want  phi.Type
	}{
		"one type":                {MemberOptions{}, in65535ths(.6, 0, 0, 0, 0), phi.Patient},
		"too little":              {MemberOptions{}, in65535ths(.4, 0, 0, 0, 0), phi.None},
		"patient and doctor":      {MemberOptions{Types: names}, in65535ths(.3, .3, 0, 0, 0), phi.Patient},
		"all types together":      {MemberOptions{}, in65535ths(0, 0, .3, 0, .25), phi.Hospital},
		"names beat a city":       {MemberOptions{}, in65535ths(.3, .25, 0, 0, .35), phi.Patient},
		"not the member's type":   {MemberOptions{Types: names}, in65535ths(.1, 0, 0, 0, .9), phi.None},
		"threshold":               {MemberOptions{Threshold: .2}, in65535ths(.21, 0, 0, 0, 0), phi.Patient},
		"below threshold":         {MemberOptions{Threshold: .2}, in65535ths(.19, 0, 0, 0, 0), phi.None},
		"bias for recall":         {MemberOptions{Bias: 2}, in65535ths(.13, 0, 0, 0, 0), phi.Patient},
		"bias is in log-odds":     {MemberOptions{Bias: 2}, in65535ths(.11, 0, 0, 0, 0), phi.None},
		"bias for precision":      {MemberOptions{Bias: -2}, in65535ths(.8, 0, 0, 0, 0), phi.None},
		"own threshold is higher": {MemberOptions{Thresholds: map[phi.Type]float64{phi.City: .9}}, in65535ths(0, 0, 0, 0, .8), phi.None},
		"own threshold is lower":  {MemberOptions{Thresholds: map[phi.Type]float64{phi.City: .1}}, in65535ths(0, 0, 0, 0, .15), phi.City},
		"own threshold of a pair": {MemberOptions{Thresholds: map[phi.Type]float64{phi.Doctor: .3}}, in65535ths(.2, .15, 0, 0, 0), phi.Patient},
		"no pool with an own one": {MemberOptions{Thresholds: map[phi.Type]float64{phi.City: .9}}, in65535ths(.3, 0, 0, 0, .6), phi.None},
	} {
		d, err := newDecider(knownTypes, c.opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := phi.None
		if v := d.decide(c.probs, outside, make([]int32, len(d.groups))); v.group != outside {
			got = d.groups[v.group].key
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The best sequence of labels adds words to those over the threshold, and names them,
// unless the threshold asks to be surer than it.
func TestDecideOnAPath(t *testing.T) {
	const patient, city = 0, 4
	own := map[phi.Type]float64{phi.City: .8}
	for name, c := range map[string]struct {
		opts  MemberOptions
		probs []uint16 // patient, doctor, hospital, organization, city
		path  int
		want  phi.Type
	}{
		"sequence and probability":       {MemberOptions{}, in65535ths(.6, 0, 0, 0, 0), patient, phi.Patient},
		"sequence alone":                 {MemberOptions{}, in65535ths(.4, 0, 0, 0, 0), patient, phi.Patient},
		"probability alone":              {MemberOptions{}, in65535ths(.6, 0, 0, 0, 0), outside, phi.Patient},
		"neither":                        {MemberOptions{}, in65535ths(.4, 0, 0, 0, 0), outside, phi.None},
		"the sequence names it":          {MemberOptions{}, in65535ths(.4, 0, 0, 0, .3), city, phi.City},
		"not the member's type":          {MemberOptions{Types: knownTypes[:2]}, in65535ths(.3, 0, 0, 0, .6), city, phi.None},
		"a lower threshold":              {MemberOptions{Threshold: .2}, in65535ths(.3, 0, 0, 0, 0), outside, phi.Patient},
		"a higher threshold":             {MemberOptions{Threshold: .7}, in65535ths(.6, 0, 0, 0, 0), patient, phi.None},
		"a higher threshold, met":        {MemberOptions{Threshold: .7}, in65535ths(.3, 0, 0, 0, .5), city, phi.City},
		"bias for precision":             {MemberOptions{Bias: -1}, in65535ths(.6, 0, 0, 0, 0), patient, phi.None},
		"bias for recall":                {MemberOptions{Bias: 1}, in65535ths(.3, 0, 0, 0, 0), outside, phi.Patient},
		"own threshold over the half":    {MemberOptions{Thresholds: own}, in65535ths(0, 0, 0, 0, .7), city, phi.None},
		"another group where it is over": {MemberOptions{Thresholds: own}, in65535ths(.55, 0, 0, 0, .4), city, phi.Patient},
	} {
		d, err := newDecider(knownTypes, c.opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := phi.None
		if v := d.decide(c.probs, c.path, make([]int32, len(d.groups))); v.group != outside {
			got = d.groups[v.group].key
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Of two types that are one group it is that of the best sequence.
func TestSpanOnAPath(t *testing.T) {
	const patient, doctor = 0, 1
	for name, c := range map[string]struct {
		path [2]int
		want phi.Type
	}{
		"none":      {[2]int{outside, outside}, phi.Patient},
		"the same":  {[2]int{patient, patient}, phi.Patient},
		"the other": {[2]int{doctor, doctor}, phi.Doctor},
		"half":      {[2]int{patient, doctor}, phi.Patient},
	} {
		d, err := newDecider(knownTypes, MemberOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := newSpanner(d, &ensemble.Note{Text: "Ann Moss"}, nil)
		for token, path := range c.path {
			s.add(token, in65535ths(.5, .4, 0, 0, 0), path, token == 0)
		}
		s.flush()
		if len(s.dst) != 1 || s.dst[0].Type != c.want {
			t.Errorf("%s: %+v, want %v", name, s.dst, c.want)
		}
	}
}

// Raising the threshold never adds a word, whatever the best sequence says.
func TestThresholdsOnlyTakeAway(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 2000 {
		probs, path := make([]float64, len(knownTypes)), rng.IntN(len(knownTypes)+1)-1
		for i := range probs {
			probs[i] = rng.Float64() / float64(len(probs))
		}
		before := true
		for threshold := .05; threshold < 1; threshold += .05 {
			d, err := newDecider(knownTypes, MemberOptions{Threshold: threshold})
			if err != nil {
				t.Fatal(err)
			}
			phi := d.decide(in65535ths(probs...), path, make([]int32, len(d.groups))).group != outside
			if phi && !before {
				t.Fatalf("%v on path %d is PHI at %.2f and not below", probs, path, threshold)
			}
			before = phi
		}
	}
}

func TestNewDeciderRefuses(t *testing.T) {
	for name, opts := range map[string]MemberOptions{
		"unknown type":        {Types: []phi.Type{phi.SSN}},
		"threshold above 1":   {Threshold: 1.5},
		"threshold of 1":      {Threshold: 1},
		"negative threshold":  {Threshold: -.1},
		"not a number":        {Threshold: math.NaN()},
		"endless bias":        {Bias: math.Inf(1)},
		"below what is kept":  {Threshold: .001},
		"bias below it":       {Bias: 10},
		"own of another type": {Types: knownTypes[:2], Thresholds: map[phi.Type]float64{phi.City: .5}},
		"bad alone":           {Alone: 2},
		"bad own":             {Thresholds: map[phi.Type]float64{phi.City: 2}},
	} {
		if _, err := newDecider(knownTypes, opts); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestTentative(t *testing.T) {
	for name, tc := range map[string]struct {
		opts  MemberOptions
		probs []uint16
		want  bool
	}{
		"no such bound":         {MemberOptions{Threshold: .2}, in65535ths(.3, 0, 0, 0, 0), false},
		"below it":              {MemberOptions{Threshold: .2, Alone: .8}, in65535ths(.7, 0, 0, 0, 0), true},
		"above it":              {MemberOptions{Threshold: .2, Alone: .8}, in65535ths(.9, 0, 0, 0, 0), false},
		"types together":        {MemberOptions{Threshold: .2, Alone: .8}, in65535ths(.5, 0, 0, 0, .4), false},
		"own threshold":         {MemberOptions{Alone: .8, Thresholds: map[phi.Type]float64{phi.City: .4}}, in65535ths(.3, 0, 0, 0, .5), true},
		"bias counts for it":    {MemberOptions{Alone: .8, Bias: 2}, in65535ths(.4, 0, 0, 0, 0), false},
		"bias for precision so": {MemberOptions{Alone: .8, Bias: -1}, in65535ths(.85, 0, 0, 0, 0), true},
	} {
		d, err := newDecider(knownTypes, tc.opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := newSpanner(d, &ensemble.Note{Text: "Ann Moss"}, nil)
		s.add(0, tc.probs, outside, true)
		s.flush()
		if len(s.dst) != 1 || s.dst[0].Tentative != tc.want {
			t.Errorf("%s: %+v, want tentative %v", name, s.dst, tc.want)
		}
	}
}

func TestSpanner(t *testing.T) {
	const p, d, c = 1, 2, 3 // what a word is: patient, doctor, city; 0 nothing, negative: an entity begins
	probs := map[int][]uint16{p: in65535ths(.9, 0, 0, 0, 0), d: in65535ths(0, .9, 0, 0, 0), c: in65535ths(0, 0, 0, 0, .9)}
	for name, tc := range map[string]struct {
		text  string
		words []int
		want  []string
	}{
		"one word":              {"seen Ann now", []int{0, p, 0}, []string{"PATIENT:Ann"}},
		"a name":                {"Ann Moss", []int{-p, p}, []string{"PATIENT:Ann Moss"}},
		"begins at each word":   {"Ann Moss", []int{-p, -p}, []string{"PATIENT:Ann Moss"}},
		"last, first":           {"Moss, Ann", []int{-p, p, p}, []string{"PATIENT:Moss, Ann"}},
		"two with a comma":      {"Ann, Ben", []int{-p, p, -p}, []string{"PATIENT:Ann", "PATIENT:Ben"}},
		"two with nothing":      {"Ann and Ben", []int{-p, 0, -p}, []string{"PATIENT:Ann", "PATIENT:Ben"}},
		"types of one group":    {"Ann B Moss", []int{-p, d, d}, []string{"DOCTOR:Ann B Moss"}},
		"types of two groups":   {"Ann Rome", []int{-p, -c}, []string{"PATIENT:Ann", "CITY:Rome"}},
		"marks at the ends":     {"(Ann) -- Moss.", []int{-p, p, p, 0, 0, p, p}, []string{"PATIENT:Ann", "PATIENT:Moss"}},
		"brackets within":       {"(55) 01", []int{-p, p, p, p}, []string{"PATIENT:(55) 01"}},
		"brackets at the end":   {"Ann (Moss)", []int{-p, p, p, p}, []string{"PATIENT:Ann (Moss)"}},
		"number sign":           {"# 5 #5 +1", []int{p, 0, p, p, 0, 0}, []string{"PATIENT:#5"}},
		"plus":                  {"+1 5", []int{p, p, p}, []string{"PATIENT:+1 5"}},
		"only marks":            {"... ,", []int{p, p, p, p}, nil},
		"line break":            {"Ann\nMoss", []int{-p, p}, []string{"PATIENT:Ann", "PATIENT:Moss"}},
		"a mark between tokens": {"O'Brannock", []int{-p, p, p}, []string{"PATIENT:O'Brannock"}},
	} {
		t.Run(name, func(t *testing.T) {
			note := &ensemble.Note{Text: tc.text}
			decide, err := newDecider(knownTypes, MemberOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(note.View().Tokens) != len(tc.words) {
				t.Fatalf("%d tokens for %d words", len(note.View().Tokens), len(tc.words))
			}
			s := newSpanner(decide, note, nil)
			for i, w := range tc.words {
				if w != 0 {
					s.add(i, probs[max(w, -w)], outside, w < 0)
				}
			}
			s.flush()
			var got []string
			for _, sp := range s.dst {
				got = append(got, sp.Type.String()+":"+tc.text[sp.Start:sp.End])
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}
