package onnx

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

// Networks of every kind that windows are sent for.
var (
	wordsKind   = &kind{digest: digest{1}, types: 2, chained: true, featured: true}
	piecesKind  = &kind{digest: digest{2}, types: 3, pieces: true}
	spelledKind = &kind{digest: digest{3}, types: 1, spelled: true}
)

func knownKind(d digest) *kind {
	for _, k := range []*kind{wordsKind, piecesKind, spelledKind} {
		if k.digest == d {
			return k
		}
	}
	return nil
}

// sentWindows are a window for each kind of network, with scores.
func sentWindows() ([]*job, []*scores) {
	said := []*scores{
		{units: []uint16{0, 1}, first: []bool{true, false}, probs: []uint16{1, 2, 65535, 0}, path: []int16{outside, 1}},
		{units: []uint16{2}, first: []bool{false}, probs: []uint16{7, 8, 9}},
		{},
	}
	batch := []*job{
		{
			units:  []unit{{text: "Ann", gap: lineBreak, columns: columns{1, 2}}, {text: "Möss", gap: blank}},
			length: 2, rows: 2, errand: &errand{of: wordsKind, units: 2},
		},
		{
			ids: []uint32{1, 70000, 2}, length: 3, rows: 3,
			errand: &errand{of: piecesKind, units: 4, first: 1, places: [][2]int{{0, 2}, {2, 4}}},
		},
		{
			units: []unit{{text: ""}, {text: "x"}}, ids: []uint32{5, 6, 7, 8}, begins: []int32{1, 2}, length: 4, rows: 2,
			errand: &errand{of: spelledKind, units: 2},
		},
	}
	for i, j := range batch {
		j.errand.out = &said[i]
	}
	return batch, said
}

func TestWindowsArriveAsTheyWereSent(t *testing.T) {
	t.Parallel()
	sent, said := sentWindows()
	got, err := decodeWindows(encodeWindows(sent), knownKind)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range got {
		want := *sent[i]
		e := *want.errand
		e.out, want.errand = nil, nil
		there := *j.errand
		j.errand = nil
		if !reflect.DeepEqual(*j, want) || !reflect.DeepEqual(there, e) {
			t.Errorf("window %d: %+v %+v, want %+v %+v", i, *j, there, want, e)
		}
	}
	back, err := decodeScores(encodeScores(sent), sent)
	if err != nil || len(back) != len(said) {
		t.Fatal(len(back), err)
	}
	for i := range back {
		if !slices.Equal(back[i].units, said[i].units) || !slices.Equal(back[i].probs, said[i].probs) ||
			!slices.Equal(back[i].first, said[i].first) || !slices.Equal(back[i].path, said[i].path) {
			t.Errorf("scores %d: %+v, want %+v", i, back[i], said[i])
		}
	}
}

// What does not fit is refused as a whole: scores of another window would be names that are missed.
func TestDamagedBytesAreRefused(t *testing.T) {
	t.Parallel()
	sent, _ := sentWindows()
	windows, answers := encodeWindows(sent), encodeScores(sent)
	for n := range windows {
		if _, err := decodeWindows(windows[:n], knownKind); !errors.Is(err, ErrWindows) {
			t.Errorf("%d bytes of %d windows: %v", n, len(sent), err)
		}
	}
	for n := range answers {
		if _, err := decodeScores(answers[:n], sent); !errors.Is(err, ErrWindows) {
			t.Errorf("%d bytes of scores: %v", n, err)
		}
	}
	if _, err := decodeWindows(append(slices.Clone(windows), 0), knownKind); !errors.Is(err, ErrWindows) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := decodeScores(append(slices.Clone(answers), 0), sent); !errors.Is(err, ErrWindows) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := decodeWindows(windows, func(digest) *kind { return nil }); !errors.Is(err, ErrWindows) {
		t.Errorf("a network that is not there: %v", err)
	}
	if _, err := decodeScores(answers, sent[:2]); !errors.Is(err, ErrWindows) {
		t.Errorf("scores of more windows than were sent: %v", err)
	}
}

func TestNonsenseIsNoAnswer(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]*scores{
		"a unit behind the window": {units: []uint16{2}, first: []bool{true}, probs: []uint16{1, 1}, path: []int16{0}},
		"units out of order":       {units: []uint16{1, 0}, first: []bool{true, true}, probs: []uint16{1, 1, 1, 1}, path: []int16{0, 0}},
		"a unit twice":             {units: []uint16{1, 1}, first: []bool{true, true}, probs: []uint16{1, 1, 1, 1}, path: []int16{0, 0}},
		"a type that is not there": {units: []uint16{1}, first: []bool{true}, probs: []uint16{1, 1}, path: []int16{2}},
		"a type below outside":     {units: []uint16{1}, first: []bool{true}, probs: []uint16{1, 1}, path: []int16{-2}},
		"probabilities missing":    {units: []uint16{1}, first: []bool{true}, probs: []uint16{1}, path: []int16{0}},
	} {
		sent, _ := sentWindows()
		batch := sent[:1]
		batch[0].errand.out = &said
		if got, err := decodeScores(encodeScores(batch), batch); !errors.Is(err, ErrWindows) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func FuzzDecodeWindows(f *testing.F) {
	sent, _ := sentWindows()
	f.Add(encodeWindows(sent))
	f.Add(encodeWindows(sent[1:2]))
	f.Add([]byte{0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decodeWindows(data, knownKind)
		if err != nil {
			return
		}
		for _, j := range got {
			e := j.errand
			if !e.of.pieces && len(j.units) != e.units || e.of.spelled && len(j.begins) != len(j.units) || j.length == 0 ||
				e.first+len(e.places) > j.rows && e.of.pieces {
				t.Fatalf("%+v %+v", j, e)
			}
		}
		again, err := decodeWindows(encodeWindows(got), knownKind)
		if err != nil || len(again) != len(got) {
			t.Fatalf("%d windows, sent on %d: %v", len(got), len(again), err)
		}
	})
}

func FuzzDecodeScores(f *testing.F) {
	sent, _ := sentWindows()
	f.Add(encodeScores(sent))
	f.Fuzz(func(t *testing.T, data []byte) {
		batch, _ := sentWindows()
		got, err := decodeScores(data, batch)
		if err != nil {
			return
		}
		for i, s := range got {
			e := batch[i].errand
			if len(s.probs) != len(s.units)*e.of.types || len(s.first) != len(s.units) || e.of.chained && len(s.path) != len(s.units) {
				t.Fatalf("%+v", s)
			}
			batch[i].errand.out = &got[i]
		}
		if _, err := decodeScores(encodeScores(batch), batch); err != nil {
			t.Fatal(err)
		}
	})
}
