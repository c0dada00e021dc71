//go:build native

package onnx

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// What is known of a word counts, and is part of what the cache knows a sentence by.
func TestNetworkReadsPiecesAndFeatures(t *testing.T) {
	r := openForTest(t)
	const text = "Ann Mossby seen by Zzq, in the Mercy clinic.\nQuillburg"
	plain := []string{"PATIENT:Ann Mossby", "HOSPITAL:Mercy", "CITY:Quillburg"}
	hit := []string{"PATIENT:Ann Mossby", "PATIENT:Zzq", "HOSPITAL:Mercy", "CITY:Quillburg"}
	at := strings.Index(text, "Zzq")
	for name, window := range map[string]int{"sentences": 0, "windows": 96} {
		m := load(t, r, knownFolder(t, window))
		d := newMember(t, m, MemberOptions{})
		for round := range 2 {
			if got := foundIn(t, d, &ensemble.Note{Text: text}); !slices.Equal(got, plain) {
				t.Errorf("%s, round %d: %q, want %q", name, round, got, plain)
			}
			if got := foundIn(t, d, &ensemble.Note{Text: text, Known: recordOf(at, at+3)}); !slices.Equal(got, hit) {
				t.Errorf("%s, round %d, with the record: %q, want %q", name, round, got, hit)
			}
		}
		if s := m.Stats(); s.Hits != s.Sentences-s.Windows || s.Hits < s.Windows {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// In and around every border of windows.
func TestPHIAtEveryPlaceOfWindows(t *testing.T) {
	r := openForTest(t)
	for name, folder := range map[string]fstest.MapFS{
		"least": knownFolder(t, leastWindow), "usual": knownFolder(t, 96), "words alone": windowFolder(t, 40),
	} {
		d := newMember(t, load(t, r, folder), MemberOptions{})
		for at := range 250 {
			text := strings.Repeat("clinic ", at) + "Ann Moss" + strings.Repeat(" the.\n", 250-at)
			if got := found(t, d, text); !slices.Equal(got, []string{"PATIENT:Ann Moss"}) {
				t.Fatalf("%s: at %d: %q", name, at, got)
			}
		}
	}
}

// A window of words with many pieces each has more than the network may be given: what is
// left over is cut off, and every word is still read.
func TestWindowsOfManyPieces(t *testing.T) {
	folder := knownFolder(t, 128)
	folder = changed(folder, "config.json", `"max_position_embeddings":512`, "")
	folder = changed(folder, "config.json", `{"id2label"`, `{"max_position_embeddings":140,"id2label"`)
	d := newMember(t, load(t, openForTest(t), folder), MemberOptions{})
	text := strings.Repeat("Mossbybybyby ", 300)
	if got, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil); err != nil || len(got) != 1 ||
		got[0].End-got[0].Start != len(text)-1 {
		t.Errorf("%d spans, %v", len(got), err)
	}
}

func TestKnownConforms(t *testing.T) {
	r := openForTest(t)
	for name, window := range map[string]int{"sentences": 0, "windows": 96} {
		t.Run(name, func(t *testing.T) {
			ensembletest.Conform(t, newMember(t, load(t, r, knownFolder(t, window)), MemberOptions{Normalize: true}))
		})
	}
	t.Run("words alone", func(t *testing.T) {
		ensembletest.Conform(t, newMember(t, load(t, r, windowFolder(t, 96)), MemberOptions{}))
	})
}

func TestKnownLoadRefuses(t *testing.T) {
	r := openForTest(t)
	folder, words := knownFolder(t, 96), wordFolder(t)
	swapped := func(file string, from fstest.MapFS) fstest.MapFS {
		out := changed(folder, file, "", "")
		out[file] = from[file]
		return out
	}
	for name, c := range map[string]struct {
		folder fstest.MapFS
		want   string
	}{
		"no tokenizer":        {changed(folder, "tokenizer.json", "", ""), "tokenizer.json"},
		"broken tokenizer":    {changed(folder, "tokenizer.json", "WordPiece", "Unheard"), "tokenizer.json"},
		"another tokenizer":   {changed(folder, "config.json", `"cls":2`, `"cls":101`), "cls"},
		"graph without":       {swapped("model.onnx", words), `no input "pieces"`},
		"block without":       {swapped("config.json", words), "unknown input"},
		"features missing":    {changed(folder, "config.json", `"features":10,`, ""), `unknown input "features"`},
		"too few positions":   {changed(folder, "config.json", `{"id2label"`, `{"max_position_embeddings":97,"id2label"`), "97 wordpieces"},
		"a number of columns": {changed(folder, "config.json", `"features":10`, `"features":11`), "features is 11"},
	} {
		want := c.want
		if name == "too few positions" {
			want = "too many for 95 wordpieces"
		}
		if _, err := r.Load("m", c.folder, ModelOptions{Unverified: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
}

func TestKnownParity(t *testing.T) {
	r, folder := openForTest(t), knownFolder(t, 96)
	sentence := map[string]any{
		"words": []string{"Mossby", "seen", "by", "Zzq"}, "gaps": []int{2, 1, 1, 1}, "labels": []int{1, 0, 0, 1},
		"features": [][]int{
			{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			{0, 0, 0, 0, 0, 9, 0, 0, 0, 0},
			{0, 0, 0, 0, 0, 9, 0, 0, 0, 0},
			{1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		},
	}
	check := func() error {
		data, err := json.Marshal([]any{sentence})
		if err != nil {
			t.Fatal(err)
		}
		folder["parity.json"] = &fstest.MapFile{Data: data}
		return load(t, r, folder).CheckParity()
	}
	if err := check(); err != nil {
		t.Error(err)
	}
	delete(sentence, "features")
	if err := check(); err == nil {
		t.Error("passed without the features that a label comes from")
	}
	sentence["labels"] = []int{1, 0, 0, 0}
	if err := check(); err != nil {
		t.Errorf("blank features: %v", err)
	}
	sentence["features"] = [][]int{{1}}
	if err := check(); err == nil || errors.Is(err, ErrNoParity) {
		t.Errorf("a row of features for four words: %v", err)
	}
}
