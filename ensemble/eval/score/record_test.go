package score

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

func withRecord(t *testing.T, marked string) Document {
	t.Helper()
	doc := gold(t, marked)
	doc.Patient = record.Record{
		record.NameFirst: {"Ianna"}, record.NameLast: {"Quisenberry"}, record.Phone: {"(555) 201-3344"}, record.MRN: {"00482913"},
		record.Street: {"14 Orchard Road"}, record.City: {"Salem"}, record.BirthDate: {"1950-03-05"},
	}
	return doc
}

func TestWhatTheRecordHolds(t *testing.T) {
	doc := withRecord(t, "⟦Ianna K. Quisenberry|PATIENT⟧, ⟦QUISENBERRY|PATIENT⟧, ⟦Ianna Moss|PATIENT⟧, ⟦Elkington|DOCTOR⟧, ⟦"+
		"555.201.3344|PHONE⟧, "+
		"⟦555.201.9999|PHONE⟧, ⟦482-913-00|MEDICALRECORD⟧, ⟦00482913|MEDICALRECORD⟧, ⟦14 Orchard Rd|STREET⟧, ⟦Salem|CITY⟧, ⟦"+
		"3/5/50|DATE⟧, ⟦March 5, 1950|DATE⟧, ⟦3/6/50|DATE⟧")
	if err := MarkHeld(t.Context(), &doc, record.NewGazetteer(doc.Patient)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range doc.Spans {
		if s.Held {
			got = append(got, doc.Text[s.Start:s.End])
		}
	}
	want := []string{"Ianna K. Quisenberry", "QUISENBERRY", "555.201.3344", "00482913", "14 Orchard Rd", "Salem", "3/5/50", "March 5, 1950"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
