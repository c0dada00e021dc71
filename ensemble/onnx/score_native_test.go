//go:build native

package onnx

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// scored returns the words that a member takes for PHI with a probability of one half or
// more, as "TYPE:word", and checks the posterior.
func scored(t *testing.T, d ensemble.Detector, note *ensemble.Note, ask []phi.Range) []string {
	t.Helper()
	s := d.(ensemble.Scorer)
	dst := &merge.Posterior{Tokens: []int32{99}, First: []bool{true}, Probs: []float32{1}}
	if err := s.Score(t.Context(), note, ask, dst); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(dst.Types, s.Types()) || len(dst.Probs) != len(dst.Types)*dst.Len() || len(dst.First) != dst.Len() {
		t.Fatalf("%d tokens, %d first, %d probabilities of %v", dst.Len(), len(dst.First), len(dst.Probs), dst.Types)
	}
	var out []string
	for i, token := range dst.Tokens {
		if i > 0 && token <= dst.Tokens[i-1] {
			t.Fatalf("token %d after %d", token, dst.Tokens[i-1])
		}
		if ask != nil && !slices.ContainsFunc(ask, func(r phi.Range) bool { return int(token) >= r.Start && int(token) < r.End }) {
			t.Fatalf("token %d was not asked", token)
		}
		sum := float32(0)
		for k, p := range dst.Row(i) {
			sum += p
			if p >= 0.5 {
				out = append(out, dst.Types[k].String()+":"+note.View().Str(int(token)))
			}
		}
		if sum < merge.Least*0.99 || sum > 1.001 {
			t.Fatalf("token %d has a sum of %g", token, sum)
		}
	}
	return out
}

// scoreFolders are a folder of each kind of network.
func scoreFolders(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	return map[string]fstest.MapFS{
		"words": wordFolder(t), "pieces": pieceFolder(t, schemes[0], pieceOptions{}), "chain": chainFolder(t, chainConfig{
			Transitions: zeros(labelsOfWords), Start: make([]float64, labelsOfWords), End: make([]float64, labelsOfWords),
		}), "windows": windowFolder(t, 40), "both": knownFolder(t, 0), "both, windows": knownFolder(t, 96),
	}
}

func zeros(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}

func TestScore(t *testing.T) {
	r := openForTest(t)
	// Tokens: 0 Ann, 1 Moss, 2 seen, 3 by, 4 Dr, 5 ., 6 Wibberley, 7 in, 8 the, 9 Mercy, 10 clinic, 11 ,, 12 Quillburg, 13 .
	const text = "Ann Moss seen by\nDr. Wibberley in the Mercy clinic, Quillburg."
	for kind, folder := range scoreFolders(t) {
		m := load(t, r, folder)
		for name, c := range map[string]struct {
			types []phi.Type
			ask   []phi.Range
			want  string
		}{
			"all":            {nil, nil, "PATIENT:Ann PATIENT:Moss DOCTOR:Wibberley HOSPITAL:Mercy CITY:Quillburg"},
			"two types":      {[]phi.Type{phi.City, phi.Doctor}, nil, "DOCTOR:Wibberley CITY:Quillburg"},
			"one word":       {nil, ranges(6, 7), "DOCTOR:Wibberley"},
			"ranges":         {nil, ranges(1, 4, 8, 10), "PATIENT:Moss HOSPITAL:Mercy"},
			"a type, asked":  {[]phi.Type{phi.City}, ranges(0, 13), "CITY:Quillburg"},
			"nothing":        {nil, ranges(), ""},
			"no PHI":         {nil, ranges(2, 6), ""},
			"all by numbers": {nil, ranges(0, 14), "PATIENT:Ann PATIENT:Moss DOCTOR:Wibberley HOSPITAL:Mercy CITY:Quillburg"},
		} {
			d := newMember(t, m, MemberOptions{Types: c.types})
			if got := strings.Join(scored(t, d, &ensemble.Note{Text: text}, c.ask), " "); got != c.want {
				t.Errorf("%s, %s: %q, want %q", kind, name, got, c.want)
			}
		}
	}
}

// Wherever a name is, it is found by asking for it alone.
func TestScoreAtEveryPlace(t *testing.T) {
	r := openForTest(t)
	for kind, folder := range scoreFolders(t) {
		d := newMember(t, load(t, r, folder), MemberOptions{})
		for at := range 120 {
			note := &ensemble.Note{Text: strings.Repeat("clinic ", at) + "Ann" + strings.Repeat(" the.\n", 120-at)}
			if got := scored(t, d, note, ranges(at, at+1)); !slices.Equal(got, []string{"PATIENT:Ann"}) {
				t.Fatalf("%s: at %d: %q", kind, at, got)
			}
		}
	}
}

// Only windows with a word that is asked are read.
func TestScoreReadsWhatIsAsked(t *testing.T) {
	note := &ensemble.Note{Text: strings.Repeat("seen by the nurse in the clinic ", 200)}
	m := load(t, openForTest(t), knownFolder(t, 96))
	d := newMember(t, m, MemberOptions{})
	for _, c := range []struct {
		ask     []phi.Range
		windows uint64
	}{{ranges(), 0}, {ranges(500, 501), 1}, {ranges(100, 110, 600, 603), 2}, {ranges(700, 790), 2}} {
		before := m.Stats().Sentences
		scored(t, d, note, c.ask)
		if got := m.Stats().Sentences - before; got != c.windows {
			t.Errorf("%v: %d windows, want %d", c.ask, got, c.windows)
		}
	}
}

func TestScoreRefuses(t *testing.T) {
	d := newMember(t, load(t, openForTest(t), knownFolder(t, 96)), MemberOptions{}).(ensemble.Scorer)
	dst := &merge.Posterior{}
	if err := d.Score(t.Context(), &ensemble.Note{Text: "Ann\x00"}, nil, dst); err == nil {
		t.Error("a NUL byte passed")
	}
	if err := d.Score(t.Context(), &ensemble.Note{Text: "Ann"}, ranges(0, 2), dst); !errors.Is(err, errAsk) {
		t.Errorf("asked for more than there is: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Score(ctx, &ensemble.Note{Text: "Ann"}, nil, dst); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
