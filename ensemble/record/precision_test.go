package record_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// markedNote is a note of the open data, with its marks in code points.
type markedNote struct {
	Text  string
	Spans []struct{ Start, End int }
}

// TestOtherPatientsRecords searches notes that many hands wrote for the records of patients who are not in them:
// hardly a word that is no PHI may be taken.
func TestOtherPatientsRecords(t *testing.T) {
	t.Parallel()
	const notes, patients, perNote = 300, 40, 3
	const mostWrong = .05 // hits per thousand words
	h, err := synth.NewHospital(72, synth.Options{Patients: patients, Notes: 1})
	if err != nil {
		t.Fatal(err)
	}
	var records []*record.Gazetteer
	for i := range h.Patients {
		records = append(records, record.NewGazetteer(h.Patients[i].Record()))
	}
	directory := record.NewGazetteer(h.Directory())
	rng := rand.New(rand.NewPCG(72, 0))
	words, wrong, staff := 0, 0, 0
	for _, note := range messyNotes(t, notes) {
		gold := note.ranges()
		words += perNote * len(text.Tokenize(note.Text))
		for range perNote {
			wrong += outside(find(t, note.Text, records[rng.IntN(patients)]), gold)
		}
		found, err := record.FindStaff(t.Context(), text.NewView(note.Text), directory, nil)
		if err != nil {
			t.Fatal(err)
		}
		staff += perNote * outside(found, gold)
	}
	if most := int(mostWrong * float64(words) / 1000); wrong > most || staff > most {
		t.Errorf("%d false hits of records and %d of a directory in %d words, want at most %d", wrong, staff, words, most)
	}
}

// messyNotes returns the first n notes of notes-messy.
func messyNotes(t *testing.T, n int) []markedNote {
	t.Helper()
	folder := os.Getenv("PGDEID_DATA")
	if folder == "" {
		t.Skip("PGDEID_DATA is not set: it names the folder of the open data, with notes-messy in it")
	}
	f, err := os.Open(filepath.Join(folder, "notes-messy", "train.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	var notes []markedNote
	for len(notes) < n && lines.Scan() {
		var note markedNote
		if err := json.Unmarshal(lines.Bytes(), &note); err != nil {
			t.Fatal(err)
		}
		notes = append(notes, note)
	}
	if err := lines.Err(); err != nil || len(notes) < n {
		t.Fatalf("%d notes, error %v", len(notes), err)
	}
	return notes
}

// ranges returns the marks in bytes.
func (n *markedNote) ranges() []phi.Span {
	var at []int // the byte of each code point
	for i := range n.Text {
		at = append(at, i)
	}
	at = append(at, len(n.Text))
	var out []phi.Span
	for _, s := range n.Spans {
		if s.Start < s.End && s.End < len(at) && utf8.ValidString(n.Text) {
			out = append(out, phi.Span{Start: at[s.Start], End: at[s.End]})
		}
	}
	return out
}

// outside counts the spans that meet none of the marks.
func outside(found, gold []phi.Span) int {
	n := 0
	for _, s := range found {
		met := false
		for _, g := range gold {
			met = met || s.Overlaps(g)
		}
		if !met {
			n++
		}
	}
	return n
}
