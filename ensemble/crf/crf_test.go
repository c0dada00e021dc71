package crf

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
)

// hospital yields the notes of a small made-up hospital.
func hospital(t testing.TB, seed uint64, notes int) iter.Seq2[corpus.Labelled, error] {
	t.Helper()
	h, err := corpus.NewHospital(seed, corpus.Options{Notes: notes, Patients: max(10, notes/5)})
	if err != nil {
		t.Fatal(err)
	}
	return h.Labelled(false)
}

func trained(t testing.TB, notes int, opts TrainOptions) (*Model, *Report) {
	t.Helper()
	m, report, err := Train(t.Context(), hospital(t, 1, notes), opts)
	if err != nil {
		t.Fatal(err)
	}
	return m, report
}

func TestTrain(t *testing.T) {
	m, report := trained(t, 20, TrainOptions{Epochs: 1, Seed: 1})
	t.Logf("%+v", report)
	t.Log(m.Size())
	files, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(files[WeightsFile]))
	folder, sums := fstest.MapFS{}, map[string]string{}
	for name, data := range files {
		sum := sha256.Sum256(data)
		folder[name], sums[name] = &fstest.MapFile{Data: data}, hex.EncodeToString(sum[:])
	}
	again, err := Load("again", folder, sums)
	if err != nil {
		t.Fatal(err)
	}
	d, err := again.Member(MemberOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ensembletest.Conform(t, d)
}
