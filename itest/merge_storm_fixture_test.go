package itest

import (
	"fmt"
	"strings"
	"testing"
)

// stormWard is an EHR on which a storm rages: its tables and mapping, and how its rows name patients and visits. Patients and
// visits have numbers; what an EHR names them by is made of these, in SQL.
type stormWard struct {
	tables, mapped          string
	ofNote, ofVisit         string // the columns that name the patient
	noteNumber, visitNumber string // those that have the number
	patientOf, visitOf      string // the values of a number: of the columns that name a patient, and of a visit's key
	lines                   int    // of a visit
	line                    string // the values of line k behind the visit's key
	excluded                string // an expression of the patient of a row of consents
	pseudonym               func(t *testing.T, r *replication, excluded string) string
}

func (w *stormWard) patient(number string) string { return fmt.Sprintf(w.patientOf, number) }

func (w *stormWard) visit(number string) string { return fmt.Sprintf(w.visitOf, number) }

// oneNumber is the ward of most tests.
var oneNumber = stormWard{
	tables: ward + optOuts + mergeTable, mapped: merges + excludeRefused + wardTables,
	ofNote: "patient_id", ofVisit: "patient_id", noteNumber: "note_id", visitNumber: "visit_id",
	patientOf: "%s", visitOf: "%s", lines: 1, line: "k, 'Zebulon ate on 3/4/2021.'",
	excluded: "patient_id::text",
	pseudonym: func(t *testing.T, r *replication, excluded string) string {
		t.Helper()
		var n int64
		if _, err := fmt.Sscan(excluded, &n); err != nil {
			t.Fatal(err)
		}
		return r.patient(n)
	},
}

// numbersOfSites is a ward of three sites: a number at each of them names a patient, and keys of visits and notes have a site in
// them, too. A note is at its patient's site, so that its own key changes with whose it is; a visit may be elsewhere, and its
// lines are one note.
var numbersOfSites = stormWard{
	tables: `
create schema ehr;
create table ehr.patient (site smallint, mrn char(8), given text, family text, number text, born date, primary key (site, mrn));
create table ehr.visit (visit_no bigint, site int, pat_site int, mrn varchar(20), started timestamptz, primary key (site, visit_no));
create table ehr.note (note_no bigint, site int, mrn varchar(20), written timestamp, status text, body text, primary key (site, note_no));
create table ehr.line (visit_no bigint, site int, n int, body text, primary key (site, visit_no, n));
create index on ehr.note (site, mrn);
create index on ehr.visit (pat_site, mrn);
alter table ehr.note alter body set storage external;
alter table ehr.line alter body set storage external;
create table ehr.identity (id int primary key, old_site int, old_mrn text, site smallint, mrn char(8), undone boolean not null default false);
create table ehr.consent (consent_id int primary key, at smallint, mrn varchar(10), status text);`,
	mapped: mergeSites + `
patient_key: text
tables:
  ehr.patient:
    patient: [site, mrn]
    columns:
      site: keep
      mrn: pseudonym
      given: {tells: name.first, publish: surrogate}
      family: {tells: name.last, publish: surrogate}
      number: {tells: mrn}
      born: {tells: birth_date, publish: date_shift}
  ehr.visit:
    patient: [pat_site, mrn]
    columns: {visit_no: pseudonym, site: keep, pat_site: pseudonym, mrn: pseudonym, started: date_shift}
  ehr.note:
    patient: [site, mrn]
    columns: {note_no: pseudonym, site: keep, mrn: pseudonym, written: date_shift, status: keep, body: text}
  ehr.line:
    patient: {column: [site, visit_no], table: ehr.visit}
    note: {key: [site, visit_no], order: n, text: body}
    columns: {visit_no: pseudonym, site: keep, n: keep, body: text}
`,
	ofNote: "site, mrn", ofVisit: "pat_site, mrn", noteNumber: "note_no", visitNumber: "visit_no",
	patientOf: "1 + %[1]s %% 3, 'M-' || %[1]s / 3", visitOf: "%[1]s, 1 + %[1]s %% 2",
	lines: 2, line: "k, case k when 1 then 'On 3/4/2021 Zebulon' else 'Quarkstein ate.' end",
	excluded: `format('["%s","%s"]', at, mrn)`,
	pseudonym: func(t *testing.T, r *replication, excluded string) string {
		t.Helper()
		return r.key.PseudonymText("patient", strings.TrimSpace(excluded))
	},
}
