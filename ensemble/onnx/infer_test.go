//go:build native

package onnx

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// randomSentence makes a sentence of test words and others.
func randomSentence(rng *rand.Rand, words int) string {
	pool := []string{
		"Ann", "Moss", "Wibberley", "Quillburg", "Mercy", "seen", "by", "Dr", "in", "the", "clinic", ",", "and", "Zoe", "aspirin",
		"81", "é",
	}
	var b strings.Builder
	for range words {
		b.WriteString(pool[rng.IntN(len(pool))] + " ")
	}
	return b.String()
}

// A sentence's probabilities are the same, to the last bit, whatever is in its batch
// and however far it is padded: else a cache would change results.
func TestResultsDoNotDependOnTheBatch(t *testing.T) {
	r := openForTest(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var sentences [][]unit
	for range 200 {
		note := &ensemble.Note{Text: randomSentence(rng, 1+rng.IntN(60))}
		sentences = append(sentences, unitsOf(note, 0, len(note.View().Tokens), 0, false, nil))
	}
	for kind, folder := range map[string]fstest.MapFS{
		"words": wordFolder(t), "pieces": pieceFolder(t, schemes[0], pieceOptions{typeIDs: true}),
		"int8":  pieceFolder(t, schemes[0], pieceOptions{quantized: true}),
		"chain": chainFolder(t, testChain()), "words and pieces": knownFolder(t, 96),
	} {
		t.Run(kind, func(t *testing.T) {
			m, err := r.Load("m", folder, ModelOptions{Sums: sums(folder), Cache: -1})
			if err != nil {
				t.Fatal(err)
			}
			all := &chunk{}
			for _, units := range sentences {
				start := len(all.units)
				all.units = append(all.units, units...)
				end := len(all.units)
				all.segments = append(all.segments, segment{window{start, end, start, end}, true})
			}
			together := m.newWorkspace()
			if err := m.infer(t.Context(), all, together); err != nil {
				t.Fatal(err)
			}
			if s := m.Stats(); s.Batches == s.Windows && kind != "int8" || s.Batches != s.Windows && kind == "int8" {
				t.Errorf("%d batches of %d windows", s.Batches, s.Windows)
			}
			for i, units := range sentences {
				alone := m.newWorkspace()
				one := &chunk{units: units, segments: []segment{{window{0, len(units), 0, len(units)}, true}}}
				if err := m.infer(t.Context(), one, alone); err != nil {
					t.Fatal(err)
				}
				a, b := alone.results[0], together.results[i]
				if !slices.Equal(a.units, b.units) || !slices.Equal(a.probs, b.probs) || !slices.Equal(a.first, b.first) ||
					!slices.Equal(a.path, b.path) {
					t.Fatalf("sentence %d is another one alone than with others", i)
				}
			}
		})
	}
}

// With a cache, without one, with one that is too small, alone and among others: a
// note's spans are the same.
func TestSpansDoNotDependOnTheCache(t *testing.T) {
	r := openForTest(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var notes []string
	for range 40 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString(randomSentence(rng, 1+rng.IntN(8)) + "\n\n")
		}
		notes = append(notes, b.String())
	}
	folder := pieceFolder(t, schemes[3], pieceOptions{})
	want := map[string][]phi.Span{}
	for _, size := range []int{-1, 0, 16, 500} {
		m, err := r.Load("m", folder, ModelOptions{Sums: sums(folder), Cache: size})
		if err != nil {
			t.Fatal(err)
		}
		d := newMember(t, m, MemberOptions{Threshold: 0.3})
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range notes {
					i = (i*7 + g) % len(notes)
					got, err := d.Detect(t.Context(), &ensemble.Note{Text: notes[i]}, nil)
					if err != nil {
						t.Errorf("cache %d: %v", size, err)
						return
					}
					if size != -1 && !slices.Equal(got, want[notes[i]]) {
						t.Errorf("cache %d: note %d has other spans", size, i)
					}
				}
			})
		}
		wg.Wait()
		if size != -1 {
			continue
		}
		for _, text := range notes {
			if want[text], err = d.Detect(t.Context(), &ensemble.Note{Text: text}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A tokenizer that drops letters hides them from the network: the note must not pass.
func TestWhatATokenizerDropsIsAnError(t *testing.T) {
	folder := pieceFolder(t, schemes[0], pieceOptions{})
	folder = changed(folder, "tokenizer.json", `{"clean_text":true,"handle_chinese_chars":true,"lowercase":false,"strip_accents":true,"type":"BertNormalizer"}`,
		`{"type":"Replace","pattern":{"String":"x"},"content":""}`)
	d := newMember(t, load(t, openForTest(t), folder), MemberOptions{})
	if got := found(t, d, "Ann seen"); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	_, err := d.Detect(t.Context(), &ensemble.Note{Text: "Ann seen by Max in the clinic"}, nil)
	if err == nil || strings.Contains(err.Error(), "Max") {
		t.Errorf("error %v", err)
	}
}

// Texts that BERT's normaliser changes still lead back to the note.
func TestNormalisedTextsLeadBack(t *testing.T) {
	d := newMember(t, load(t, openForTest(t), pieceFolder(t, schemes[0], pieceOptions{})), MemberOptions{})
	for text, want := range map[string]string{
		"seen by Ánn Moss":        "PATIENT:Ánn Moss",
		"seen by A\u0301nn Moss":  "PATIENT:A\u0301nn Moss",
		"李 Ann 李":                 "PATIENT:Ann",
		"A\u00adnn\u200b":         "PATIENT:A\u00adnn\u200b",
		"\ufeffAnn":               "PATIENT:Ann",
		"Mercy\u00a0clinic. Ann ": "HOSPITAL:Mercy PATIENT:Ann",
	} {
		if got := strings.Join(found(t, d, text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A note of 10 MB in one word, and one in one sentence, are searched to the end.
func TestHugeNotes(t *testing.T) {
	r := openForTest(t)
	for kind, m := range map[string]*Model{
		"words":  load(t, r, wordFolder(t)),
		"pieces": load(t, r, pieceFolder(t, schemes[0], pieceOptions{})),
	} {
		d := newMember(t, m, MemberOptions{})
		for name, text := range map[string]string{
			"one word":     strings.Repeat("lymph", 2<<20) + " Ann",
			"one sentence": strings.Repeat("seen by ", 300_000) + "Ann",
			"no blanks":    strings.Repeat("clinic,", 300_000) + "Ann",
		} {
			t.Run(fmt.Sprint(kind, " ", name), func(t *testing.T) {
				if got := found(t, d, text); len(got) != 1 || got[0] != "PATIENT:Ann" {
					t.Errorf("%d spans", len(got))
				}
			})
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range []string{"Ann Moss seen by Dr. Wibberley", "", "😀Ann e\u0301\x01", "[CLS]Ann", strings.Repeat("Ann.", 300)} {
		f.Add(text)
	}
	r, err := Open(libraryForTest())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := r.Close(); err != nil {
			f.Error(err)
		}
	})
	members := []ensemble.Detector{
		newMember(f, load(f, r, wordFolder(f)), MemberOptions{Normalize: true}),
		newMember(f, load(f, r, pieceFolder(f, schemes[0], pieceOptions{})), MemberOptions{Bias: 3}),
		newMember(f, load(f, r, chainFolder(f, testChain())), MemberOptions{Bias: -1}),
		newMember(f, load(f, r, knownFolder(f, leastWindow)), MemberOptions{}),
	}
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) != nil {
			return
		}
		for _, d := range members {
			if _, err := d.Detect(t.Context(), &ensemble.Note{Text: s}, nil); err != nil {
				t.Error(err)
			}
		}
	})
}
