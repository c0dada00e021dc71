package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesRows(t *testing.T) {
	t.Parallel()
	types := map[string]string{"id": "bigint", "line": "smallint", "day": "date", "written": "timestamp(3) without time zone", "ymd": "integer"}
	direct, path := Path{Column: "person"}, Path{Column: "visit", Table: "ehr.visit", Key: "visit"}
	for name, c := range map[string]struct {
		patient Path
		key     []string
		columns []Column
		want    bool
	}{
		"pseudonym":                      {direct, []string{"id"}, []Column{{Name: "id", Publish: Pseudonym}}, true},
		"pseudonym and line":             {path, []string{"id", "line"}, []Column{{Name: "id", Publish: Pseudonym}, {Name: "line", Publish: Keep}}, true},
		"dropped":                        {direct, []string{"id"}, []Column{{Name: "id", Publish: Drop}}, false},
		"not mapped":                     {direct, []string{"id"}, nil, false},
		"text":                           {direct, []string{"id"}, []Column{{Name: "id", Publish: Text}}, false},
		"year":                           {direct, []string{"day"}, []Column{{Name: "day", Publish: Year}}, false},
		"date of a patient in the key":   {direct, []string{"person", "day"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, true},
		"time of a patient in the key":   {direct, []string{"person", "written"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "written", Publish: ShiftDate}}, true},
		"date of a patient by a path":    {path, []string{"visit", "day"}, []Column{{Name: "visit", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, false},
		"date without its patient":       {direct, []string{"id", "day"}, []Column{{Name: "id", Publish: Pseudonym}, {Name: "day", Publish: ShiftDate}}, false},
		"number of a date and a patient": {direct, []string{"person", "ymd"}, []Column{{Name: "person", Publish: Pseudonym}, {Name: "ymd", Publish: ShiftDate}}, false},
	} {
		table := Table{Schema: "ehr", Name: "note", Patient: c.patient, Columns: c.columns}
		if got := table.NamesRows(c.key, func(column string) string { return types[column] }); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestPatientKeysOfSeveralColumns(t *testing.T) {
	t.Parallel()
	const tables = `
patient_key: text
tables:
  ehr.person:
    patient: [site, mrn]
    columns: {site: keep, mrn: pseudonym, surname: {tells: name.last}}
  ehr.visit:
    patient: [place, number]
    columns: {id: pseudonym, place: pseudonym, number: pseudonym}
  ehr.note:
    patient: {column: [at, visit], table: ehr.visit, key: [place, id]}
    columns: {id: pseudonym, body: text}
  ehr.line:
    patient: {column: [at, visit], table: ehr.note}
    columns: {id: pseudonym, body: text}
`
	cfg, err := Parse([]byte(connections+tables), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Path{
		{Column: "site", More: []Link{{Column: "mrn"}}},
		{Column: "place", More: []Link{{Column: "number"}}},
		{Column: "at", Table: "ehr.visit", Key: "place", More: []Link{{"visit", "id"}}},
		{Column: "at", Table: "ehr.note", Key: "at", More: []Link{{"visit", "visit"}}},
	} {
		if diff := cmp.Diff(want, cfg.Tables[i].Patient); diff != "" {
			t.Errorf("%s: %s", cfg.Tables[i].Name, diff)
		}
	}
	for at, want := range map[string]string{"person.mrn": "patient 2", "visit.place": "patient 1", "visit.number": "patient 2", "visit.id": "id"} {
		table, column, _ := strings.Cut(at, ".")
		mapped, _ := cfg.Table("ehr", table)
		if c, _ := mapped.Column(column); c.Domain != want {
			t.Errorf("%s has domain %q, want %q", at, c.Domain, want)
		}
	}
	if got := cfg.Leaving(&cfg.Tables[1], []string{"id"}); !slices.Equal(got, []string{"id", "place", "number"}) {
		t.Errorf("of visits %v leave", got)
	}
	for old, c := range map[string]struct{ now, want string }{
		"patient_key: text\n":         {"patient_key: integer\n", "patient_key: text"},
		"patient: [place, number]":    {"patient: place", "has 1 columns here and 2 in ehr.person"},
		"key: [place, id]":            {"key: place", "2 columns lead to a key of 1"},
		"patient: [site, mrn]":        {"patient: []", "name at least one column"},
		"column: [at, visit], table:": {"column: [at, at], table:", "named twice"},
		"{site: keep, mrn: pseudonym": {"{site: keep, mrn: keep", "the last one can't be kept"},
		"{id: pseudonym, place: pseudonym, number: pseudonym}": {
			"{id: pseudonym, place: pseudonym, number: {publish: pseudonym, domain: number}}", "have the domain patient 2",
		},
	} {
		text := strings.Replace(tables, old, c.now, 1)
		if _, err := Parse([]byte(connections+text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.now, err)
		}
	}
}

const connections = `version: 1
source: {dsn: "host=/tmp dbname=ehr"}
replica: {dsn: "host=/tmp dbname=research"}
key_file: key
`
