package merge

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// says makes a posterior of one probability for each of some tokens.
func says(t phi.Type, probs map[int32]float32, begin ...int32) *Posterior {
	p := &Posterior{}
	p.Reset([]phi.Type{t})
	var tokens []int32
	for token := range probs {
		tokens = append(tokens, token)
	}
	slices.Sort(tokens)
	for _, token := range tokens {
		p.Add(token, slices.Contains(begin, token))[0] = probs[token]
	}
	return p
}

func TestPoolIsTheMeanOfLogOdds(t *testing.T) {
	t.Parallel()
	a, b := says(phi.Patient, map[int32]float32{1: 0.9, 2: 0.5}, 1), says(phi.Patient, map[int32]float32{1: 0.1}, 1)
	c := says(phi.City, map[int32]float32{3: 0.7}, 3)
	p := Pool([]*Posterior{a, b, c})
	if !slices.Equal(p.Types, []phi.Type{phi.Patient, phi.City}) || !slices.Equal(p.Tokens, []int32{1, 2, 3}) {
		t.Fatalf("types %v, tokens %v", p.Types, p.Tokens)
	}
	if got := p.Row(0)[0]; math.Abs(float64(got)-0.5) > 1e-6 {
		t.Errorf("0.9 and 0.1 make %v", got)
	}
	if got := p.Row(1)[0]; !(got > 0 && got < 0.1) {
		t.Errorf("0.5 and next to nothing make %v", got)
	}
	if got := p.Row(2)[1]; math.Abs(float64(got)-0.7) > 1e-6 {
		t.Errorf("a type of one member alone: %v", got)
	}
	if !p.First[0] || p.First[1] || !p.First[2] {
		t.Errorf("beginnings %v", p.First)
	}
	if Pool([]*Posterior{a}) != a {
		t.Error("one member is copied")
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()
	c := NewCombiner(settings(t), []string{"a", "b"})
	a, b := says(phi.Patient, map[int32]float32{1: 0.9, 5: 0.9}, 1), says(phi.Doctor, map[int32]float32{1: 0.6, 2: 0.5}, 1)
	for _, tt := range []struct {
		name   string
		spoken []Spoken
		tokens []int32
		odds   []float64
	}{
		{"the first alone", []Spoken{{Posterior: a}, {}}, []int32{1, 5}, []float64{0.1 + 0.5*LogOdds(0.9), 0.1 + 0.5*LogOdds(0.9)}},
		{
			"both",
			[]Spoken{{Posterior: a}, {Posterior: b}},
			[]int32{1, 2, 5},
			[]float64{-1 + 0.5*LogOdds(0.9) + LogOdds(0.6), -1 + 0.5*LogOdds(0) + LogOdds(0.5), -1 + 0.5*LogOdds(0.9) + LogOdds(0)},
		},
		{
			"the second read a part",
			[]Spoken{{Posterior: a}, {Posterior: b, Read: []phi.Range{{Start: 0, End: 3}}}},
			[]int32{1, 2, 5},
			[]float64{-1 + 0.5*LogOdds(0.9) + LogOdds(0.6), -1 + 0.5*LogOdds(0) + LogOdds(0.5), 0.1 + 0.5*LogOdds(0.9)},
		},
		{"a set that is no stage", []Spoken{{}, {Posterior: b}}, []int32{1, 2}, []float64{LogOdds(0.6), LogOdds(0.5)}},
		{"no model", []Spoken{{}, {}}, nil, nil},
	} {
		verdicts := c.Combine(nil, tt.spoken)
		if len(verdicts) != len(tt.tokens) {
			t.Errorf("%s: %d verdicts", tt.name, len(verdicts))
			continue
		}
		for i, v := range verdicts {
			if z := c.Odds(&v); v.Token != tt.tokens[i] || math.Abs(z-tt.odds[i]) > 1e-5 {
				t.Errorf("%s: token %d with %v, want %d with %v", tt.name, v.Token, z, tt.tokens[i], tt.odds[i])
			}
		}
	}
}

// The class is that with the most probability, though no type of it has the most.
func TestClassBeforeType(t *testing.T) {
	t.Parallel()
	p := &Posterior{}
	p.Reset([]phi.Type{phi.Patient, phi.Doctor, phi.City})
	copy(p.Add(0, true), []float32{0.25, 0.3, 0.4})
	v := NewCombiner(Default(), []string{"m"}).Combine(nil, []Spoken{{Posterior: p}})
	if len(v) != 1 || v[0].Type != phi.Doctor {
		t.Errorf("%+v", v)
	}
}

// A model that does not know a class has no say in it.
func TestModelsSpeakOfWhatTheyKnow(t *testing.T) {
	t.Parallel()
	c := NewCombiner(Default(), []string{"names", "dates"})
	v := c.Combine(nil, []Spoken{{Posterior: says(phi.Patient, nil)}, {Posterior: says(phi.Date, map[int32]float32{0: 0.8}, 0)}})
	if len(v) != 1 || v[0].Readers != 2 || math.Abs(c.Odds(&v[0])-LogOdds(0.8)) > 1e-5 {
		t.Errorf("%+v", v)
	}
}

func TestVocabularyLowers(t *testing.T) {
	t.Parallel()
	c := NewCombiner(settings(t), []string{"a"})
	v := c.Combine(nil, []Spoken{{Posterior: says(phi.Patient, map[int32]float32{0: 0.7}, 0)}})
	before := c.Odds(&v[0])
	v[0].Against = 0.5
	if got := c.Odds(&v[0]); math.Abs(before-got-1) > 1e-9 {
		t.Errorf("%v, then %v: want 2·0.5 less", before, got)
	}
}

// words are the spans of a text whose words are all said to be something.
func words(s string, c *Combiner, p *Posterior, bias *Bias) []phi.Span {
	by := func(*Verdict) phi.Votes { return 1 }
	return c.Spans(nil, text.NewView(s), c.Combine(nil, []Spoken{{Posterior: p}}), bias, by)
}

func TestSpans(t *testing.T) {
	t.Parallel()
	c := NewCombiner(Default(), []string{"m"})
	for _, tt := range []struct {
		name, text string
		p          *Posterior
		want       []string
	}{
		{"neighbours", "seen Ann Moss today", says(phi.Patient, map[int32]float32{1: 0.9, 2: 0.8}, 1), []string{"Ann Moss"}},
		{"an entity begins", "seen Ann Moss today", says(phi.Patient, map[int32]float32{1: 0.9, 2: 0.8}, 1, 2), []string{"Ann", "Moss"}},
		{
			"marks between", "Moss, Ann M. Abara", says(phi.Patient, map[int32]float32{0: 0.9, 2: 0.8, 3: 0.9, 5: 0.9}, 0),
			[]string{"Moss, Ann M. Abara"},
		},
		{"a line ends", "Moss\nAnn", says(phi.Patient, map[int32]float32{0: 0.9, 1: 0.8}, 0), []string{"Moss", "Ann"}},
		{"a word between", "Moss and Ann", says(phi.Patient, map[int32]float32{0: 0.9, 2: 0.8}, 0), []string{"Moss", "Ann"}},
		{"marks at the ends", "( Moss ), seen", says(phi.Patient, map[int32]float32{0: 0.9, 1: 0.8, 3: 0.9}, 0), []string{"Moss"}},
		{"brackets that close", "at (555) 555-0100.", says(phi.Phone, map[int32]float32{1: 0.9, 2: 0.8, 3: 0.9, 4: 0.9, 5: 0.9, 6: 0.9, 7: 0.9},
			1), []string{"(555) 555-0100"}},
		{"only marks", "- - -", says(phi.Patient, map[int32]float32{0: 0.9, 1: 0.8}, 0), nil},
		{"below the threshold", "Moss", says(phi.Patient, map[int32]float32{0: 0.4}, 0), nil},
	} {
		var got []string
		for _, s := range words(tt.text, c, tt.p, &Bias{}) {
			got = append(got, tt.text[s.Start:s.End])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// chance makes a posterior of chance.
func chance(rng *rand.Rand, tokens int) *Posterior {
	p := &Posterior{}
	p.Reset([]phi.Type{phi.Patient, phi.City, phi.Date, phi.Phone})
	for i := range tokens {
		if rng.IntN(3) == 0 {
			continue
		}
		row := p.Add(int32(i), rng.IntN(4) == 0)
		left := rng.Float32()
		for k := range row {
			row[k] = left * rng.Float32()
			left -= row[k]
		}
	}
	return p
}

// More recall bias never loses a word, whatever models say, and spans stay in the text,
// sorted and disjoint.
func TestSpansGrowWithBias(t *testing.T) {
	t.Parallel()
	const s = "Moss, Ann (555) 12-34 was seen. At 4/5 by\nDr. O'Brien; Flint, MI 48502 +1 ann@x.org - # . (x)"
	view := text.NewView(s)
	c := NewCombiner(settings(t), []string{"a", "b"})
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		verdicts := c.Combine(nil, []Spoken{{Posterior: chance(rng, len(view.Tokens))}, {
			Posterior: chance(rng, len(view.Tokens)),
			Read:      []phi.Range{{Start: 2, End: 20}},
		}})
		covered := make([]bool, len(view.Tokens))
		for bias := -6.0; bias <= 6; bias++ {
			spans := c.Spans(nil, view, verdicts, &Bias{All: bias, Type: map[phi.Type]float64{phi.Date: 1}}, func(*Verdict) phi.Votes { return 1 })
			end := 0
			for _, sp := range spans {
				if sp.Start < end || sp.End <= sp.Start || sp.End > len(s) || sp.By == 0 || !(sp.Score >= 0 && sp.Score <= 1) {
					t.Fatalf("span %+v after %d", sp, end)
				}
				end = sp.End
			}
			for i, tok := range view.Tokens {
				in := slices.ContainsFunc(spans, func(sp phi.Span) bool { return sp.Start <= tok.Start && tok.End <= sp.End })
				if covered[i] && !in && tok.Kind != text.Punct {
					t.Fatalf("seed %d: token %d is lost at bias %v", seed, i, bias)
				}
				covered[i] = in
			}
		}
	}
}

func TestLogOdds(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{0.01, 0.3, 0.5, 0.99} {
		if got := Probability(LogOdds(p)); math.Abs(got-p) > 1e-12 {
			t.Errorf("%v becomes %v", p, got)
		}
	}
	if LogOdds(0) != LogOdds(Least) || math.Abs(LogOdds(1)+LogOdds(0)) > 1e-12 {
		t.Errorf("bounds %v and %v", LogOdds(0), LogOdds(1))
	}
}
