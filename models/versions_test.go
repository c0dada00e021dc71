package models

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestReadCard(t *testing.T) {
	card := `{"name":"names","version":2,"kind":"lstm","created":"2026-03-01T12:00:00+00:00","base":"","quantised":true,
		"data":[{"source":"templates","licence":"Apache-2.0","sentences":100}],"seeds":{"torch":7},"config":{"layers":2,"lr":0.001},
		"figures":[{"set":"heldout-a","class":"NAME","type":"","group":"","precision":0.9,"recall":0.8,"f1":0.85,"gold":50,
		"recall_ci":[0.7,0.9],"quantised":true}],"sentences_per_second":{"1 core":4000.5},"sha256":{"model.onnx":"00"},"more":{"of":"it"}}`
	got, err := ReadCard(fstest.MapFS{CardFile: {Data: []byte(card)}})
	if err != nil || got.Name != "names" || got.Figures[0].RecallCI[1] != 0.9 || string(got.Config["lr"]) != "0.001" ||
		!got.Created.Equal(got.Created.UTC()) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := ReadCard(fstest.MapFS{}); !errors.Is(err, ErrNoCard) {
		t.Errorf("no card: %v", err)
	}
	for old, want := range map[string]string{
		`"version":2`: "version", `"name":"names"`: "name", `"sha256":{"model.onnx":"00"}`: "sha256", `"recall":0.8`: "figures[0]",
		`"set":"heldout-a"`: "figures[0]",
	} {
		key, _, _ := strings.Cut(old, ":")
		spoiled := strings.Replace(card, old, key+map[bool]string{true: ":1.5", false: ":null"}[strings.Contains(old, "0.8")], 1)
		if _, err := ReadCard(fstest.MapFS{CardFile: {Data: []byte(spoiled)}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", old, err)
		}
	}
}

func FuzzReadCard(f *testing.F) {
	f.Add([]byte(`{"name":"a","version":1,"sha256":{"a":"b"},"figures":[{"set":"s","class":"NAME","recall":1,"precision":1,"gold":3}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		card, err := ReadCard(fstest.MapFS{CardFile: {Data: data}})
		if err != nil {
			return
		}
		for _, c := range Compare(card, card) {
			if c.RecallVerdict != Same && c.A.Gold >= 0 && c.A.RecallCI == nil {
				t.Fatalf("a figure differs from itself: %+v", c)
			}
		}
	})
}

func figure(set, class string, recall, precision float64, gold int64) Figure {
	return Figure{Set: set, Class: class, Recall: recall, Precision: precision, Gold: gold}
}

func TestScan(t *testing.T) {
	dir := t.TempDir()
	for folder, card := range map[string]Card{
		"names/v10": {Name: "names", Version: 10}, "names/v9": {Name: "names", Version: 9}, "towns/v1": {Name: "towns", Version: 1},
	} {
		makeModel(t, filepath.Join(dir, folder), map[string]string{"moss": "PATIENT"})
		writeCard(t, filepath.Join(dir, folder), card)
	}
	makeModel(t, filepath.Join(dir, "towns/v2"), map[string]string{"moss": "CITY"})
	makeModel(t, filepath.Join(dir, ".cache/v1"), map[string]string{"moss": "CITY"})
	write(t, filepath.Join(dir, "names/v9/words.txt"), []byte("changed\n"))
	if err := os.Remove(filepath.Join(dir, "towns/v1/words.txt")); err != nil {
		t.Fatal(err)
	}
	versions, err := Scan(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range versions {
		got = append(got, v.ID()+" "+v.Problem)
		if v.Bytes == 0 {
			t.Errorf("%s: no size", v.Folder)
		}
	}
	want := []string{
		"names v9 words.txt is not the file listed in the card: train or measure it again", "names v10 ", "towns v1 words.txt is missing",
		filepath.Join("towns", "v2") + " " + ErrNoCard.Error(),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Scan(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there was scanned")
	}
	if v, err := ReadVersion(filepath.Join(dir, "names/v10")); err != nil || v.Card.Version != 10 {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := ReadVersion(dir); err == nil {
		t.Error("a folder without a card was read")
	}
}

func TestCompare(t *testing.T) {
	a := &Card{Figures: []Figure{
		figure("s", "NAME", 0.90, 0.90, 2000), figure("s", "AGE", 0.90, 0.90, 20), figure("s", "ORG", 0.9, 0.9, 2000),
		figure("old", "NAME", 0.9, 0.9, 10),
	}}
	b := &Card{Quantised: true, Figures: []Figure{
		{Set: "s", Class: "NAME", Recall: 0.95, Precision: 0.80, Gold: 2000, Quantised: true},
		figure("s", "NAME", 0.1, 0.1, 2000),
		{Set: "s", Class: "AGE", Recall: 0.95, Precision: 0.9, Gold: 20, Quantised: true},
		{Set: "s", Class: "ORG", Recall: 0.95, Precision: 0.9, Gold: 2000, Quantised: true, RecallCI: &[2]float64{0.89, 0.99}},
		{Set: "s", Class: "NAME", Normalised: true, Recall: 0.9, Precision: 0.9, Gold: 5, Quantised: true},
	}}
	var got []string
	for _, c := range Compare(a, b) {
		got = append(got, c.Set+" "+c.Of()+": "+string(c.RecallVerdict)+", "+string(c.PrecisionVerdict))
	}
	want := []string{
		"old NAME: only in the first, only in the first", "s AGE: same, same", "s NAME: better, worse",
		"s NAME (normalised): only in the second, only in the second", "s ORG: same, same",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWilson(t *testing.T) {
	for _, tt := range []struct {
		right, n, low, high float64
	}{{0, 0, 0, 1}, {10, 10, 0.7225, 1}, {0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {950, 1000, 0.9347, 0.9619}} {
		got := wilson(tt.right, tt.n)
		if d := max(got[0]-tt.low, tt.low-got[0], got[1]-tt.high, tt.high-got[1]); d > 0.0002 {
			t.Errorf("%v of %v: got %v", tt.right, tt.n, got)
		}
	}
}
