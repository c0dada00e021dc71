package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

func TestReadMarked(t *testing.T) {
	t.Parallel()
	note, err := readMarked("Pt ⟦PATIENT#p|Ann Lee⟧, seen ⟦TIME#p|0400⟧ by ⟦DOCTOR#d1|Zoë O’Hara⟧ rm ⟦LOCATION-OTHER#a1|4-12⟧\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Pt Ann Lee, seen 0400 by Zoë O’Hara rm 4-12\n"; note.text != want {
		t.Errorf("text %q, want %q", note.text, want)
	}
	var got []string
	for i, m := range note.marks {
		got = append(got, note.types[i].String()+" "+note.text[m.start:m.end]+" "+m.tag)
	}
	// Times are kept in notes, so that training does not ask for them.
	if want := []string{"PATIENT Ann Lee PATIENT", "DOCTOR Zoë O’Hara DOCTOR", "LOCATION-OTHER 4-12 LOCATION-OTHER"}; !slices.Equal(got,
		want) {
		t.Errorf("marks %q, want %q", got, want)
	}
}

func TestReadMarkedRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a ⟦PERSON#p|Ann⟧":          `unknown PHI type "PERSON"`,
		"one\ntwo ⟦PATIENT|Ann⟧":    "line 2",
		"⟦PATIENT#p|Ann":            "line 1",
		"Ann⟧":                      "line 1",
		"⟦PATIENT#p|A ⟦CITY#a1|B⟧⟧": "line 1",
		"⟦PATIENT#p|⟧":              "line 1",
	} {
		if _, err := readMarked(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func FuzzReadMarked(f *testing.F) {
	f.Add("⟦PATIENT#p|Ann⟧ and ⟦DATE#p|3/4⟧")
	f.Fuzz(func(t *testing.T, text string) {
		note, err := readMarked(text)
		if err != nil {
			return
		}
		at := 0
		for _, m := range note.marks {
			if m.start < at || m.end <= m.start || m.end > len(note.text) {
				t.Fatalf("marks %v in a text of %d bytes", note.marks, len(note.text))
			}
			at = m.end
		}
	})
}

// The notes that come with the project are well-formed, and enough of them are held out.
func TestShippedNotes(t *testing.T) {
	t.Parallel()
	all, err := readMarkedFolder("../notes")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(all[training]) + len(all[heldOut]); n < 100 || len(all[heldOut])*30 < n {
		t.Errorf("%d notes, %d of them held out", n, len(all[heldOut]))
	}
}

// What a filled note says of a patient is said of the new one: the old name is gone
// from the sentences that were filled.
func TestMarkedNotesAreFilled(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "01-a.txt"), []byte("Mrs ⟦PATIENT#p|Quillfeather⟧ was seen."), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := readMarkedFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	lists := synth.LexiconLists()
	h, err := synth.NewHospital(1, synth.Options{Patients: 20, Notes: 1, Lists: &lists})
	if err != nil {
		t.Fatal(err)
	}
	fills, err := newRefiller()
	if err != nil {
		t.Fatal(err)
	}
	next := filler{h: h}.marked(rand.New(rand.NewPCG(1, 2)), "notes", slices.Concat(all[training], all[heldOut]), fills)
	same, other := 0, 0
	for range 60 {
		sentences, err := next()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sentences {
			i := slices.Index(s.Tags, "B-"+phi.Patient.String())
			switch {
			case i < 0:
				t.Fatalf("no patient in %q", s.Words)
			case s.Words[i] == "Quillfeather":
				same++
			default:
				other++
			}
		}
	}
	if same == 0 || other == 0 {
		t.Errorf("%d times as it is, %d times filled", same, other)
	}
}
