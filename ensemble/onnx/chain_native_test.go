//go:build native

package onnx

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// The labels of wordFolder that its chain treats in a special way.
const (
	labelO        = 0
	labelHospital = 7 // B-HOSPITAL; the next one is I-HOSPITAL
	labelsOfWords = 9
)

// testChain says that a hospital has two words at least: O can't follow its first one.
func testChain() chainConfig {
	c := chainConfig{Start: make([]float64, labelsOfWords), End: make([]float64, labelsOfWords)}
	for range labelsOfWords {
		c.Transitions = append(c.Transitions, make([]float64, labelsOfWords))
	}
	c.Transitions[labelHospital][labelO] = -largestStep
	c.Transitions[labelHospital][labelHospital+1] = 1
	return c
}

// chainFolder makes a model with a character front that scores sequences of labels.
func chainFolder(t testing.TB, c chainConfig) fstest.MapFS {
	t.Helper()
	folder := wordFolder(t)
	var config map[string]any
	if err := json.Unmarshal(folder["config.json"].Data, &config); err != nil {
		t.Fatal(err)
	}
	config["pgdeid"].(map[string]any)["crf"] = c
	folder["config.json"] = &fstest.MapFile{Data: toJSON(t, config)}
	return folder
}

func TestChainModel(t *testing.T) {
	m := load(t, openForTest(t), chainFolder(t, testChain()))
	const text = "Ann Moss seen by\nDr. WIBBERLEY in the Mercy clinic, Quillburg."
	for name, c := range map[string]struct {
		opts MemberOptions
		want []string
	}{
		"all":         {MemberOptions{}, []string{"PATIENT:Ann Moss", "DOCTOR:WIBBERLEY", "HOSPITAL:Mercy clinic", "CITY:Quillburg"}},
		"one type":    {MemberOptions{Types: []phi.Type{phi.Hospital}}, []string{"HOSPITAL:Mercy clinic"}},
		"other types": {MemberOptions{Types: []phi.Type{phi.City, phi.Doctor}}, []string{"DOCTOR:WIBBERLEY", "CITY:Quillburg"}},
	} {
		if got := found(t, newMember(t, m, c.opts), text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if s := m.Stats(); s.Windows != uint64(s.Cached) || s.Hits == 0 {
		t.Errorf("%+v: members do not share", s)
	}
}

func TestChainConforms(t *testing.T) {
	m := load(t, openForTest(t), chainFolder(t, testChain()))
	ensembletest.Conform(t, newMember(t, m, MemberOptions{Normalize: true, Bias: 2}))
}

// A sentence of several windows is decoded window by window: at every place, so in and
// around every border, both words of the hospital are found, and nothing else.
func TestChainAtEveryPlace(t *testing.T) {
	d := newMember(t, load(t, openForTest(t), chainFolder(t, testChain())), MemberOptions{})
	for at := range 600 {
		text := strings.Repeat("the ", at) + "Mercy clinic" + strings.Repeat(" the", 600-at)
		if got := found(t, d, text); !slices.Equal(got, []string{"HOSPITAL:Mercy clinic"}) {
			t.Fatalf("at %d: %q", at, got)
		}
	}
}

// With and without a cache, spans are the same; models that differ in nothing but the
// chain share nothing.
func TestChainAndCache(t *testing.T) {
	r, rng := openForTest(t), rand.New(rand.NewPCG(8, 8))
	folder := chainFolder(t, testChain())
	var notes []string
	for range 30 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(randomSentence(rng, 1+rng.IntN(7)) + "\n\n")
		}
		notes = append(notes, b.String())
	}
	var want []string
	for _, size := range []int{-1, 0, 16} {
		m, err := r.Load("m", folder, ModelOptions{Sums: sums(folder), Cache: size})
		if err != nil {
			t.Fatal(err)
		}
		d := newMember(t, m, MemberOptions{Threshold: 0.3})
		for round := range 2 {
			var got []string
			for _, text := range notes {
				got = append(got, fmt.Sprint(found(t, d, text)))
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("cache %d, round %d: other spans", size, round)
			}
		}
	}
	plain := newMember(t, load(t, r, wordFolder(t)), MemberOptions{})
	if got := found(t, plain, "the Mercy clinic"); !slices.Equal(got, []string{"HOSPITAL:Mercy"}) {
		t.Errorf("without a chain: %q", got)
	}
}

// A chain of the wrong size is refused, and one that is not the trainer's fails the
// comparison with its labels.
func TestChainOfAnotherModel(t *testing.T) {
	r, short := openForTest(t), testChain()
	short.Start = short.Start[1:]
	folder := chainFolder(t, short)
	if _, err := r.Load("m", folder, ModelOptions{Sums: sums(folder)}); err == nil || !strings.Contains(err.Error(), "crf.start") {
		t.Errorf("short start: %v", err)
	}
	sentence := paritySentence{
		Words: []string{"the", "Mercy", "clinic"}, Gaps: []gap{2, 1, 1},
		Labels: []int{0, labelHospital, labelHospital + 1},
	}
	changed := testChain()
	changed.Transitions[labelHospital][labelO] = 0
	for name, c := range map[string]struct {
		chain chainConfig
		want  bool
	}{"its own": {testChain(), true}, "another": {changed, false}} {
		folder := chainFolder(t, c.chain)
		folder["parity.json"] = &fstest.MapFile{Data: toJSON(t, []paritySentence{sentence})}
		if err := load(t, r, folder).CheckParity(); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
