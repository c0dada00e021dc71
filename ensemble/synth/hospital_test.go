package synth

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func hospital(t testing.TB, seed uint64, opts Options) *Hospital {
	t.Helper()
	h, err := NewHospital(seed, opts)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSameSeedSameHospital(t *testing.T) {
	opts := Options{Patients: 40, Notes: 60}
	a, b, c := hospital(t, 7, opts), hospital(t, 7, opts), hospital(t, 8, opts)
	same := 0
	for i := range opts.Notes {
		// Out of order, so that a note does not depend on those before it.
		j := (i*37 + 5) % opts.Notes
		x, y := a.Note(i), b.Note(i)
		_ = b.Note(j)
		if diff := cmp.Diff(x.Text, y.Text); diff != "" {
			t.Fatalf("note %d differs:\n%s", i, diff)
		}
		if !slices.Equal(x.Spans, y.Spans) {
			t.Fatalf("note %d: spans differ", i)
		}
		if x.Text == c.Note(i).Text {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d notes are alike under another seed", same)
	}
}

// TestSpans checks what Detector's contract says of spans, and that what is under them
// reads like what was planted there.
func TestSpans(t *testing.T) {
	h := hospital(t, 3, Options{Patients: 120, Notes: 700})
	for d := range h.Notes() {
		if err := text.Check(d.Text); err != nil {
			t.Fatalf("note %d: %v", d.ID, err)
		}
		end := 0
		for _, s := range d.Spans {
			if s.Start < end || s.End <= s.Start || s.End > len(d.Text) {
				t.Fatalf("note %d (%s): span [%d,%d) after %d in %d bytes", d.ID, d.Kind, s.Start, s.End, end, len(d.Text))
			}
			end = s.End
			text := d.Text[s.Start:s.End]
			if !utf8.ValidString(text) || strings.TrimSpace(text) != text {
				t.Errorf("note %d (%s): span %q", d.ID, d.Kind, text)
			}
			if needsDigit(s.Type) && !strings.ContainsAny(text, "0123456789") {
				t.Errorf("note %d (%s): %s %q has no digit", d.ID, d.Kind, s.Type, text)
			}
		}
	}
}

func needsDigit(t phi.Type) bool {
	return t.Class() == phi.ClassID || t == phi.Phone || t == phi.Fax || t == phi.Zip || t == phi.Time
}

func TestEverythingOccurs(t *testing.T) {
	h := hospital(t, 5, Options{Patients: 200, Notes: 2500})
	kinds, groups, types := map[Kind]int{}, map[lexicon.Group]int{}, map[phi.Type]int{}
	var all strings.Builder
	for d := range h.Notes() {
		kinds[d.Kind]++
		groups[d.Group()]++
		for _, s := range d.Spans {
			types[s.Type]++
		}
		all.WriteString(d.Text)
	}
	for _, k := range Kinds() {
		if kinds[k] < 10 {
			t.Errorf("%d notes of kind %q", kinds[k], k)
		}
	}
	for g := range lexicon.NumGroups {
		if groups[g] < 60 {
			t.Errorf("%d notes of patients of group %s", groups[g], GroupName(g))
		}
	}
	for _, typ := range phi.Types() {
		if typ != phi.BioID && types[typ] == 0 {
			t.Errorf("no span of type %s", typ)
		}
	}
	for _, hard := range []string{
		"lot number ", "State Highway", "Glasgow score", "Mayo scissors", "Foley", "Gleason 3+4", "the 2", "née", "friend ", "CPA", "Christmas",
	} {
		if !strings.Contains(all.String(), hard) {
			t.Errorf("hard case %q does not occur", hard)
		}
	}
}

func TestLengths(t *testing.T) {
	h := hospital(t, 11, Options{Notes: 2000})
	var lengths []int
	sum := 0
	for d := range h.Notes() {
		lengths = append(lengths, len(d.Text))
		sum += len(d.Text)
	}
	slices.Sort(lengths)
	mean, median, top := sum/len(lengths), lengths[len(lengths)/2], lengths[len(lengths)-1]
	if mean < 2300 || mean > 4000 || median < 800 || top < 9000 || lengths[0] < 40 {
		t.Errorf("lengths: least %d, median %d, mean %d, most %d", lengths[0], median, mean, top)
	}
}

func TestRowsAreSound(t *testing.T) {
	h := hospital(t, 13, Options{Patients: 500})
	mrns, logins := map[string]bool{}, map[string]bool{}
	unseen := 0
	for _, p := range h.Patients {
		if mrns[p.MRN] {
			t.Errorf("two patients with one record number")
		}
		mrns[p.MRN] = true
		if p.Name.First == "" || p.Name.Last == "" || len(p.Relatives) == 0 || p.Home.City == "" || len(p.SSN) != 11 {
			t.Errorf("patient %d lacks something", p.ID)
		}
		if p.Birth.After(epoch) || p.Age(epoch) > 105 {
			t.Errorf("patient %d is born on %s", p.ID, p.Birth.Format(time.DateOnly))
		}
		if e, ok := lexicon.Lookup(p.Name.Last); !ok || e.Surname == 0 {
			unseen++
		}
	}
	for _, p := range h.Providers {
		if logins[p.Login] {
			t.Errorf("login %s is there twice", p.Login)
		}
		logins[p.Login] = true
	}
	for _, e := range h.Encounters {
		if e.Start.Before(h.Patients[e.Patient].Birth) || e.End.Before(e.Start) {
			t.Errorf("encounter %d from %s to %s", e.ID, e.Start, e.End)
		}
	}
	if unseen < 50 {
		t.Errorf("only %d of 500 surnames are in no list", unseen)
	}
}

// TestCopiedForward finds passages that stand in several notes of one patient.
func TestCopiedForward(t *testing.T) {
	h := hospital(t, 17, Options{Patients: 20, Notes: 400})
	type passage struct {
		patients, notes map[int64]bool
	}
	seen := map[string]passage{}
	for d := range h.Notes() {
		for line := range strings.Lines(d.Text) {
			if len(line) < 120 {
				continue
			}
			if seen[line].notes == nil {
				seen[line] = passage{map[int64]bool{}, map[int64]bool{}}
			}
			seen[line].patients[d.Patient.ID], seen[line].notes[d.ID] = true, true
		}
	}
	copies := 0
	for _, p := range seen {
		if len(p.patients) == 1 { // what many patients share is boilerplate
			copies += len(p.notes) - 1
		}
	}
	if copies < 20 {
		t.Errorf("%d passages were copied from note to note", copies)
	}
}

func TestExport(t *testing.T) {
	h := hospital(t, 19, Options{Patients: 60, Notes: 150})
	var buf bytes.Buffer
	if err := Export(&buf, h.Notes()); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(buf.Bytes()) {
		var got exportLine
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		runes, want := []rune(got.Text), h.Note(n)
		if got.Text != want.Text || len(got.Spans) != len(want.Spans) || len(got.Patient) < 8 {
			t.Fatalf("line %d does not hold note %d", n, want.ID)
		}
		for i, s := range got.Spans {
			if string(runes[s.Start:s.End]) != s.Text || s.Type != want.Spans[i].Type.String() {
				t.Fatalf("line %d: span %d is %q, want %q", n, i, string(runes[s.Start:s.End]), s.Text)
			}
		}
		n++
	}
	if n != 150 {
		t.Errorf("%d lines", n)
	}
}

func BenchmarkNote(b *testing.B) {
	h := hospital(b, 1, Options{})
	n := 0
	for i := 0; b.Loop(); i++ {
		n += len(h.Note(i).Text)
	}
	b.SetBytes(int64(n / max(b.N, 1)))
}
