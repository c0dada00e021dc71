package eval

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
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
	doc := withRecord(t, "[PATIENT|Ianna K. Quisenberry], [PATIENT|QUISENBERRY], [PATIENT|Ianna Moss], [DOCTOR|Elkington], [PHONE|"+
		"555.201.3344], "+
		"[PHONE|555.201.9999], [MEDICALRECORD|482-913-00], [MEDICALRECORD|00482913], [STREET|14 Orchard Rd], [CITY|Salem], [DATE|"+
		"3/5/50], [DATE|March 5, 1950], [DATE|3/6/50]")
	if err := markHeld(t.Context(), &doc, record.NewGazetteer(doc.Patient)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range doc.Spans {
		if s.held {
			got = append(got, doc.Text[s.Start:s.End])
		}
	}
	want := []string{"Ianna K. Quisenberry", "QUISENBERRY", "555.201.3344", "00482913", "14 Orchard Rd", "Salem", "3/5/50", "March 5, 1950"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRecordReport(t *testing.T) {
	doc := withRecord(t, "[PATIENT|Ianna Quisenberry] saw Dr. [DOCTOR|Elkington], MRN [MEDICALRECORD|00482913].")
	bare := gold(t, "Dr. [DOCTOR|Elkington] came.")
	_, found := marks2spans(t, "[PATIENT|Ianna] Quisenberry saw Dr. [DOCTOR|Elkington], MRN 00482913.")
	res, err := Run(t.Context(), fixed{doc.Text: found, bare.Text: nil}, sequence(doc, bare, doc), Options{Cases: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &RecordReport{
		Docs: 2, Survivors: 4, SurvivorDocs: 2, In: Share{6, 2}, Out: Share{2, 2},
		Types: map[string]RecordType{
			"PATIENT":       {"NAME", Share{4, 2}, Share{}},
			"DOCTOR":        {"NAME", Share{}, Share{2, 2}},
			"MEDICALRECORD": {"ID", Share{2, 0}, Share{}},
		},
	}
	if diff := cmp.Diff(want, res.Record); diff != "" {
		t.Error(diff)
	}
	inRecord := 0
	for _, c := range res.Misses {
		if c.InRecord {
			inRecord++
		}
	}
	if inRecord != 4 || len(res.Misses) != 5 {
		t.Errorf("%d of %d misses in the record", inRecord, len(res.Misses))
	}
	var table, page strings.Builder
	if err := res.WriteTable(&table, 0); err != nil {
		t.Fatal(err)
	}
	if err := res.WriteHTML(&page, "t", 0); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "identifiers of it that survive: 4, in 2 documents") || !strings.Contains(page.String(),
		"4 of its identifiers survive, in 2 documents") {
		t.Error("a report does not list what survives")
	}
	if doc.Spans[0].held {
		t.Error("the caller's document was changed")
	}
}

func TestNothingOfTheRecordSurvivesTheEnsemble(t *testing.T) {
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	doc := withRecord(t, "[PATIENT|Ianna Quisenberry] of [STREET|14 Orchard Rd], [CITY|Salem], [PHONE|555 201 3344], MRN "+
		"[MEDICALRECORD|00482913], born [DATE|3/5/1950]. [PATIENT|QUISENBERRY] came.")
	for _, blind := range []bool{false, true} {
		res, err := Run(t.Context(), ens, sequence(doc), Options{Blind: blind})
		if err != nil {
			t.Fatal(err)
		}
		if !blind && (res.Record.Survivors != 0 || res.Record.In.Missed() != 0) || res.Record.In.Gold < 10 {
			t.Errorf("blind %v: %+v", blind, res.Record)
		}
	}
}
