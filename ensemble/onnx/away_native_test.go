//go:build native

package onnx

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
)

// askedOf returns the windows of a note's text for a network.
func askedOf(t *testing.T, m *Model, text string) (batch []*job, questions []question) {
	t.Helper()
	cut, w := newCutter(m.reader, &ensemble.Note{Text: text}, false, nil), m.newWorkspace()
	for cut.next() {
		for i, s := range cut.chunk.segments {
			questions = append(questions, question{segment: i})
			units := append([]unit(nil), cut.chunk.units[s.start:s.end]...)
			jobs, err := m.ask(&questions[len(questions)-1], units, w)
			if err != nil {
				t.Fatal(err)
			}
			batch = append(batch, jobs...)
		}
	}
	for _, j := range batch {
		if j.errand == nil {
			t.Fatal("a window that can't go away")
		}
	}
	return batch, questions
}

// itself is an exchange with the same runtime.
func itself(r *Runtime) Exchange {
	return func(ctx context.Context, _ int, windows []byte) ([]byte, error) { return r.Answer(ctx, windows) }
}

// What comes back from another machine is what a network says here, of every kind of network.
func TestAnswersAreThoseOfThisMachine(t *testing.T) {
	r := openForTest(t)
	text := strings.Repeat("Ann Moss seen by\nDr. Wibberley in the Mercy clinic, Quillburg.\n", 40)
	for kind, folder := range scoreFolders(t) {
		m := load(t, r, folder)
		batch, _ := askedOf(t, m, text)
		batch = batch[:min(len(batch), maxAway)]
		answer, err := r.Answer(t.Context(), encodeWindows(batch))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		away, err := decodeScores(answer, batch)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if err := m.wait(t.Context(), batch); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		found := 0
		for i, j := range batch {
			here := *j.errand.out
			found += len(here.units)
			if !reflect.DeepEqual(away[i], here) {
				t.Fatalf("%s: window %d: %+v, here %+v", kind, i, away[i], here)
			}
		}
		if found == 0 {
			t.Errorf("%s: nothing was found", kind)
		}
	}
}

// A model whose windows are all run elsewhere finds what it finds here.
func TestSendAway(t *testing.T) {
	r := openForTest(t)
	m := load(t, r, wordFolder(t))
	d, err := m.Member(MemberOptions{})
	if err != nil {
		t.Fatal(err)
	}
	note := &ensemble.Note{Text: strings.Repeat("Ann Moss seen by\nDr. Wibberley in the Mercy clinic, Quillburg.\n", 9)}
	want, err := d.Detect(t.Context(), note, nil)
	if err != nil || len(want) == 0 {
		t.Fatal(want, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error)
	go func() { sent <- r.SendAway(ctx, 3, itself(r)) }()
	got, err := d.Detect(t.Context(), &ensemble.Note{Text: note.Text}, nil)
	cancel()
	<-sent
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	if r.Waiting() != 0 {
		t.Errorf("%d windows wait", r.Waiting())
	}
}

func TestAnswerRefusesWhatItDoesNotKnow(t *testing.T) {
	r := openForTest(t)
	m := load(t, r, wordFolder(t))
	batch, _ := askedOf(t, m, "Ann Moss.")
	windows := encodeWindows(batch)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a network that is closed": windows, "nothing": nil, "rubbish": []byte("rubbish")} {
		if out, err := r.Answer(t.Context(), data); err == nil {
			t.Errorf("%s: %x", name, out)
		}
	}
}

// Networks differ where their files do, or what their labels mean.
func TestNetworksAreKnownByTheirFiles(t *testing.T) {
	r := openForTest(t)
	digests := map[string]string{}
	for kind, folder := range scoreFolders(t) {
		m := load(t, r, folder)
		list := r.Networks()
		if len(list) != 1 || digests[list[0].Digest] != "" {
			t.Errorf("%s is %+v, as %s", kind, list, digests[list[0].Digest])
		}
		digests[list[0].Digest] = kind
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	first, again := load(t, r, wordFolder(t)), load(t, r, wordFolder(t))
	if first.kind.digest != again.kind.digest {
		t.Error("the same files have two digests")
	}
}

// A machine whose networks say something else than these is found out before it gets anything.
func TestCompareAway(t *testing.T) {
	r := openForTest(t)
	for kind, folder := range scoreFolders(t) {
		m := load(t, r, folder)
		if err := r.CompareAway(t.Context(), itself(r)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if err := r.CompareAway(t.Context(), others(m)); !errors.Is(err, ErrDiffers) {
			t.Errorf("%s: networks that find something else: %v", kind, err)
		}
		if err := r.CompareAway(t.Context(), func(context.Context, int, []byte) ([]byte, error) { return nil, ErrUnfit }); !errors.Is(err, ErrUnfit) {
			t.Errorf("%s: %v", kind, err)
		}
		if err := r.CompareAway(t.Context(), func(context.Context, int, []byte) ([]byte, error) { return []byte("?"), nil }); !errors.Is(err, ErrWindows) {
			t.Errorf("%s: %v", kind, err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.CompareAway(t.Context(), nil); err != nil {
		t.Errorf("without models: %v", err)
	}
}

// others answers as a machine to which the first word of each window is PHI of the first type.
func others(m *Model) Exchange {
	return func(_ context.Context, _ int, windows []byte) ([]byte, error) {
		batch, err := decodeWindows(windows, func(digest) *kind { return m.kind })
		if err != nil {
			return nil, err
		}
		said := &scores{units: []uint16{0}, first: []bool{true}, probs: make([]uint16, m.kind.types), path: []int16{0}}
		said.probs[0] = 60000
		for _, j := range batch {
			j.errand.out = &said
		}
		return encodeScores(batch), nil
	}
}
