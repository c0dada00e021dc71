package score

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

// TestRowsOfSupplementaryTable4 recomputes the table's rates from its counts.
func TestRowsOfSupplementaryTable4(t *testing.T) {
	for _, tt := range []struct {
		row               RowS4
		precision, recall float64
	}{
		{RowS4{Class: "All", Support: 10861, FalsePositives: 436, FalseNegatives: 135}, 0.961, 0.988},
		{RowS4{Class: "Date", Support: 4951, FalsePositives: 126, FalseNegatives: 27}, 0.975, 0.994},
		{RowS4{Class: "Names", Support: 4131, FalsePositives: 109, FalseNegatives: 36}, 0.974, 0.991},
		{RowS4{Class: "Location", Support: 1177, FalsePositives: 113, FalseNegatives: 24}, 0.911, 0.980},
		{RowS4{Class: "Organization", Support: 1639, FalsePositives: 43, FalseNegatives: 302}, 0.969, 0.815},
		{RowS4{Class: "Numeric", Support: 576, FalsePositives: 45, FalseNegatives: 13}, 0.926, 0.977},
		{RowS4{Class: "Contact", Support: 171, FalseNegatives: 2}, 1, 0.988},
	} {
		if !near(tt.row.Precision(), tt.precision, 0.001) || !near(tt.row.Recall(), tt.recall, 0.001) {
			t.Errorf("%s: %.4f %.4f", tt.row.Class, tt.row.Precision(), tt.row.Recall())
		}
	}
}

// TestTableS4 counts words: the sum takes recall from group B and false alarms from all classes,
// ages and professions are excluded, and a half-found word is not a true positive.
func TestTableS4(t *testing.T) {
	rep := report(t,
		"⟦Ann Lee|PATIENT⟧ of ⟦Mercy Hill|HOSPITAL⟧, ⟦Ohio|STATE⟧, ⟦Salem|CITY⟧; a ⟦95|AGE⟧ ⟦glazier|PROFESSION⟧ on ⟦4/27/04|DATE⟧, Braden",
		"⟦Ann|PATIENT⟧ Lee of ⟦Mercy|HOSPITAL⟧ Hill, Ohio, ⟦Salem|CITY⟧; a ⟦95|AGE⟧ glazier on ⟦4/27|DATE⟧/04, ⟦Braden|HOSPITAL⟧")
	want := TableS4{
		All: RowS4{Class: "ALL", Support: 4, FalsePositives: 1, FalseNegatives: 2},
		Classes: []RowS4{
			{Class: "DATE", Support: 1, FalseNegatives: 1, Types: []TypeS4{{"DATE", 1, 1}}},
			{Class: "NAME", Support: 2, FalseNegatives: 1, Types: []TypeS4{{"PATIENT", 2, 1}}},
			{Class: "LOCATION", Support: 2, FalseNegatives: 1, Types: []TypeS4{{"CITY", 1, 0}, {"STATE", 1, 1}}},
			{Class: "ORGANIZATION", Support: 2, FalsePositives: 1, FalseNegatives: 1, Types: []TypeS4{{"HOSPITAL", 2, 1}}},
		},
	}
	if diff := cmp.Diff(want, rep.TableS4); diff != "" {
		t.Error(diff)
	}
	// Two of four words found, one false: 2 / 3. The share of predicted words differs:
	// the half found date is among them.
	if p := rep.TableS4.All.Precision(); !near(p, 2./3, 1e-9) {
		t.Errorf("precision %v", p)
	}
}

// TestErrorsPerNoteAsInTable5 reproduces the table's coverage from its notes, for the 142,400
// instances of PII that its rates imply.
func TestErrorsPerNoteAsInTable5(t *testing.T) {
	notes := []int{9363, 525, 80, 10, 6, 6, 2, 2, 2, 3, 1}
	coverage := []float64{0.9940, 0.9978, 0.9989, 0.9991, 0.9992, 0.9994, 0.9995, 0.9996, 0.9997, 0.9999, 1}
	cumulative := []int{0, 525, 685, 715, 739, 769, 781, 795, 811, 838, 848}
	s := newErrorSums()
	s.pii = 142_400
	for errors, n := range notes {
		for range n {
			s.add("", NoteErrors{instances: make([]missedInstance, errors)})
		}
	}
	r := s.report()
	if r.Missed != 848 || r.Notes != 637 || len(r.PerNote) != len(notes) {
		t.Fatalf("%d errors in %d notes, %d rows", r.Missed, r.Notes, len(r.PerNote))
	}
	for i, row := range r.PerNote {
		if row.Notes != notes[i] || row.Cumulative != cumulative[i] || !near(row.Coverage, coverage[i], 0.00016) {
			t.Errorf("%+v, want coverage %v", row, coverage[i])
		}
	}
}

func TestErrorsOfDocuments(t *testing.T) {
	s := NewScorer(false)
	for i, text := range []string{
		"⟦Ann Lee|PATIENT⟧ saw Dr. ⟦May|DOCTOR⟧.\nSigned ⟦tp|DOCTOR⟧", // half a name, and initials
		"Seen today.\nSigned ⟦tp|DOCTOR⟧",                             // the same sentence again
		"⟦Salem|CITY⟧ on ⟦4/27/04|DATE⟧, ⟦53|AGE⟧",                    // an age that is kept
	} {
		doc := gold(t, text)
		doc.Kind = []string{"note", "note", "letter"}[i]
		var found []phi.Span
		for _, g := range doc.Spans {
			switch g.Main {
			case phi.Patient:
				found = append(found, phi.Span{Start: g.Start, End: g.Start + 3, Type: phi.Patient})
			case phi.City, phi.Date:
				found = append(found, g.span())
			case phi.Doctor:
				if g.End-g.Start == 3 {
					found = append(found, g.span())
				}
			}
		}
		s.Add(&doc, found)
	}
	got := s.Report().Errors
	want := ErrorReport{
		Instances: 6, Missed: 3, Unique: 2, Notes: 2,
		Categories: []CategoryErrors{
			{Name: "doctor or nurse name or initial", Errors: 2, Unique: 1, Contribution: 2. / 6, Forms: map[string]int{"initials": 2}},
			{Name: "patient name", Errors: 1, Unique: 1, Partly: 1, Contribution: 1. / 6, Forms: map[string]int{"capitalized": 1}},
		},
		PerNote: []NotesOf{
			{Errors: 0, Notes: 1, Coverage: 3. / 6},
			{Errors: 1, Notes: 1, Total: 1, Cumulative: 1, Coverage: 4. / 6, Types: 1},
			{Errors: 2, Notes: 1, Total: 2, Cumulative: 3, Coverage: 1, Types: 2},
		},
		Kinds: []KindErrors{
			{Name: "note", Errors: 3, Instances: 4, WithErrors: 2, Notes: 2, Fraction: 1},
			{Name: "letter", Instances: 2, Notes: 1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCategoriesAndForms(t *testing.T) {
	for _, tt := range []struct {
		typ  phi.Type
		text string
		want string
	}{
		{phi.Hospital, "Samson rehab", "clinic location, mixed"},
		{phi.Hospital, "Southwest Building Room 7A", "clinic location, digits"},
		{phi.Hospital, "Minerva", "health care organization, capitalized"},
		{phi.Organization, "Trioki Rx", "pharmacy name, capitalized"},
		{phi.Organization, "GO GIRLS", "organization or company, upper case"},
		{phi.Organization, "the clinic shop", "organization or company, lower case"},
		{phi.Street, "500 State Highway 72", "location (address or part of one), digits"},
		{phi.Doctor, "tp", "doctor or nurse name or initial, initials"},
		{phi.Doctor, "J.C.", "doctor or nurse name or initial, initials"},
		{phi.Phone, "724.161.1754", "phone number, digits"},
		{phi.Device, "78-32-DK", "numeric identifier, digits"},
		{phi.Email, "a@example.org", "e-mail, web or network address, lower case"},
		{phi.Date, "Christmas", "date, capitalized"},
	} {
		if got := fmt.Sprintf("%s, %s", categoryOf(tt.typ, tt.text), formOf(tt.text)); got != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.typ, tt.text, got, tt.want)
		}
	}
}

func TestNamesByGender(t *testing.T) {
	s := NewScorer(false)
	for _, tt := range []struct{ text, gender string }{
		{"⟦SMITH, JAMES|PATIENT⟧ and Dr. ⟦Linda Gray|DOCTOR⟧", "M"}, // both by first names
		{"Mrs. ⟦Quisenberry|PATIENT⟧, Dr. ⟦Qwzx|DOCTOR⟧", "F"},      // by the patient's gender; unknown
	} {
		doc := gold(t, tt.text)
		doc.Gender = tt.gender
		s.Add(&doc, []phi.Span{doc.Spans[0].span()})
	}
	rep := s.Report()
	got := map[string]string{}
	for _, g := range rep.Genders {
		got[g.Name] = fmt.Sprintf("%d/%d", g.Found, g.Gold)
	}
	if diff := cmp.Diff(map[string]string{"female": "1/3", "male": "2/2", "unknown": "0/1"}, got); diff != "" {
		t.Error(diff)
	}
	if sp := rep.GenderSpread; sp == nil || sp.Best != "male" || sp.Worst != "female" || !near(sp.Points, 200./3, 1e-9) {
		t.Errorf("%+v", sp)
	}
}
