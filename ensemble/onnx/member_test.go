//go:build native

package onnx

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestLabelSchemes(t *testing.T) {
	r := openForTest(t)
	for _, s := range schemes {
		for name, opts := range map[string]pieceOptions{"": {}, " with types": {typeIDs: true}, " int8": {quantized: true}} {
			t.Run(s.name+name, func(t *testing.T) {
				d := newMember(t, load(t, r, pieceFolder(t, s, opts)), MemberOptions{})
				got := found(t, d, "Ann Mossby seen by Dr. Wibberley in the Mercy clinic, Quillburg.")
				want := []string{"PATIENT:Ann Mossby", "DOCTOR:Wibberley", "HOSPITAL:Mercy", "CITY:Quillburg"}
				if !slices.Equal(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

func TestWordModel(t *testing.T) {
	d := newMember(t, load(t, openForTest(t), wordFolder(t)), MemberOptions{})
	got := found(t, d, "Ann Moss seen by\nDr. WIBBERLEY in the Mercy clinic, Quillburg.")
	want := []string{"PATIENT:Ann Moss", "DOCTOR:WIBBERLEY", "HOSPITAL:Mercy", "CITY:Quillburg"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConform(t *testing.T) {
	r := openForTest(t)
	t.Run("words", func(t *testing.T) {
		ensembletest.Conform(t, newMember(t, load(t, r, wordFolder(t)), MemberOptions{Normalize: true}))
	})
	t.Run("pieces", func(t *testing.T) {
		ensembletest.Conform(t, newMember(t, load(t, r, pieceFolder(t, schemes[0], pieceOptions{})), MemberOptions{Bias: 2}))
	})
}

// A name is found wherever it is and whatever is before it.
func TestPHIAnywhere(t *testing.T) {
	r := openForTest(t)
	members := map[string]ensemble.Detector{
		"words":  newMember(t, load(t, r, wordFolder(t)), MemberOptions{}),
		"pieces": newMember(t, load(t, r, pieceFolder(t, schemes[0], pieceOptions{})), MemberOptions{}),
	}
	texts := map[string]string{
		"token 10,000":       strings.Repeat("seen by the ", 3333) + "Ann",
		"lines":              strings.Repeat("Seen in the clinic.\n", 2500) + "Ann",
		"after an emoji":     "👩‍⚕️😀 🏥 Ann",
		"emoji without gap":  "😀Ann😀",
		"right to left":      "المريض \u202bשלום\u202c Ann",
		"combining":          "Zoe\u0308 O\u0301 Ann",
		"control characters": "Dr\x01 \x02\x7f\u200b Ann",
		"a lost character":   "M\ufffdller Ann",
		"a long word":        strings.Repeat("Long", 30_000) + " Ann",
		"long words":         strings.Repeat(strings.Repeat("x", 700)+" ", 600) + "Ann",
		"special tokens":     "[CLS] [SEP] [PAD] [UNK] Ann",
		"windows of marks":   strings.Repeat(".", 5000) + " Ann",
	}
	for kind, d := range members {
		for name, text := range texts {
			t.Run(kind+" "+name, func(t *testing.T) {
				if got := found(t, d, text); !slices.Equal(got, []string{"PATIENT:Ann"}) {
					t.Errorf("found %d spans", len(got))
				}
			})
		}
	}
}

// At every place of a long sentence, so in and around every border of windows.
func TestPHIAtEveryPlace(t *testing.T) {
	r := openForTest(t)
	for kind, m := range map[string]*Model{
		"words":  load(t, r, wordFolder(t)),
		"pieces": load(t, r, pieceFolder(t, schemes[0], pieceOptions{})),
	} {
		d := newMember(t, m, MemberOptions{})
		for at := range 600 {
			text := strings.Repeat("clinic ", at) + "Ann Moss" + strings.Repeat(" clinic", 600-at)
			if got := found(t, d, text); !slices.Equal(got, []string{"PATIENT:Ann Moss"}) {
				t.Fatalf("%s: at %d: %d spans", kind, at, len(got))
			}
		}
	}
}

func TestNormalize(t *testing.T) {
	m := load(t, openForTest(t), pieceFolder(t, schemes[0], pieceOptions{}))
	plain, normal := newMember(t, m, MemberOptions{Name: "plain"}), newMember(t, m, MemberOptions{Name: "normal", Normalize: true})
	const text = "seen by DR. WIBBERLEY, ANN\nand ANN MOSS"
	if got := found(t, plain, text); len(got) != 0 {
		t.Errorf("plain: %q", got)
	}
	if got, want := found(t, normal, text), []string{"DOCTOR:WIBBERLEY", "PATIENT:ANN", "PATIENT:ANN MOSS"}; !slices.Equal(got, want) {
		t.Errorf("normalised: %q, want %q", got, want)
	}
	before := m.Stats()
	found(t, plain, "Seen in the Mercy clinic.")
	found(t, normal, "Seen in the Mercy clinic.")
	if after := m.Stats(); after.Windows != before.Windows+1 || after.Hits != before.Hits+1 {
		t.Errorf("%+v, then %+v: want one window and one hit", before, after)
	}
}

func TestMembersShare(t *testing.T) {
	m := load(t, openForTest(t), wordFolder(t))
	const text = "Ann seen by Wibberley in the Mercy clinic, Quillburg."
	for name, c := range map[string]struct {
		types []phi.Type
		want  []string
	}{
		"names":     {[]phi.Type{phi.Patient, phi.Doctor}, []string{"PATIENT:Ann", "DOCTOR:Wibberley"}},
		"places":    {[]phi.Type{phi.City}, []string{"CITY:Quillburg"}},
		"hospitals": {[]phi.Type{phi.Hospital}, []string{"HOSPITAL:Mercy"}},
	} {
		if got := found(t, newMember(t, m, MemberOptions{Name: name, Types: c.types}), text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if s := m.Stats(); s.Sentences != 3 || s.Hits != 2 || s.Windows != 1 || s.Cached != 1 {
		t.Errorf("%+v", s)
	}
	if _, err := m.Member(MemberOptions{Types: []phi.Type{phi.SSN}}); err == nil {
		t.Error("a type that the model does not know was accepted")
	}
}

func TestDetectRefuses(t *testing.T) {
	m := load(t, openForTest(t), wordFolder(t))
	d := newMember(t, m, MemberOptions{})
	for _, text := range []string{"Ann\x00", "Ann\xff"} {
		if _, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Detect(t.Context(), &ensemble.Note{Text: "Ann"}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestCancelDuringDetect(t *testing.T) {
	folder := wordFolder(t)
	m, err := openForTest(t).Load("m", folder, ModelOptions{Sums: sums(folder), Cache: -1})
	if err != nil {
		t.Fatal(err)
	}
	d := newMember(t, m, MemberOptions{})
	text := strings.Repeat("Ann seen by Wibberley. ", 100_000)
	ctx, cancel := context.WithCancel(t.Context())
	note := &ensemble.Note{Text: text}
	note.View().Sentences()
	var wg sync.WaitGroup
	wg.Go(func() {
		for m.Stats().Windows == 0 {
			runtime.Gosched()
		}
		cancel()
	})
	if _, err := d.Detect(ctx, note, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	wg.Wait()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// A model that is closed while others use it ends their work with an error, and not
// before its last call is over.
func TestCloseWhileInUse(t *testing.T) {
	r := openForTest(t)
	for range 5 {
		folder := pieceFolder(t, schemes[0], pieceOptions{})
		m, err := r.Load("m", folder, ModelOptions{Sums: sums(folder), Cache: -1})
		if err != nil {
			t.Fatal(err)
		}
		d := newMember(t, m, MemberOptions{})
		text := strings.Repeat("Ann seen by Wibberley. ", 200)
		var wg sync.WaitGroup
		started := make(chan struct{}, 4)
		for range 4 {
			wg.Go(func() {
				for i := 0; ; i++ {
					_, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil)
					if i == 0 {
						started <- struct{}{}
					}
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Errorf("error %v", err)
						}
						return
					}
				}
			})
		}
		<-started
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}
