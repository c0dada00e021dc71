package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// quilla has a value in each role, none of which is a word.
var quilla = record.NewGazetteer(record.Record{
	record.NameFirst: {"Quillara"}, record.NameMiddle: {"Zofine"}, record.NameLast: {"Zorvakian"}, record.RelativeName: {"Tamsel Ovenquist"},
	record.ProviderName: {"Hesper Wibberling, MD"}, record.Street: {"6460 Blairdale Ave Apt 7"}, record.City: {"Kelsova"}, record.State: {"OH"},
	record.Zip: {"44178"}, record.Phone: {"617-555-0142"}, record.Fax: {"617-555-0143"}, record.Email: {"q.zorva57@example.com"},
	record.MRN: {"E4863352"}, record.SSN: {"178-52-8495"}, record.Plan: {"XQZ376870898"}, record.Account: {"AC25981399"},
	record.Employer: {"Duneding Steelworks"}, record.Facility: {"Quillburg General Hospital"}, record.BirthDate: {"1954-03-12"},
	record.Username: {"qzorva57"}, record.Vehicle: {"2IA 1493"}, record.Device: {"PJN481277"},
})

// One digit that is another makes another person's number: nothing of it is found.
func TestNumbersOfOthers(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"617-555-0142", "(617) 555-0142", "6175550142", "E4863352", "178-52-8495", "178528495", "XQZ376870898", "AC25981399", "PJN481277",
	} {
		for i, c := range form {
			if c < '0' || c > '9' {
				continue
			}
			for _, other := range "0123456789" {
				number := form[:i] + string(other) + form[i+1:]
				last := strings.HasSuffix(number, "8495") || strings.HasSuffix(number, "5550142") || strings.HasSuffix(number, "555-0142")
				if other == c || last || number == "617-555-0143" || strings.HasSuffix(number, "555-0143") || strings.HasSuffix(number, "5550143") {
					continue
				}
				body := "the number " + number + " is not hers"
				if spans := find(t, body, quilla); len(spans) > 0 {
					t.Errorf("%s: found %q", number, body[spans[0].Start:spans[0].End])
				}
			}
		}
	}
}

// What notes have in numbers is none of the patient's, though it begins or ends as one.
func TestClinicalLinesOfOthers(t *testing.T) {
	t.Parallel()
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(quilla), []string{
		"BP 120/80, HR 72, RR 16, T 98.6, SpO2 98% on RA",
		"WBC 12.4 Hgb 13.5/Hct 40.1 Plt 250; Na 138, K 4.1",
		"178 lb, 52 in, 8495 cells; 617 mL in, 555 mL out",
		"E48 and E4; D64.60, Z79.4; CPT 99213; NDC 0093-7214-01",
		"seen 3/12/2014, 12 March 1955, 3/13/1954, 3/12, 1955",
		"6460 units; 6460 steps; Apt 7 to 9; 7/10 pain",
		"a quill, a zone, a mile, the general hospital, the steelworks, a dune",
		"OH groups; oh, she said; the 44 of 178; 4.4178",
		"q 57 days; q4h; zorva; example.com; a@example.com; 57@example.com",
	})
}

// What is found in a line is found between other lines, no more and no less.
func TestLinesAreOnTheirOwn(t *testing.T) {
	t.Parallel()
	lines := []string{
		"Quillara Zorvakian was here", "ZORVAKIAN, QUILLARA Z", "Q. Zorvakian", "her sister Tamsel called", "seen by Dr. Wibberling",
		"at 6460 Blairdale Ave #7, Kelsova, OH 44178", "call 617.555.0142, fax 617 555 0143", "q.zorva57@example.com", "MRN E48-63-352",
		"SSN 178528495", "born 3/12/1954", "12 March 1954", "Z o r v a k i a n", "six one seven five five five oh one four two",
		"worked at Duneding Steelworks", "Zorvakain, Quillra", "no name here", "", "QZ was seen", "plate 2IA-1493",
	}
	for _, line := range lines {
		alone := find(t, line, quilla)
		for _, frame := range [][2]string{{"Unremarkable.\n\n", "\n\nNo change."}, {"Über – „so“:\n\n", "\n\n"}, {"\n\n\n", ""}} {
			body := frame[0] + line + frame[1]
			var want []phi.Span
			for _, s := range alone {
				s.Start, s.End = s.Start+len(frame[0]), s.End+len(frame[0])
				want = append(want, s)
			}
			if got := find(t, body, quilla); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", body, got, want)
			}
		}
	}
}

// A text that the ensemble would refuse makes nothing panic.
func TestBrokenTexts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	parts := []string{
		"Zorvakian", "Quillara ", "\x00", "\xff", "\xc3", "617-555-0142", "E48\x0063352", "&#81;", "<b>", "Wm9ydmFraWFu", "\u202e", "@", ".", "\n", "-\n",
		"q.zorva57@", "example.com", "six ", "one ", "Z.o.", "3/12/", "1954", "6460 Blair", "dale", "'", "(", "\u0301", "𝐙", "=C3=AB", "\\n", "Zor",
	}
	for range 3000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		body := b.String()
		for _, g := range []*record.Gazetteer{quilla, nil} {
			found, err := record.Find(t.Context(), text.NewView(body), g, nil)
			staff, err2 := record.FindStaff(t.Context(), text.NewView(body), g, nil)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for _, s := range append(found, staff...) {
				if s.Start < 0 || s.End <= s.Start || s.End > len(body) {
					t.Fatalf("%v in %q", s, body)
				}
			}
			for _, r := range g.Leaks(body) {
				if r.Start < 0 || r.End <= r.Start || r.End > len(body) {
					t.Fatalf("%v in %q", r, body)
				}
			}
			_ = g.Read(body)
		}
	}
}

// Spans of each search are sorted, disjoint and on the borders of runes, whatever is around the values.
func TestSpansOfAnyText(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 7))
	values := []string{
		"Quillara", "Zorvakian", "Zofine", "Q.", "Tamsel", "Ovenquist", "Wibberling", "Dr. ", "6460", "Blairdale", "Ave", "Apt 7", "Kelsova", "OH", "44178",
		"617-555-0142", "E4863352", "178-52-8495", "3/12/1954", "March 12", "1954", "é", "–", "’s", ", ", " ", "\n", "und", "mother ", "q.zorva57@example.com",
	}
	for range 3000 {
		var b strings.Builder
		for range 1 + rng.IntN(15) {
			b.WriteString(values[rng.IntN(len(values))])
			b.WriteString([]string{" ", "", "\n", ", "}[rng.IntN(4)])
		}
		body := b.String()
		ensembletest.CheckSpans(t, body, find(t, body, quilla))
		staff, err := record.FindStaff(t.Context(), text.NewView(body), quilla, nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, body, staff)
	}
}

// Two patients whose records share nothing find nothing of one another.
func TestRecordsAreApart(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 8))
	type person struct {
		g    *record.Gazetteer
		body string
	}
	var people []person
	for i := range 20 {
		initial := string(rune('A' + i)) // names of one initial may be a letter apart
		first, last := initial+strings.ToLower(madeUpName(rng)), initial+strings.ToLower(madeUpName(rng))
		phone, mrn := fmt.Sprintf("%03d-%03d-%04d", 200+rng.IntN(799), 200+rng.IntN(799), 1000+i), fmt.Sprintf("%08d", 10000000+rng.IntN(89999999))
		g := record.NewGazetteer(record.Record{
			record.NameFirst: {first}, record.NameLast: {last}, record.Phone: {phone}, record.MRN: {mrn}, record.Username: {strings.ToLower(last) + "7"},
		})
		people = append(people, person{g, first + " " + last + ", MRN " + mrn + ", tel " + phone})
	}
	for i, p := range people {
		for j, other := range people {
			if found := find(t, other.body, p.g); (len(found) > 0) != (i == j) {
				t.Errorf("%d in %q", len(found), other.body)
			}
		}
	}
}
