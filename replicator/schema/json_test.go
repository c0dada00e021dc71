package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
)

// resources maps resources as jsonb, one of which finds its patient in its document, one through another table.
func resources(t *testing.T) *Plan {
	t.Helper()
	paths := []config.Column{
		{Name: "$.subject.reference", Publish: config.Pseudonym, Format: config.Reference},
		{Name: "$.encounter.reference", Publish: config.Pseudonym, Format: config.Reference, Domain: "visit"},
		{Name: "$.note", Publish: config.Text},
	}
	document := config.Column{Name: "resource", Publish: config.Text, Format: document.JSON, Paths: paths}
	cfg := &config.Config{PatientKey: config.Integer, Release: config.Release{Mode: config.Live}, Tables: []config.Table{
		{Schema: "fhir", Name: "encounter", Patient: config.Path{Column: "resource", JSON: "$.subject.reference"}, Columns: []config.Column{
			{Name: "id", Publish: config.Pseudonym, Domain: "visit"}, document,
		}},
		{
			Schema: "fhir", Name: "report",
			Patient: config.Path{Column: "resource", JSON: "$.encounter.reference", Table: "fhir.encounter", Key: "id"},
			Columns: []config.Column{{Name: "id", Publish: config.Keep}, document},
		},
		{Schema: "fhir", Name: "claim", Patient: config.Path{Column: "patient", Format: config.Reference}, Columns: []config.Column{
			{Name: "id", Publish: config.Keep},
		}},
	}}
	p, err := assembled(cfg, map[string]catalogue{
		"fhir.encounter": {[]string{"id"}, map[string]string{"id": "uuid", "resource": "jsonb"}},
		"fhir.report":    {[]string{"id"}, map[string]string{"id": "uuid", "resource": "json"}},
		"fhir.claim":     {[]string{"id"}, map[string]string{"id": "uuid", "patient": "text"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.shareKeyTypes(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPatientsInDocuments(t *testing.T) {
	t.Parallel()
	p := resources(t)
	for _, tt := range []struct {
		table, value, want string // want "": nobody
	}{
		{"fhir.encounter", `{"subject": {"reference": "Patient/17"}}`, "17"},
		{"fhir.encounter", `{"subject": {"reference": 17}}`, "17"},
		{"fhir.encounter", `{"subject": {"reference": "Group/17"}}`, ""},
		{"fhir.encounter", `{"subject": [{"reference": "Patient/17"}]}`, ""},
		{"fhir.encounter", `{"subject": {"display": "Quarkstein"}}`, ""},
		{"fhir.report", `{"encounter": {"reference": "Encounter/a"}, "subject": {"reference": "Patient/17"}}`, "a"},
		{"fhir.claim", "https://ehr/Patient/17", "17"},
		{"fhir.claim", "Dr. Quarkstein", ""},
	} {
		table := p.ByID[tt.table]
		row := make([]Value, len(table.Columns))
		row[table.Via] = Value{Text: tt.value, State: Present}
		if got, ok := table.Leading(row); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s of %s leads to %q", tt.value, tt.table, got)
		}
		row[table.Via].State = Unchanged
		if _, ok := table.Leading(row); ok {
			t.Error("a value that was not sent leads to somebody")
		}
		if !(&Change{Op: UpdateOp, Table: table, Row: row}).Incomplete() {
			t.Error("a row of which nothing says whose it is counts as whole")
		}
	}
}

func TestPathsThroughDocuments(t *testing.T) {
	t.Parallel()
	p := resources(t)
	clause, via, alias := p.ByID["fhir.report"].From(AtSource)
	patient := via.List(alias)
	if via.Table.ID != "fhir.encounter" || via.In(alias, 2) != patient+" = any($2::bigint[])" || fmt.Sprint(via.Args([]string{"7", "x"})) != `[{"7"}]` ||
		!strings.HasPrefix(clause, `"fhir"."report" t0 join "fhir"."encounter" t1 on t1."id" = case when substring((t0."resource" #>> '{encounter,reference}')`) ||
		!strings.HasSuffix(clause, "::uuid end") ||
		!strings.HasPrefix(patient, `case when substring((t1."resource" #>> '{subject,reference}')`) || !strings.HasSuffix(patient, "::bigint end") {
		t.Errorf("from %s, patient %s", clause, patient)
	}
	if got := p.ByID["fhir.report"].Join(AtSource, 1); got != clause {
		t.Errorf("joined: %s", got)
	}
}

// Keys in documents are read as the columns of their domain are, which must be of one type.
func TestKeyTypesOfDomains(t *testing.T) {
	t.Parallel()
	p := resources(t)
	for domain, want := range map[string]config.KeyType{"visit": config.UUID, config.PatientDomain: config.Integer, "other": config.TextKey} {
		if got := p.KeyTypeOf(domain); got != want {
			t.Errorf("keys of domain %s are %s", domain, got)
		}
	}
	other := &Table{Table: &config.Table{}, ID: "fhir.other", Columns: []Column{{
		Column: config.Column{Name: "id", Publish: config.Pseudonym, Domain: "visit"}, Typ: "bigint",
	}}}
	p.Tables = append(p.Tables, other)
	if err := p.shareKeyTypes(); err == nil || !strings.Contains(err.Error(), "several types") {
		t.Errorf("two types in a domain of references: %v", err)
	}
}
