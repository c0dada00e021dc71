package onnx

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomChain makes a chain and logits of some words.
func randomChain(rng *rand.Rand, labels, words int, size float64) (*chain, []float32) {
	row := func() []float64 {
		out := make([]float64, labels)
		for i := range out {
			out[i] = rng.NormFloat64() * size
		}
		return out
	}
	c := &chainConfig{Start: row(), End: row()}
	for range labels {
		c.Transitions = append(c.Transitions, row())
	}
	logits := make([]float32, words*labels)
	for i := range logits {
		logits[i] = float32(rng.NormFloat64() * size)
	}
	return newChain(c), logits
}

// score adds up what a sequence of labels gets.
func (c *chain) score(path []int, logits []float32) float64 {
	total := c.start[path[0]] + c.end[path[len(path)-1]]
	for w, label := range path {
		total += float64(logits[w*c.labels+label])
		if w > 0 {
			total += c.steps[path[w-1]*c.labels+label]
		}
	}
	return total
}

// allPaths calls f with every sequence of labels.
func allPaths(labels, words int, f func([]int)) {
	path := make([]int, words)
	for {
		f(path)
		w := words - 1
		for ; w >= 0; w-- {
			if path[w]++; path[w] < labels {
				break
			}
			path[w] = 0
		}
		if w < 0 {
			return
		}
	}
}

// Against all sequences, one after the other.
func TestChainAgainstAllSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	var s chainScratch // one for all, as a runner has
	for round := range 300 {
		labels, words := 1+rng.IntN(5), 1+rng.IntN(5)
		c, logits := randomChain(rng, labels, words, []float64{.3, 2, 30}[round%3])
		var top []int
		best, total := math.Inf(-1), 0.0
		want := make([]float64, words*labels)
		shift := c.scoreBound(logits)
		allPaths(labels, words, func(path []int) {
			score := c.score(path, logits)
			if score > best {
				best, top = score, slices.Clone(path)
			}
			p := math.Exp(score - shift)
			total += p
			for w, label := range path {
				want[w*labels+label] += p
			}
		})
		path, err := c.best(logits, &s)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(c.score(path, logits)-best) > 1e-9 {
			t.Fatalf("round %d: best is %v with %g, want %v with %g", round, path, c.score(path, logits), top, best)
		}
		got, err := c.marginals(logits, &s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]/total) > 1e-9 {
				t.Fatalf("round %d: word %d, label %d: %g, want %g", round, i/labels, i%labels, got[i], want[i]/total)
			}
		}
	}
}

// scoreBound is no less than any sequence's score, and close enough that the best one's
// exponential is not 0.
func (c *chain) scoreBound(logits []float32) float64 {
	best := math.Inf(-1)
	allPaths(c.labels, len(logits)/c.labels, func(path []int) { best = max(best, c.score(path, logits)) })
	return best
}

// What is taken for the best sequence without searching is what the search finds.
func TestDecodeIsTheSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var a, b chainScratch
	found := 0
	for round := range 2000 {
		c, logits := randomChain(rng, 2+rng.IntN(6), 1+rng.IntN(12), []float64{1, 3, 10}[round%3])
		marginals, path, err := c.decode(logits, &a)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.best(logits, &b)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(path, want) {
			t.Fatalf("round %d: %v, want %v", round, path, want)
		}
		if c.beyondDoubt(marginals, &a) {
			found++
		}
	}
	if found < 200 || found > 1800 {
		t.Errorf("%d of 2000 were clear: this tests one of the ways only", found)
	}
}

// A chain whose steps say nothing is what each word's logits say alone.
func TestChainWithoutSteps(t *testing.T) {
	const labels, words = 5, 7
	rng := rand.New(rand.NewPCG(4, 4))
	zeros := make([]float64, labels)
	c := newChain(&chainConfig{Start: zeros, End: zeros, Transitions: [][]float64{zeros, zeros, zeros, zeros, zeros}})
	_, logits := randomChain(rng, labels, words, 3)
	var alone, whole tally
	alone.reset(testLabels(t), words)
	for w := range words {
		first, err := alone.read(logits[w*labels : (w+1)*labels])
		if err != nil {
			t.Fatal(err)
		}
		alone.add(w, w+1, first)
	}
	whole.reset(testLabels(t), words)
	if err := whole.readChain(c, logits, &chainScratch{}); err != nil {
		t.Fatal(err)
	}
	a, b := alone.scores(), whole.scores()
	if !slices.Equal(a.units, b.units) {
		t.Fatalf("units %v, want %v", b.units, a.units)
	}
	for i := range a.probs {
		if max(a.probs[i], b.probs[i])-min(a.probs[i], b.probs[i]) > 1 {
			t.Errorf("probability %d is %d, want %d", i, b.probs[i], a.probs[i])
		}
	}
}

// As many words as a window has, with scores as far apart as trainers write them.
func TestChainOfALongSentence(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	c, logits := randomChain(rng, 31, maxWindow, 8)
	for i := range c.steps {
		if i%5 == 1 {
			c.steps[i], c.odds[i] = -largestStep, 0
		}
	}
	var s chainScratch
	got, err := c.marginals(logits, &s)
	if err != nil {
		t.Fatal(err)
	}
	for w := range maxWindow {
		sum := 0.0
		for _, p := range got[w*31 : (w+1)*31] {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("word %d: probabilities sum to %g", w, sum)
		}
	}
	path, err := c.best(logits, &s)
	if err != nil {
		t.Fatal(err)
	}
	for w := 1; w < len(path); w++ {
		if c.steps[path[w-1]*31+path[w]] == -largestStep {
			t.Fatalf("word %d: a step that can't be", w)
		}
	}
}

func TestChainRefusesWhatIsNotFinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	c, _ := randomChain(rng, 3, 2, 1)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, row := range map[string][]float32{
		"NaN": {0, 1, 2, 0, nan, 0}, "first NaN": {nan, 0, 0, 0, 0, 0},
		"infinite": {0, inf, 0, 0, 0, 0}, "nothing": {0, 0, 0, -inf, -inf, -inf},
	} {
		if _, err := c.marginals(row, &chainScratch{}); !errors.Is(err, errNotFinite) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := c.best([]float32{0, 0, nan, 0, 0, 0}, &chainScratch{}); !errors.Is(err, errNotFinite) {
		t.Errorf("best: %v", err)
	}
	for i := range c.steps { // no sequence is possible
		c.odds[i] = 0
	}
	if _, err := c.marginals(make([]float32, 6), &chainScratch{}); !errors.Is(err, errChain) {
		t.Errorf("no sequence: %v", err)
	}
}

func TestTallyOfAChain(t *testing.T) {
	labels := testLabels(t) // O, B-PATIENT, I-PATIENT, B-CITY, I-CITY
	row := func(to, by int) []float64 {
		out := make([]float64, 5)
		out[to] = float64(by)
		return out
	}
	// What follows B-PATIENT is I-PATIENT, nearly whatever it looks like.
	c := newChain(&chainConfig{Start: row(0, 0), End: row(0, 0), Transitions: [][]float64{
		row(0, 0), row(2, 4), row(0, 0), row(0, 0),
		row(0, 0),
	}})
	var tally tally
	tally.reset(labels, 4)
	logits := []float32{9, 0, 0, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0.5, 0, 0, 9, 0, 0, 0, 0}
	if err := tally.readChain(c, logits, &chainScratch{}); err != nil {
		t.Fatal(err)
	}
	s := tally.scores()
	city, patient := slices.Index(labels.types, labels.types[labels.class[3]]), labels.class[1]
	if city == patient {
		t.Fatal("one type")
	}
	if want := []uint16{1, 2}; !slices.Equal(s.units, want) {
		t.Fatalf("units %v, want %v", s.units, want)
	}
	if s.onPath(0) != patient || s.onPath(1) != patient || !s.first[0] || s.first[1] {
		t.Errorf("path %v, first %v", s.path, s.first)
	}
	if (&scores{units: []uint16{1}}).onPath(0) != outside {
		t.Error("scores without a path have one")
	}
}

// block writes a configuration with three labels and this crf.
func block(crf string) string {
	return `{"model_type": "pgdeid-words", "id2label": {"0": "O", "1": "B-CITY", "2": "I-CITY"},
		"pgdeid": {"chars": "ab", "word_chars": 20, "max_words": 256, "digits": "0", "crf": ` + crf + `}}`
}

func TestParseChain(t *testing.T) {
	const rows = `[[0,1,-10000],[0,0,2.5],[0,0,1]]`
	good, err := parseConfig([]byte(block(`{"transitions": ` + rows + `, "start": [0,0,-1], "end": [0,1,0]}`)))
	if err != nil || good.Words.Chain == nil || newChain(good.Words.Chain).steps[5] != 2.5 {
		t.Fatalf("%+v, %v", good, err)
	}
	if none, err := parseConfig([]byte(block("null"))); err != nil || none.Words.Chain != nil {
		t.Errorf("no chain: %+v, %v", none, err)
	}
	for name, data := range map[string]string{
		"too few rows":    block(`{"transitions": [[0,0,0],[0,0,0]], "start": [0,0,0], "end": [0,0,0]}`),
		"a short row":     block(`{"transitions": [[0,0,0],[0,0],[0,0,0]], "start": [0,0,0], "end": [0,0,0]}`),
		"no rows":         block(`{"start": [0,0,0], "end": [0,0,0]}`),
		"no start":        block(`{"transitions": ` + rows + `, "end": [0,0,0]}`),
		"a long end":      block(`{"transitions": ` + rows + `, "start": [0,0,0], "end": [0,0,0,0]}`),
		"beyond all":      block(`{"transitions": ` + rows + `, "start": [0,0,1e5], "end": [0,0,0]}`),
		"no number":       block(`{"transitions": ` + rows + `, "start": [0,0,1e999], "end": [0,0,0]}`),
		"text":            block(`{"transitions": ` + rows + `, "start": [0,0,"1"], "end": [0,0,0]}`),
		"empty":           block(`{}`),
		"of a wordpieces": strings.Replace(block(`{}`), "pgdeid-words", "bert", 1),
	} {
		if _, err := parseConfig([]byte(data)); err == nil || !strings.Contains(err.Error(), "config.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&chainConfig{Start: []float64{math.NaN()}, End: []float64{0}, Transitions: [][]float64{{0}}}).validate(1); err == nil {
		t.Error("NaN was accepted")
	}
	if err := (&chainConfig{}).validate(maxLabels + 1); err == nil {
		t.Error("too many labels were accepted")
	}
}

// What parses is decoded, or refused, but never brings the program down.
func FuzzParseConfig(f *testing.F) {
	f.Add(block(`{"transitions": [[0,1,-10000],[0,0,2.5],[0,0,1]], "start": [0,0,-1], "end": [0,1,0]}`))
	f.Add(block(`{"transitions": [[-10000,-10000,-10000],[1e4,0,0],[0,0,0]], "start": [-9999,0,0], "end": [0,0,0]}`))
	f.Add(block("null"))
	f.Add(`{"model_type": "bert", "id2label": {"0": "O"}, "pgdeid": null}`)
	f.Add(`{`)
	f.Fuzz(func(t *testing.T, data string) {
		c, err := parseConfig([]byte(data))
		if err != nil || c.ModelType != wordsModel || c.Words.Chain == nil || len(c.ID2Label) == 0 {
			return
		}
		ch, s := newChain(c.Words.Chain), chainScratch{}
		logits := make([]float32, 3*len(c.ID2Label))
		path, err := ch.best(logits, &s)
		if err != nil || len(path) != 3 {
			t.Fatalf("path %v, %v", path, err)
		}
		got, err := ch.marginals(logits, &s)
		if err != nil {
			return
		}
		if sum := got[0]; math.IsNaN(sum) || sum < 0 || sum > 1+1e-9 {
			t.Fatalf("probability %g", sum)
		}
	})
}

func BenchmarkChain(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 5))
	c, logits := randomChain(rng, 31, 22, 2)
	sure := slices.Clone(logits) // as most sentences are: nothing but O
	for i := 0; i < len(sure); i += 31 {
		sure[i] += 30
	}
	for name, f := range map[string]func(*chainScratch) error{
		"best":      func(s *chainScratch) error { _, err := c.best(logits, s); return err },
		"marginals": func(s *chainScratch) error { _, err := c.marginals(logits, s); return err },
		"decode":    func(s *chainScratch) error { _, _, err := c.decode(sure, s); return err },
	} {
		b.Run(fmt.Sprint(name, ", 22 words of 31 labels"), func(b *testing.B) {
			var s chainScratch
			b.ReportAllocs()
			for b.Loop() {
				if err := f(&s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
