package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
)

const letters = `version: 1
source: {dsn: "host=localhost dbname=ehr"}
replica: {dsn: "host=localhost dbname=research"}
key_file: key
tables:
  ehr.letter:
    patient: patient_id
    columns:
      letter_id: pseudonym
      body: COLUMN
      remark: text
`

func TestFormatsOfColumns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		column   string
		format   document.Format
		encoding encoding.Encoding
	}{
		{"text", "", ""},
		{"{publish: text}", "", ""},
		{"{publish: text, format: rtf}", document.RTF, ""},
		{"{publish: text, format: html, encoding: none}", document.HTML, encoding.None},
		{"{publish: text, encoding: base64}", "", encoding.Base64},
		{"{publish: text, format: auto, encoding: base64+gzip}", document.Auto, "base64+gzip"},
		{"{publish: text, format: cda, encoding: hex}", document.CDA, encoding.Hex},
	} {
		c, err := Parse([]byte(strings.Replace(letters, "COLUMN", tt.column, 1)), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.column, err)
			continue
		}
		if got := c.Tables[0].Columns[1]; got.Format != tt.format || got.Encoding != tt.encoding || got.Publish != Text {
			t.Errorf("%s: got %q and %q", tt.column, got.Format, got.Encoding)
		}
	}
}

func TestFormatsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ column, want string }{
		{"{publish: text, format: docx}", `unknown format "docx" (one of plain, rtf, html, xml, cda, hl7v2, json, auto, reference)`},
		{"{publish: text, format: RTF}", `unknown format "RTF"`},
		{"{publish: text, encoding: zip}", `unknown encoding "zip"`},
		{"{publish: text, encoding: base64+}", "(none, or a chain of base64, hex, gzip, zlib, latin1, windows-1252, utf-16, ocf, outermost first"},
		{"{publish: text, encoding: ''}", "unknown encoding"},
		{"{publish: text, encoding: none+gzip}", "unknown encoding"},
		{"{publish: text, format: html, paths: {$.a: text}}", "paths belong to policy text with format: json"},
		{"{publish: keep, format: rtf}", "format and encoding belong to policy text"},
		{"{publish: date_shift, encoding: base64}", "format and encoding belong to policy text"},
		{"{format: rtf}", "format and encoding belong to policy text"},
	} {
		_, err := Parse([]byte(strings.Replace(letters, "COLUMN", tt.column, 1)), nil)
		var problems Problems
		if !errors.As(err, &problems) || problems[0].Line != 10 || !strings.Contains(problems[0].Text, tt.want) {
			t.Errorf("%s: got %v, want line 10 and %q", tt.column, err, tt.want)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ column, want, problem string }{
		{"{publish: text, format: json, paths: {$.text.div: text, $.status: keep}}", "text json", ""},
		{"{paths: {$.text.div: {publish: text, format: html}, $.status: keep}}", "text json", ""},
		{"{paths: {'$.name[*].family': {tells: name.last, publish: surrogate}, $.status: keep}}", "paths json", ""},
		{"{paths: {$.status: keep, $.photo: drop}, encoding: gzip}", "paths json gzip", ""},
		{"{paths: {'$.name[*].family': {tells: name.last}}}", "drop json", ""},
		{"{publish: drop, paths: {$.born: {tells: birth_date}}}", "drop json", ""},
		{"{paths: {$: text}}", "text json", ""},
		{"{paths: {$.id: {publish: pseudonym, domain: patient}, $.subject.reference: {publish: pseudonym, format: reference}}}", "paths json", ""},
		{"{paths: {$.a.contentType: keep, $.a.data: {publish: text, format: media_type, encoding: base64}}}", "text json", ""},
		{"{paths: {}}", "", "name at least one path"},
		{"{paths: {status: keep}}", "", "want a path such as $.text.div"},
		{"{paths: {$.*: keep}}", "", "want a path such as $.text.div"},
		{"{paths: {$..family: keep}}", "", "want a path such as $.text.div"},
		{"{paths: {$.a: text, $.a.b: keep}}", "", "a path leads into another"},
		{"{paths: {$.a: surrogate}}", "", "policy surrogate needs to know what the column is"},
		{"{paths: {$.a: hash}}", "", `unknown policy "hash"`},
		{"{paths: {$.a: pseudonym}}", "", "say which keys these are: {publish: pseudonym, domain: patient}"},
		{"{paths: {$.a: {publish: keep, domain: x}}}", "", "domain belongs to policy pseudonym"},
		{"{paths: {$.a: {publish: keep, order: mdy}}}", "", "order and layout belong to policies date_shift and year"},
		{"{paths: {$.a: {publish: keep, format: html}}}", "", "format and encoding belong to policy text"},
		{"{paths: {$.a: {publish: text, format: reference}}}", "", "format: reference belongs to policy pseudonym"},
		{"{paths: {$.a: {publish: text, paths: {$.b: text}}}}", "", "a path can't have paths"},
		{"{paths: {$.a.data: {publish: text, format: media_type}}}", "", "needs the type beside it: {$.a.contentType: keep}"},
		{"{paths: {$.a.contentType: text, $.a.data: {publish: text, format: media_type}}}", "", "needs the type beside it"},
		{"{publish: keep, paths: {$.a: text}}", "", "paths belong to policy text with format: json"},
		{"{format: html, paths: {$.a: text}}", "", "paths belong to policy text with format: json"},
		{"{publish: drop, paths: {$.a: keep}}", "", "the column is dropped, and its paths are not"},
		{"{tells: name.last, paths: {$.a: keep}}", "", "what the column tells is said by its paths"},
		{"{publish: keep, format: reference}", "", "format: reference belongs to policy pseudonym"},
		{"{publish: text, format: reference}", "", "format: reference belongs to policy pseudonym"},
		{"{paths: [$.a]}", "", "want keys and values"},
	} {
		column := tt.column
		c, err := Parse([]byte(strings.Replace(letters, "COLUMN", column, 1)), nil)
		var problems Problems
		switch {
		case tt.problem == "" && err != nil:
			t.Errorf("%s: %v", tt.column, err)
		case tt.problem == "" && !strings.HasPrefix(c.Tables[0].Columns[1].Treatment(), tt.want+" paths:"):
			t.Errorf("%s: got %s", tt.column, c.Tables[0].Columns[1].Treatment())
		case tt.problem != "" && (!errors.As(err, &problems) || problems[0].Line != 10 || !strings.Contains(problems[0].Text, tt.problem)):
			t.Errorf("%s: got %v, want line 10 and %q", tt.column, err, tt.problem)
		}
	}
}

// Where rows belong to nobody, a document may have what needs no patient.
func TestPathsThatNeedAPatient(t *testing.T) {
	t.Parallel()
	for paths, needs := range map[string]bool{
		"{'$.name[*].family': {tells: provider.name}}":                     false,
		"{$.id: {publish: pseudonym, domain: Practitioner}, $.zip: zip3}":  false,
		"{$.id: keep, $.text.div: text}":                                   true,
		"{$.id: keep, $.born: date_shift}":                                 true,
		"{'$.name[*].family': {tells: provider.name, publish: surrogate}}": true,
	} {
		file := strings.Replace(letters, "COLUMN", "text", 1) +
			"  ehr.staff:\n    patient: none\n    columns: {resource: {paths: " + paths + "}}\n"
		c, err := Parse([]byte(file), nil)
		if (err != nil) != needs {
			t.Errorf("%s: %v", paths, err)
		}
		if err == nil && c.NeedsPatient(&c.Tables[1]) {
			t.Errorf("%s: rows need a patient that they do not have", paths)
		}
	}
}

// What paths tell makes the column one that tells.
func TestPathsTell(t *testing.T) {
	t.Parallel()
	column := "{paths: {'$.name[*].family': {tells: name.last}, $.birthDate: {tells: birth_date, publish: date_shift}, $.x: keep}}"
	c, err := Parse([]byte(strings.Replace(letters, "COLUMN", column, 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if tells := c.Tables[0].Tells(); len(tells) != 1 || len(tells[0].Roles()) != 2 {
		t.Errorf("%d columns tell", len(tells))
	}
	var told []string
	c.Tables[0].Columns[1].Telling().Values([]byte(`{"name": [{"family": "Lee"}, {"family": 7}], "birthDate": "1970", "x": "y"}`),
		func(rule int, value string) {
			told = append(told, string(c.Tables[0].Columns[1].Paths[rule].Tells)+" "+value)
		})
	if got := strings.Join(told, ", "); got != "name.last Lee, name.last 7, birth_date 1970" {
		t.Errorf("told: %s", got)
	}
	if !c.ShiftsDates() || !c.NeedsPatient(&c.Tables[0]) {
		t.Error("a date at a path moves nothing")
	}
}

// Paths that could not be read publish nothing, not everything.
func TestBrokenPathsPublishNothing(t *testing.T) {
	t.Parallel()
	c := Column{Publish: Text, Format: document.JSON, Paths: []Column{{Name: "a", Publish: Keep}}}
	doc, err := c.Selection().Parse([]byte(`{"a": "Ann"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := doc.Replace(nil); err != nil || string(out) != "{}" && string(out) != "null" {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestReplicaTypeOfDocuments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		column     Column
		from, want string // want "": refused
	}{
		{Column{Publish: Text}, "text", "text"},
		{Column{Publish: Text, Format: document.RTF}, "character varying(4000)", "text"},
		{Column{Publish: Text, Encoding: encoding.Base64}, "character(10)", "text"},
		{Column{Publish: Text}, "bytea", ""},
		{Column{Publish: Text, Format: document.Plain}, "bytea", "bytea"},
		{Column{Publish: Text, Format: document.RTF}, "bytea", "bytea"},
		{Column{Publish: Text, Encoding: encoding.Gzip}, "bytea", "bytea"},
		{Column{Publish: Text}, "jsonb", ""},
		{Column{Publish: Text, Format: document.JSON}, "jsonb", "jsonb"},
		{Column{Publish: Text, Format: document.JSON}, "json", "json"},
		{Column{Publish: Text, Format: document.JSON, Encoding: encoding.None}, "json", "json"},
		{Column{Publish: Text, Format: document.JSON, Encoding: encoding.Gzip}, "json", ""},
		{Column{Publish: Text, Format: document.Auto}, "jsonb", ""},
		{Column{Publish: Text, Format: document.HTML}, "jsonb", ""},
		{Column{Publish: Text}, "xml", ""},
		{Column{Publish: Text, Format: document.XML}, "xml", "xml"},
		{Column{Publish: Text, Format: document.CDA}, "xml", "xml"},
		{Column{Publish: Text, Format: document.HTML}, "xml", "xml"},
		{Column{Publish: Text, Format: document.JSON}, "xml", ""},
		{Column{Publish: Text, Format: document.JSON}, "integer", ""},
		{Column{Publish: Text, Format: document.JSON}, "text[]", "text[]"},
		{Column{Publish: Text}, "character varying(40)[]", "text[]"},
		{Column{Publish: Text, Format: document.JSON}, "jsonb[]", "jsonb[]"},
		{Column{Publish: Text}, "jsonb[]", ""},
		{Column{Publish: Text}, "bytea[]", ""},
		{Column{Publish: Text}, "integer[]", ""},
		{Column{Publish: Keep}, "jsonb", "jsonb"},
		{Column{Publish: Year}, "date", "integer"},
	} {
		got, err := tt.column.ReplicaType(tt.from)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s of %s: got %q, %v, want %q", tt.column.Treatment(), tt.from, got, err, tt.want)
		}
	}
}

// What is missing is said as it is written in the file.
func TestMissingFormatIsNamed(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"jsonb": "{publish: text, format: json}", "xml": "{publish: text, format: xml}", "bytea": "{publish: text, format: FORMAT}",
	} {
		c := Column{Publish: Text}
		if _, err := c.ReplicaType(from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", from, err, want)
		}
	}
}

func TestTreatments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		column Column
		want   string
		says   string // of its explanation, beyond the policy's
	}{
		{Column{Publish: Keep}, "keep", ""},
		{Column{Publish: Text}, "text", ""},
		{Column{Publish: Text, Format: document.RTF}, "text rtf", "(rtf)"},
		{Column{Publish: Pseudonym, Format: Reference}, "pseudonym reference", "keeps the type"},
		{Column{Publish: Text, Encoding: "base64+gzip"}, "text base64+gzip", "(base64+gzip)"},
		{Column{Publish: Text, Format: document.HTML, Encoding: encoding.Hex}, "text html hex", "(html, hex)"},
		{
			Column{Publish: Text, Format: document.JSON, Paths: []Column{{Name: `$["a name"]`, Publish: Keep}}},
			"text json paths:" + fingerprint([]any{[]Column{{Name: `$["a name"]`, Publish: Keep}}})[:16], "says by path",
		},
	} {
		got := tt.column.Treatment()
		if got != tt.want || PolicyOf(got) != tt.column.Publish {
			t.Errorf("got %q of policy %s, want %q", got, PolicyOf(got), tt.want)
		}
		more, ok := strings.CutPrefix(Explain(got), tt.column.Publish.Explain())
		if !ok || (more == "") != (tt.says == "") || !strings.Contains(more, tt.says) {
			t.Errorf("%s is explained as %q", got, Explain(got))
		}
	}
}

// A format changes what is published; a column without one has the hash that it always had.
func TestHashOfFormats(t *testing.T) {
	t.Parallel()
	hash := func(c Column) string {
		cfg := &Config{Tables: []Table{{Schema: "ehr", Name: "letter", Columns: []Column{c}}}}
		return cfg.SchemaHash()
	}
	seen := map[string]string{}
	for _, c := range []Column{
		{Publish: Text},
		{Publish: Text, Format: document.RTF},
		{Publish: Text, Format: document.HTML},
		{Publish: Text, Format: document.RTF, Encoding: encoding.Base64},
		{Publish: Text, Encoding: encoding.Base64},
		{Publish: Text, Format: document.JSON, Paths: []Column{{Name: "$.a", Publish: Keep}}},
		{Publish: Text, Format: document.JSON, Paths: []Column{{Name: "$.a", Publish: Text}}},
		{Publish: Text, Format: document.JSON, Paths: []Column{{Name: "$.a", Publish: Text, Tells: "name.last"}}},
	} {
		h := hash(c)
		if other, twice := seen[h]; twice {
			t.Errorf("%s has the hash of %s", c.Treatment(), other)
		}
		seen[h] = c.Treatment()
	}
	if got := fingerprint([]any{struct {
		Name, Tells, Publish, Domain string
	}{Publish: "text"}}); got != fingerprint([]any{Column{Publish: Text}}) {
		t.Error("a column without a format has another hash than before there were formats")
	}
}
