package config

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestPatientsInDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ patient, column, problem string }{
		{"{column: body, path: $.subject.reference}", "{paths: {$.note: text}}", ""},
		{"{column: body, path: $.subject.reference}", "drop", ""},
		{
			"{column: body, path: $.subject.reference}",
			"{paths: {$.note: text, $.subject.reference: {publish: pseudonym, format: reference}}}", "",
		},
		{"{column: body, format: reference}", "{publish: pseudonym, format: reference}", ""},
		{"{column: body, format: reference}", "drop", ""},
		{"{column: body, path: $.encounter.reference, table: ehr.stay, key: id}", "{paths: {$.note: text}}", ""},
		{"{column: body, path: $.subject.reference}", "{paths: {$.note: text, $.subject.reference: keep}}", "a patient key is published as pseudonym"},
		{"{column: body, path: $.subject.reference}", "{paths: {$.note: text, $.subject: text}}", "a patient key is published as pseudonym"},
		{"{column: body, path: $.subject.reference}", "keep", "say with paths what is published"},
		{"{column: body, format: reference}", "keep", "{publish: pseudonym, format: reference}"},
		{"{column: body, format: reference}", "pseudonym", "{publish: pseudonym, format: reference}"},
		{"{column: body, path: '$.a[*].b'}", "drop", "want a path through members"},
		{"{column: body, path: '$[\"a b\"]'}", "drop", "want a path through members"},
		{"{column: body, path: subject}", "drop", "want a path through members"},
		{"{column: body, format: html}", "drop", `unknown format "html" (one of reference)`},
		{"{column: body, path: $.a, table: ehr.stay}", "drop", "say which column of the table has the key"},
	} {
		file := strings.Replace(strings.Replace(letters, "COLUMN", tt.column, 1), "patient: patient_id", "patient: "+tt.patient, 1) +
			"  ehr.stay:\n    patient: patient_id\n    columns: {id: pseudonym}\n"
		c, err := Parse([]byte(file), nil)
		var problems Problems
		switch {
		case tt.problem == "" && err != nil:
			t.Errorf("%s, %s: %v", tt.patient, tt.column, err)
		case tt.problem == "" && c.Tables[0].Patient.Direct():
			t.Errorf("%s is a plain column", tt.patient)
		case tt.problem != "" && (!errors.As(err, &problems) || !strings.Contains(problems[0].Text, tt.problem)):
			t.Errorf("%s, %s: got %v, want %q", tt.patient, tt.column, err, tt.problem)
		}
	}
}

func TestKeysInReferences(t *testing.T) {
	t.Parallel()
	patient, stay := (&Path{JSON: "$.subject.reference"}).Find(), (&Path{JSON: "$.encounter.reference", Table: "ehr.stay"}).Find()
	for _, tt := range []struct{ text, patient, stay string }{
		{"Patient/17", "17", "17"},
		{"Patient/17/_history/2", "17", "17"},
		{"https://ehr.example.org/fhir/Patient/a-1", "a-1", "a-1"},
		{"urn:uuid:0b8cae0e-0000-4000-8000-00000000000a", "0b8cae0e-0000-4000-8000-00000000000a", "0b8cae0e-0000-4000-8000-00000000000a"},
		{"17", "17", "17"},
		{"Group/17", "", "17"},
		{"Patient/17/x", "", ""},
		{"Patient?identifier=17", "", ""},
		{"", "", ""},
		{"Ann Lee", "", ""},
		{"#p1", "", ""},
	} {
		if got, _ := patient(tt.text); got != tt.patient {
			t.Errorf("%q leads to patient %q, want %q", tt.text, got, tt.patient)
		}
		if got, _ := stay(tt.text); got != tt.stay {
			t.Errorf("%q leads to stay %q, want %q", tt.text, got, tt.stay)
		}
	}
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	const form = `'^(?:(?:https?://[^?#[:space:]]+/)?Patient/|urn:uuid:)?([^/?#:[:space:]]+)(?:/_history/[^/?#[:space:]]+)?$'`
	for _, tt := range []struct {
		path      Path
		typ, want string
	}{
		{Path{Column: "c"}, "bigint", `t0."c"`},
		{Path{Column: "c", Table: "ehr.x", Key: "k"}, "uuid", `t0."c"`},
		{Path{Column: "c", Format: Reference}, "text", `substring(t0."c" from ` + form + `)`},
		{Path{Column: "c", JSON: "$.subject.reference"}, "text", `substring((t0."c" #>> '{subject,reference}') from ` + form + `)`},
		{
			Path{Column: "c", Format: Reference},
			"bigint",
			`case when substring(t0."c" from ` + form + `) ~ '^[0-9]{1,18}$' then substring(t0."c" from ` + form + `)::bigint end`,
		},
	} {
		if got := tt.path.Expression(`t0."c"`, tt.typ); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.path, got, tt.want)
		}
	}
	if got := (&Path{Format: Reference}).Expression("c", "uuid"); !strings.HasSuffix(got, "::uuid end") {
		t.Errorf("a key of type uuid: %s", got)
	}
}

func TestColumnsThatLeadToNoPatient(t *testing.T) {
	t.Parallel()
	c := &Config{PatientKey: Integer}
	for _, tt := range []struct {
		path       Path
		typ, unfit string
	}{
		{Path{Column: "c"}, "bigint", ""},
		{Path{Column: "c"}, "text", "but the mapping says patient_key: integer"},
		{Path{Column: "c", Table: "ehr.x", Key: "k"}, "text", ""},
		{Path{Column: "c", JSON: "$.a"}, "jsonb", ""},
		{Path{Column: "c", JSON: "$.a"}, "json", ""},
		{Path{Column: "c", JSON: "$.a"}, "text", "not json or jsonb"},
		{Path{Column: "c", Format: Reference}, "character varying(64)", ""},
		{Path{Column: "c", Format: Reference}, "bigint", "not text"},
	} {
		if got := c.Unfit(&Table{Patient: tt.path}, tt.typ); (got == "") != (tt.unfit == "") || !strings.Contains(got, tt.unfit) {
			t.Errorf("%+v of %s: %q, want %q", tt.path, tt.typ, got, tt.unfit)
		}
	}
}

// Some rows of a table may hold the patient key, and the others lead through another table, or to no patient.
func TestKeysInSomeRows(t *testing.T) {
	t.Parallel()
	const owner = "{column: k, when: kind = 'p', table: ehr.link, key: src}"
	for _, tt := range []struct{ patient, link, more, problem string }{
		{owner, "{column: dst, when: kind = 'p'}", "", ""},
		{owner, "dst", "", ""},
		{"{column: k, when: kind = 'p'}", "dst", "", ""},
		{"{column: k, when: kind like 'p'}", "dst", "", "want tests of columns"},
		{"{column: [k, l], when: kind = 'p'}", "dst", "", "when belongs to a column"},
		{"{column: k, format: reference, when: kind = 'p'}", "dst", "", "when belongs to a column"},
		{"{column: k, table: ehr.link, key: src}", "{column: dst, when: kind = 'p', table: ehr.third, key: id}", "", "let it lead to ehr.third"},
		{owner, "dst", "merges: {table: ehr.old, from: a, to: b}\n", "when and merges don't go together"},
	} {
		file := strings.Replace(strings.Replace(letters, "COLUMN", "text", 1), "patient: patient_id", "patient: "+tt.patient, 1) +
			"  ehr.link:\n    patient: " + tt.link + "\n    columns: {id: drop}\n  ehr.third:\n    patient: id\n    columns: {id: pseudonym}\n" + tt.more
		c, err := Parse([]byte(file), nil)
		var problems Problems
		switch {
		case tt.problem == "" && err != nil:
			t.Errorf("%s: %v", tt.patient, err)
		case tt.problem == "":
			if names := c.Leaving(&c.Tables[0], nil); !slices.Contains(names, "kind") {
				t.Errorf("%s: the publication has no column kind: %v", tt.patient, names)
			}
		case !errors.As(err, &problems) || !strings.Contains(problems[0].Text, tt.problem):
			t.Errorf("%s, %s: got %v, want %q", tt.patient, tt.link, err, tt.problem)
		}
	}
}
