package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// openData makes the settings of tests that read the open data, and skips where
// those are not there.
func openData(t *testing.T) settings {
	t.Helper()
	set := defaults()
	set.Folder, set.Grammar, set.Notes = "../../../../shared/data", "../grammar", "../notes"
	if _, err := os.Stat(string(dataFolder(set.Folder))); err != nil {
		t.Skip("the open data are not there; PGDEID_DATA names their folder")
	}
	if testing.Short() {
		t.Skip("reads all data")
	}
	return set
}

// TestOpenData reads the open data once and checks the split and a small draw.
func TestOpenData(t *testing.T) {
	w, err := loadWorld(openData(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("sides", func(t *testing.T) { checkSides(t, w) })
	for _, texts := range []map[part][]string{w.notes, w.dialogues} {
		texts[training] = texts[training][:30]
	}
	w.narratives = w.narratives[:30]
	t.Run("draw", func(t *testing.T) { checkDraw(t, w) })
}

// checkDraw draws a small file twice: the same lines come, every tag is one that the
// trainer knows, and the sources are in it.
func checkDraw(t *testing.T, w *world) {
	t.Helper()
	draw := func() [][]byte {
		sources, err := w.sources(7)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := w.mixed(rand.New(rand.NewPCG(1, 3)), sources, 3000, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	first, second := draw(), draw()
	if !bytes.Equal(bytes.Join(first, nil), bytes.Join(second, nil)) {
		t.Error("two draws with one seed differ")
	}
	from := map[string]bool{}
	for _, line := range first {
		var s sentence
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		from[s.Source] = true
		checkSentence(t, s)
	}
	if len(from) < 7 {
		t.Errorf("sentences come from %d sources only", len(from))
	}
}

var knownTags = []string{
	"PATIENT", "DOCTOR", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER", "AGE", "DATE", "ID",
	"CONTACT",
	"PROFESSION", "NAME", "LOCATION", "ORG",
}

func checkSentence(t *testing.T, s sentence) {
	t.Helper()
	if len(s.Words) == 0 || len(s.Words) != len(s.Tags) || len(s.Words) != len(s.Gaps) || len(s.Covers) == 0 {
		t.Fatalf("%s: %d words, %d tags, %d gaps, %d classes covered", s.Source, len(s.Words), len(s.Tags), len(s.Gaps), len(s.Covers))
	}
	for i, tag := range s.Tags {
		if tag == "O" || tag == unknown {
			continue
		}
		if !slices.Contains(knownTags, tag[2:]) {
			t.Errorf("%s: tag %q", s.Source, tag)
		}
		if tag[:2] == "I-" && (i == 0 || s.Tags[i-1][min(2, len(s.Tags[i-1])):] != tag[2:]) {
			t.Errorf("%s: %s follows no %s", s.Source, tag, tag[2:])
		}
	}
}

// checkSides checks that no text and no alternative is on both sides of the split.
func checkSides(t *testing.T, w *world) {
	t.Helper()
	aside := map[string]bool{}
	for _, text := range w.notes[heldOut] {
		aside[letters(text, 1<<20)] = true
	}
	if len(aside) < 100 {
		t.Errorf("%d notes are held out", len(aside))
	}
	for _, text := range w.notes[training] {
		if aside[letters(text, 1<<20)] {
			t.Error("a note is on both sides")
		}
	}
	if w.templates == nil {
		return
	}
	train, held := alternatives(w.templates, "train.", training), alternatives(w.templates, "train.", heldOut)
	for _, a := range held {
		if slices.Contains(train, a) {
			t.Errorf("alternative %d of %s is on both sides", a.at, a.root)
		}
	}
	if n := len(train) + len(held); len(held) < n/40 || len(held) > n/10 {
		t.Errorf("%d of %d alternatives are held out", len(held), n)
	}
}

func TestSettings(t *testing.T) {
	write := func(text string) string {
		path := t.TempDir() + "/train.yaml"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	set, err := loadSettings(write("data:\n  files: 2\n  weights: {templates: 50}\nother: 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if set.Files != 2 || set.Sentences != defaults().Sentences || set.Weights["templates"] != 50 {
		t.Errorf("settings %+v", set)
	}
	for _, bad := range []string{"data: {files: 0}", "data: {weights: {gold: 1}}", "data: [1]"} {
		if _, err := loadSettings(write(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	if set, err = loadSettings("none.yaml"); err != nil || set.Files != defaults().Files {
		t.Errorf("without a file: %+v, %v", set, err)
	}
}

func TestLists(t *testing.T) {
	for in, want := range map[string]string{
		"ST MARY'S HOSPITAL AND CLINIC": "St Mary's Hospital and Clinic", "MERRY WOOD LODGE, LLC": "Merry Wood Lodge",
		"THE OAKS OF VA": "The Oaks of VA",
	} {
		if got := facilityCase(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		`"Accountant, bank",Chartered accountants`: "bank accountant", `Welder,Metal workers`: "welder", `"Hand, deck, ship's",x`: "",
		`"Clerk (legal)",x`: "",
	} {
		if got := occupation(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"MCDONALD": "McDonald", "smith-jones": "Smith-Jones", "o'neil": "O'Neil", "garcía": "García"} {
		if got := nameCase(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := latin("Գրիգորյան", "Grigoryan"); got != "Grigoryan" {
		t.Errorf("latin form %q", got)
	}
}

func TestLabelledString(t *testing.T) {
	l := labelledString{
		words: []string{"Mr", "Ann", "Moss,", "12", "Oak", "St,", "Lynn,", "MA", "01901", "attn", ","},
		labels: []string{
			"PrefixMarital", "GivenName", "Surname", "AddressNumber", "StreetName", "StreetNamePostType", "PlaceName", "StateName",
			"ZipCode", "Recipient", "Recipient",
		},
	}
	text, marks := l.text("To: ", ".")
	var got []string
	for _, m := range marks {
		got = append(got, m.tag+" "+text[m.start:m.end])
	}
	want := []string{"NAME Ann Moss", "STREET 12 Oak St", "CITY Lynn", "STATE MA", "ZIP 01901", "* attn"}
	if !slices.Equal(got, want) {
		t.Errorf("marks %q, want %q", got, want)
	}
	if want := "To: Mr Ann Moss, 12 Oak St, Lynn, MA 01901 attn ,."; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
}

func TestVocabularyHasNoPHI(t *testing.T) {
	v := vocabulary{drugs: []string{"WARFARIN SODIUM"}, diseases: []string{"gout"}, eponyms: []string{"Parkinson"}, short: []string{"CBC"}}
	next := v.sentences(rand.New(rand.NewPCG(1, 1)))
	for range 500 {
		all, err := next()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for i, w := range s.Words {
				if s.Tags[i] != "O" || w == "@" || w == "%" || w == "[" {
					t.Fatalf("words %q, tags %q", s.Words, s.Tags)
				}
			}
		}
	}
}
