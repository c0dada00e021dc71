package config

import (
	"slices"
	"strings"
	"testing"
)

const filtered = `version: 1
source: {dsn: "host=127.0.0.1 dbname=ehr"}
replica: {dsn: "host=127.0.0.1 dbname=research"}
key_file: key
%s
tables:
  ehr.patient:
    patient: patient_id
    columns: {patient_id: pseudonym, opted_out: keep}
  ehr.visit:
    patient: {column: visit_id, table: ehr.patient, key: patient_id}
    columns: {visit_id: pseudonym, kind: keep, body: text}
`

func withFilters(lines string) (*Config, error) {
	return Parse([]byte(strings.Replace(filtered, "%s", lines, 1)), nil)
}

func TestFiltersAreRead(t *testing.T) {
	t.Parallel()
	c, err := withFilters(`exclude:
  - {table: ehr.consent, patient: person, when: "status = 'refused'"}
  - {table: ehr.patient, when: opted_out = true}
include: {table: ehr.cohort, patient: id}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Filters) != 3 || !c.Filtered() || !slices.Equal(c.Filters[1].Patient, []string{"patient_id"}) || c.Filters[0].Includes() || !c.Filters[2].Includes() {
		t.Errorf("filters %+v", c.Filters)
	}
	consent, ok := c.Table("ehr", "consent")
	if !ok || consent.HasPatient() || len(consent.Published()) != 0 {
		t.Errorf("a table that a filter reads is mapped as %+v", consent)
	}
	if got := c.Leaving(consent, []string{"consent_id"}); !slices.Equal(got, []string{"consent_id", "person", "status"}) {
		t.Errorf("columns that leave: %v", got)
	}
	if got := c.Read(consent, []string{"consent_id"}); got != nil {
		t.Errorf("columns for gazetteers: %v", got)
	}
	visit, _ := c.Table("ehr", "visit")
	if !c.NeedsPatient(visit) {
		t.Error("rows are published without knowing whose they are")
	}
}

func TestFiltersDecideTheOutput(t *testing.T) {
	t.Parallel()
	hashes := map[string]string{}
	for _, lines := range []string{
		"", "exclude: {table: ehr.c, patient: p}", "include: {table: ehr.c, patient: p}", "exclude: {table: ehr.c, patient: q}",
		"exclude: {table: ehr.c, patient: p, when: a is null}", "exclude: {table: ehr.c, patient: p, when: a is not null}",
	} {
		c, err := withFilters(lines)
		if err != nil {
			t.Fatal(err)
		}
		if was, ok := hashes[c.Hash()]; ok {
			t.Errorf("%q and %q have one hash", was, lines)
		}
		hashes[c.Hash()] = lines
	}
	a, errA := withFilters("exclude: [{table: ehr.c, patient: p}, {table: ehr.d, patient: p}]")
	b, errB := withFilters("exclude: [{table: ehr.d, patient: p}, {table: ehr.c, patient: p}]")
	if errA != nil || errB != nil || a.Hash() != b.Hash() || a.SchemaHash() != b.SchemaHash() {
		t.Error("the order of filters counts")
	}
}

func TestFiltersThatAreRefused(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"exclude: {patient: p}":                                                         "table: SCHEMA.TABLE",
		"exclude: {table: consent, patient: p}":                                         "table: SCHEMA.TABLE",
		"exclude: {table: ehr.consent}":                                                 "holds the patient key",
		"exclude: {table: ehr.visit}":                                                   "holds the patient key",
		"include: {table: ehr.c, patient: p, when: now() > 1}":                          "want tests of columns",
		"include: {table: ehr.c, patient: p, where: a = 1}":                             "unknown key",
		"exclude: [{table: ehr.c, patient: p}, {table: ehr.c, patient: p}]":             "twice",
		"exclude: {table: pg_catalog.pg_class, patient: p}":                             "can't be replicated",
		"exclude: {table: ehr.consent, patient: p, when: \"s = 'a' or s is not null\"}": "want tests of columns",
	} {
		if _, err := withFilters(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", lines, err)
		}
	}
}

const severalSites = `version: 1
source: {dsn: "host=127.0.0.1 dbname=ehr"}
replica: {dsn: "host=127.0.0.1 dbname=research"}
key_file: key
patient_key: text
%s
tables:
  ehr.patient:
    patient: [site, mrn]
    columns: {site: keep, mrn: pseudonym}
  ehr.note:
    patient: [site, mrn]
    columns: {note_id: pseudonym, site: keep, mrn: pseudonym, body: text}
`

// A filter that names patients by fewer columns than tables do would find nobody.
func TestFiltersNamePatientsByAllColumns(t *testing.T) {
	t.Parallel()
	for lines, want := range map[string]string{
		"merges: {table: ehr.m, from: [site, old], to: [site, mrn]}":             "",
		"merges: {table: ehr.m, from: [old_site, old], to: [site, mrn]}":         "",
		"exclude: {table: ehr.c, patient: [at, mrn]}":                            "",
		"exclude: {table: ehr.patient, when: site = 3}":                          "",
		"merges: {table: ehr.m, from: old, to: mrn}":                             "has 1 columns here and 2 in ehr.patient",
		"merges: {table: ehr.m, from: [site, old], to: mrn}":                     "has 1 columns here and 2 in ehr.patient",
		"merges: {table: ehr.m, from: [site, old]}":                              "which the one that stands for it",
		"merges: {table: ehr.m, to: [site, mrn]}":                                "which column of ehr.m has the id that was given up",
		"exclude: {table: ehr.c, patient: mrn}":                                  "has 1 columns here and 2 in ehr.patient",
		"include: {table: ehr.c, patient: [site, mrn, kind]}":                    "has 3 columns here and 2 in ehr.patient",
		"exclude: [{table: ehr.c, patient: [a, b]}, {table: ehr.d, patient: a}]": "has 1 columns here and 2 in ehr.patient",
	} {
		c, err := Parse([]byte(strings.Replace(severalSites, "%s", lines, 1)), nil)
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", lines, err)
		case want == "" && err != nil:
			t.Errorf("%s: %v", lines, err)
		case want == "" && len(c.Filters[0].Patient) != 2:
			t.Errorf("%s: the patient is in %v", lines, c.Filters[0].Patient)
		}
	}
}
