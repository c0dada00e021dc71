package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

func TestRestoreLines(t *testing.T) {
	for in, want := range map[string]string{
		"SUBJECTIVE:,  This 23-year-old came.,MEDICATIONS: , Her only one.": "SUBJECTIVE:  This 23-year-old came.\nMEDICATIONS:  Her only one.",
		"GROSS:,1.  Torn meniscus.,2.  Patella.,":                           "GROSS:  1.  Torn meniscus.\n2.  Patella.,",
		"WBC 12,500 and platelets 250,000.,PLAN: , None":                    "WBC 12,500 and platelets 250,000.\nPLAN:  None",
		"Discs at L4,5 were, as seen, narrow.":                              "Discs at L4,5 were, as seen, narrow.",
		"Home.,,,,PLAN":                                                     "Home.\nPLAN",
		"fever 101,2.  Cough":                                               "fever 101\n2.  Cough",
	} {
		if got := restoreLines(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzRestoreLines(f *testing.F) {
	f.Add("A:, b.,C")
	f.Add("1,2,3,4.,")
	f.Fuzz(func(t *testing.T, text string) {
		if got := restoreLines(text); letters(got, 1<<20) != letters(text, 1<<20) {
			t.Errorf("letters are lost")
		}
	})
}

func TestPartOf(t *testing.T) {
	held := 0
	for i := range 4000 {
		text := strings.Repeat(string(rune('a'+i%26)), 3) + strings.Repeat("x", i%50) + string(rune('a'+i/160)) + " seen"
		if partOf(text) == heldOut {
			held++
		}
		if partOf(text) != partOf(strings.ToUpper(text)+"!") {
			t.Fatalf("%q: the side depends on case or punctuation", text)
		}
	}
	if held < 200 || held > 700 {
		t.Errorf("%d of 4000 texts are held out, want about a tenth", held)
	}
}

func scrubbed(t *testing.T, text string) carrier {
	t.Helper()
	s, err := newScrubber()
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.carrier(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range c.edits {
		if e.start > e.end || e.end > len(text) || i > 0 && c.edits[i-1].end > e.start {
			t.Fatalf("edits overlap or leave the text: %d-%d", e.start, e.end)
		}
	}
	return c
}

// TestScrubberFindsHoles checks what is always changed in a note: that no
// placeholder and no name stays in it as if it were no PHI.
func TestScrubberFindsHoles(t *testing.T) {
	for _, test := range []struct{ text, hole, slot string }{
		{"He was seen by Dr. X in clinic.", "X", "filled"},
		{"He was seen by Dr. XYZ. Plan is as above.", "XYZ", "filled"},
		{"Mr. ABC was well.", "ABC", "filled"},
		{"Seen at ABCD General Hospital today.", "ABCD General Hospital", "filled"},
		{"An XX-year-old man.", "XX", "filled"},
		{"Seen on MM/DD/YYYY for pain.", "MM/DD/YYYY", "filled"},
		{"The patient is a 45-year-old man.", "45", "filled"},
		{"This is a 16-month-old girl.", "16", "marked"},
		{"Biopsy on 03/04/2007 was benign.", "03/04/2007", "filled"},
		{"Seen by Dr. Hollister on rounds.", "Hollister", "filled"},
		{"Seen by Dr. A Hollister on rounds.", "A Hollister", "filled"},
		{"She drove back to Michigan alone.", "Michigan", "filled"},
		{"It began in early October and stayed.", "October", "filled"},
		{"The ____ was placed.", "____", "unknown"},
		{"Knee strength 4/5 and XXX eye.", "XXX", "unknown"},
	} {
		c := scrubbed(t, test.text)
		at := strings.Index(test.text, test.hole)
		i := slices.IndexFunc(c.edits, func(e edit) bool { return e.chance == 1 && e.start == at && e.end == at+len(test.hole) })
		if i < 0 {
			t.Errorf("%q: %q stays", test.text, test.hole)
			continue
		}
		got := "filled"
		if e := c.edits[i]; e.mark && e.typ == phi.None {
			got = "unknown"
		} else if e.mark {
			got = "marked"
		}
		if got != test.slot {
			t.Errorf("%q: %q is %s, want %s", test.text, test.hole, got, test.slot)
		}
	}
}

// TestScrubberLeavesWords checks that clinical text without PHI has no edit that is
// always made.
func TestScrubberLeavesWords(t *testing.T) {
	for _, text := range []string{
		"A Richardson retractor was placed and the Foley catheter removed.",
		"Cranial nerves II-XII are intact. Strength 5/5.",
		"Temp 37.1, pulse 158, 84% on room air.",
		"Xopenex and amoxicillin were given in the Emergency Department.",
	} {
		for _, e := range scrubbed(t, text).edits {
			if e.chance == 1 {
				t.Errorf("%q: %q is changed", text, text[e.start:e.end])
			}
		}
	}
}

// TestEveryInsertFits fills each place for PHI on sample sentences at a density that
// makes every edit, and checks that the texts parse and name known slots.
func TestEveryInsertFits(t *testing.T) {
	pieces, err := loadPieces()
	if err != nil {
		t.Fatal(err)
	}
	slots := synth.SlotNames()
	for _, table := range [][]string{flat(inserts), flat(forms), flat(refills)} {
		for _, text := range table {
			for rest := text; ; {
				_, after, ok := strings.Cut(rest, "{")
				if !ok {
					break
				}
				name, tail, closed := strings.Cut(after, "}")
				if !closed || !slices.Contains(slots, name) && len(pieces.Alternatives(name)) == 0 {
					t.Errorf("%q: {%s} is neither a slot nor a production", text, name)
				}
				rest = tail
			}
		}
	}
	c := scrubbed(t, "The patient was seen. She lives alone. Her mother was present.")
	h, err := synth.NewHospital(2, synth.Options{Patients: 20, Notes: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := h.Fill(rand.New(rand.NewPCG(1, 1)), pieces, synth.Setting{Plain: true}, c.template(rand.New(rand.NewPCG(1, 2)), 100))
	if len(s.Spans) < 3 || strings.Contains(s.Text, "{") {
		t.Errorf("%d spans were put in", len(s.Spans))
	}
}

// flat returns the texts of a table of templates.
func flat(table any) []string {
	var out []string
	switch table := table.(type) {
	case []insert:
		for _, i := range table {
			out = append(out, i.with...)
		}
	case map[string][]string:
		for _, with := range table {
			out = append(out, with...)
		}
	}
	return out
}

func TestSexOf(t *testing.T) {
	for text, want := range map[string]synth.Sex{
		"She is well, her leg too.": synth.Female, "This gentleman": synth.Male,
		"No pain.": synth.AnySex,
	} {
		if got := sexOf(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
