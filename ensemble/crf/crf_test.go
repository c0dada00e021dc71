package crf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// folderOf makes a folder of files, and their sums.
func folderOf(files map[string][]byte) (fstest.MapFS, map[string]string) {
	folder, sums := fstest.MapFS{}, map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		folder[name], sums[name] = &fstest.MapFile{Data: data}, hex.EncodeToString(sum[:])
	}
	return folder, sums
}

// hospital yields the notes of a small made-up hospital.
func hospital(t testing.TB, seed uint64, notes int) iter.Seq2[corpus.Labelled, error] {
	t.Helper()
	h, err := synth.NewHospital(seed, synth.Options{Notes: notes, Patients: max(10, notes/5)})
	if err != nil {
		t.Fatal(err)
	}
	return h.Labelled(false)
}

// smallModel is a model of a few notes, made once for all tests and read back from its file.
var smallModel = sync.OnceValues(func() (*Model, error) {
	h, err := synth.NewHospital(1, synth.Options{Notes: 40, Patients: 10})
	if err != nil {
		return nil, err
	}
	m, _, err := Train(context.Background(), h.Labelled(false), TrainOptions{Epochs: 3, Seed: 1})
	if err != nil {
		return nil, err
	}
	return parse(m.name, m.config, m.Encode())
})

func smallMember(t testing.TB, opts MemberOptions) ensemble.Detector {
	t.Helper()
	m, err := smallModel()
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Member(opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestConform(t *testing.T) {
	ensembletest.Conform(t, smallMember(t, MemberOptions{}))
}

func TestConformByMarginals(t *testing.T) {
	ensembletest.Conform(t, smallMember(t, MemberOptions{Name: "crf-wide", Threshold: 0.2, Bias: 1}))
}

func TestAlone(t *testing.T) {
	d, sure, tentative := smallMember(t, MemberOptions{Alone: 0.95}), 0, 0
	for l := range hospital(t, 2, 15) {
		spans, err := d.Detect(t.Context(), l.Note, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spans {
			if s.Tentative {
				tentative++
			} else {
				sure++
			}
		}
	}
	if tentative == 0 || sure <= tentative {
		t.Errorf("%d spans count alone, %d do not", sure, tentative)
	}
}

// recall is the share of the marked words of notes that a detector finds.
func recall(t *testing.T, d ensemble.Detector, notes iter.Seq2[corpus.Labelled, error]) float64 {
	t.Helper()
	found, all := 0, 0
	for l, err := range notes {
		if err != nil {
			t.Fatal(err)
		}
		spans, err := d.Detect(t.Context(), l.Note, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tok := range l.Note.View().Tokens {
			if l.Tags[i] == corpus.Outside || strings.HasSuffix(l.Tags[i], "-TIME") {
				continue
			}
			all++
			if slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start < tok.End && tok.Start < s.End }) {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}

func TestLearnsFromNotes(t *testing.T) {
	plain := recall(t, smallMember(t, MemberOptions{}), hospital(t, 2, 15))
	if plain < 0.6 {
		t.Errorf("recall %.3f on notes of another hospital: want 0.6 or more", plain)
	}
	if wide := recall(t, smallMember(t, MemberOptions{Bias: 4}), hospital(t, 2, 15)); wide <= plain {
		t.Errorf("recall %.3f with a bias for recall, %.3f without", wide, plain)
	}
	names := smallMember(t, MemberOptions{Types: []phi.Type{phi.Patient}})
	for l := range hospital(t, 2, 5) {
		spans, err := names.Detect(t.Context(), l.Note, nil)
		if err != nil || slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Type != phi.Patient }) {
			t.Fatalf("other types than the member's, or error %v", err)
		}
	}
}

func TestLearnsFromPartialTags(t *testing.T) {
	lines := strings.Repeat(`{"words":["Seen","by","Dr","Moss","."],"gaps":[2,1,1,1,0],"tags":["O","O","O","B-NAME","O"],"covers":["NAME","DATE"]}
{"words":["Mr","Oak","is","well","."],"gaps":[2,1,1,1,0],"tags":["O","*","O","O","O"],"covers":["NAME"]}
{"words":["on","5","/","6","."],"gaps":[2,1,0,0,0],"tags":["O","B-DATE","I-DATE","I-DATE","O"],"covers":["DATE"]}
`, 20)
	m, report, err := Train(t.Context(), corpus.ReadLabelledLines(strings.NewReader(lines)), TrainOptions{
		Types:  []string{"NAME", "DATE"},
		Epochs: 4,
	})
	if err != nil {
		t.Fatal(err)
	}
	if first, best := report.Epochs[0], report.Epochs[report.Best-1]; best.Loss > first.Loss {
		t.Errorf("losses %v", report.Epochs)
	}
	d, err := m.Member(MemberOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const text = "Seen by Dr Moss."
	spans, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil)
	if err != nil || len(spans) != 1 || text[spans[0].Start:spans[0].End] != "Moss" || spans[0].Type != phi.Patient {
		t.Errorf("spans %v, error %v", spans, err)
	}
}

func TestTrainIsDeterministic(t *testing.T) {
	var files [2][]byte
	for i := range files {
		m, _, err := Train(t.Context(), hospital(t, 3, 8), TrainOptions{Epochs: 2, Seed: 5, HeldOut: 0.2})
		if err != nil {
			t.Fatal(err)
		}
		files[i] = m.Encode()
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("two models of the same data and seed differ")
	}
}

func TestTrainFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := func(func(corpus.Labelled, error) bool) {}
	for name, err := range map[string]error{
		"no data":         errOf(Train(t.Context(), none, TrainOptions{})),
		"unknown type":    errOf(Train(t.Context(), none, TrainOptions{Types: []string{"NOTHING"}})),
		"no template":     errOf(Train(t.Context(), none, TrainOptions{Templates: []string{"colour"}})),
		"context is done": errOf(Train(ctx, hospital(t, 1, 3), TrainOptions{})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if errors.Is(err, context.Canceled) != (name == "context is done") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func errOf(_ *Model, _ *Report, err error) error { return err }

func TestMemberRefuses(t *testing.T) {
	m := tinyModel(t)
	for _, opts := range []MemberOptions{
		{Types: []phi.Type{phi.Zip}},
		{Threshold: 1},
		{Alone: 1.5},
		{Threshold: -0.1},
		{Bias: 1000},
		{Thresholds: map[phi.Type]float64{phi.Zip: 0.5}},
		{Thresholds: map[phi.Type]float64{phi.Date: 1.5}},
		{Biases: map[phi.Type]float64{phi.Date: 1e9}},
		{Biases: map[phi.Type]float64{phi.Zip: 1}},
	} {
		if _, err := m.Member(opts); err == nil {
			t.Errorf("%+v: no error", opts)
		}
	}
}

func TestLongSentence(t *testing.T) {
	d := smallMember(t, MemberOptions{})
	text := strings.Repeat("pain and ", 4*core) + "seen by Dr. Moss on 5/6/2031"
	spans, err := d.Detect(t.Context(), &ensemble.Note{Text: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(spans) == 0 || spans[len(spans)-1].End != len(text) {
		t.Error("a date at the end of a long sentence is not found")
	}
}

func BenchmarkDetect(b *testing.B) {
	d := smallMember(b, MemberOptions{})
	var notes []*ensemble.Note
	sentences := 0
	for l := range hospital(b, 2, 20) {
		l.Note.View().Entries()
		sentences += len(l.Note.View().Sentences())
		notes = append(notes, l.Note)
	}
	done := 0
	for b.Loop() {
		for _, note := range notes {
			if _, err := d.Detect(b.Context(), note, nil); err != nil {
				b.Fatal(err)
			}
		}
		done += sentences
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "sentences/s")
}
