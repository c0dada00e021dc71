package deid

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// resources is a table with a key and a column of JSON with paths.
func resources(d *Deidentifier, policy config.Policy, paths ...config.Column) *schema.Table {
	t := column(config.Column{Publish: policy, Format: document.JSON, Paths: paths}, "jsonb", false)
	t.Columns[1].Describe(d.config, t)
	return t
}

// publishedJSON returns what becomes of a document.
func publishedJSON(t *testing.T, d *Deidentifier, table *schema.Table, doc string) (string, *Item) {
	t.Helper()
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present("1", doc)})
	it.Patient = quarkstein()
	d.Deidentify(t.Context(), it)
	if it.Out.Reason != "" || it.Out.Values[1] == nil {
		return "", it
	}
	return *it.Out.Values[1], it
}

func TestPoliciesOfPaths(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.now = func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }
	key := func(domain, text string) string { return d.key.PseudonymText(domain, text) }
	name := func() string {
		v, _, err := quarkstein().Open(d.Maker).Value(record.NameLast, "Quarkstein")
		if err != nil {
			t.Fatal(err)
		}
		return v
	}()
	for _, tt := range []struct {
		name     string
		path     config.Column
		doc      string
		want     string
		withheld bool
	}{
		{"kept", config.Column{Publish: config.Keep}, `{"v": [true, 1.50, "x"]}`, `{"v": [true, 1.50, "x"]}`, false},
		{"dropped", config.Column{Publish: config.Drop}, `{"v": "Quarkstein"}`, `null`, false},
		{
			"surrogate",
			config.Column{Publish: config.Surrogate, Tells: record.NameLast},
			`{"v": "Quarkstein"}`, `{"v": "` + name + `"}`, false,
		},
		{"key", config.Column{Publish: config.Pseudonym, Domain: "visit"}, `{"v": "a17"}`, `{"v": "` + key("visit", "a17") + `"}`, false},
		{
			"reference to a patient",
			config.Column{Publish: config.Pseudonym, Format: config.Reference},
			`{"v": "http://ehr/Patient/a17"}`, `{"v": "Patient/` + key("patient", "a17") + `"}`, false,
		},
		{
			"reference of another type",
			config.Column{Publish: config.Pseudonym, Format: config.Reference},
			`{"v": "Encounter/a17/_history/2"}`, `{"v": "Encounter/` + key("Encounter", "a17") + `"}`, false,
		},
		{
			"reference in a domain",
			config.Column{Publish: config.Pseudonym, Format: config.Reference, Domain: "visit"},
			`{"v": "Encounter/a17"}`, `{"v": "Encounter/` + key("visit", "a17") + `"}`, false,
		},
		{
			"reference to a resource within, which is left out",
			config.Column{Publish: config.Pseudonym, Format: config.Reference},
			`{"v": "#p1"}`, `{}`, true,
		},
		{
			"place of a resource",
			config.Column{Publish: config.Pseudonym, Format: config.URL},
			`{"v": "https://ehr.example.org/fhir/Patient/a17/_history/1"}`, `{"v": "https://example.org/fhir/Patient/` + key("patient", "a17") + `"}`, false,
		},
		{"request for a resource", config.Column{Publish: config.Pseudonym, Format: config.URL}, `{"v": "Patient?name=Quarkstein"}`, `{"v": "Patient"}`, false},
		{"request for anything", config.Column{Publish: config.Pseudonym, Format: config.URL}, `{"v": "Quarkstein?x"}`, `{}`, true},
		{
			"public system",
			config.Column{Publish: config.Pseudonym, Format: config.System},
			`{"v": "http://loinc.org"}`, `{"v": "http://loinc.org"}`, false,
		},
		{
			"system of a site",
			config.Column{Publish: config.Pseudonym, Format: config.System},
			`{"v": "http://quarkstein.example.org"}`, `{"v": "https://example.org/system/` + key("system", "http://quarkstein.example.org") + `"}`, false,
		},
		{"unit", config.Column{Publish: config.Keep, Format: config.Unit}, `{"v": "mg/dL"}`, `{"v": "mg/dL"}`, false},
		{"no unit", config.Column{Publish: config.Keep, Format: config.Unit}, `{"v": "Quarkstein"}`, `{}`, true},
		{"no unit, in an object", config.Column{Publish: config.Keep, Format: config.Unit}, `{"v": {"Quarkstein": "mg"}}`, `{}`, true},
		{"type of resources", config.Column{Publish: config.Keep, Format: config.ResourceType}, `{"v": "Patient"}`, `{"v": "Patient"}`, false},
		{
			"media type",
			config.Column{Publish: config.Keep, Format: document.MediaType},
			`{"v": "text/HTML; name=\"Quarkstein.html\"; charset=UTF-8"}`, `{"v": "text/html;charset=utf-8"}`, false,
		},
		{"no media type", config.Column{Publish: config.Keep, Format: document.MediaType}, `{"v": "image/Quarkstein"}`, `{}`, true},
		{"no reference", config.Column{Publish: config.Pseudonym, Format: config.Reference}, `{"v": "Dr. Quarkstein"}`, `{}`, true},
		{"date", config.Column{Publish: config.ShiftDate}, `{"v": "2021-03-14"}`, `{"v": "2021-03-04"}`, false},
		{"instant", config.Column{Publish: config.ShiftDate}, `{"v": "2021-03-14T10:20:30.125+02:00"}`, `{"v": "2021-03-04T10:20:30.125+02:00"}`, false},
		{"number", config.Column{Publish: config.ShiftDate}, `{"v": 20210314}`, `{"v": 20210304}`, false},
		{"no date", config.Column{Publish: config.ShiftDate}, `{"v": "when Quarkstein came"}`, `{}`, true},
		{"no date at all", config.Column{Publish: config.ShiftDate}, `{"v": {"Quarkstein": 1}}`, `{}`, true},
		{"year", config.Column{Publish: config.Year}, `{"v": "2021-01-04"}`, `{"v": "2020"}`, false},
		{"area", config.Column{Publish: config.Zip3}, `{"v": "02139"}`, `{"v": "021"}`, false},
		{"age", config.Column{Publish: config.AgeCap}, `{"v": 97}`, `{"v": 90}`, false},
		{"age in words", config.Column{Publish: config.AgeCap}, `{"v": "97 years"}`, `{"v": "90 years"}`, false},
		{"no age", config.Column{Publish: config.AgeCap}, `{"v": "Quarkstein"}`, `{}`, true},
		{"null", config.Column{Publish: config.AgeCap}, `{"v": null}`, `{"v": null}`, false},
	} {
		tt.path.Name = "$.v"
		got, it := publishedJSON(t, d, resources(d, config.ByPath, tt.path), tt.doc)
		if got != tt.want || slices.Contains(it.Out.Withheld, 1) != tt.withheld {
			t.Errorf("%s: %s (%s), withheld %v; want %s", tt.name, got, it.Out.Reason, it.Out.Withheld, tt.want)
		}
	}
}

// A date without its day keeps its precision, moves as the whole date does, and is always moved alike.
func TestPartialDates(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := resources(d, config.ByPath,
		config.Column{Name: "$.born", Publish: config.ShiftDate, Tells: record.BirthDate}, config.Column{Name: "$.seen", Publish: config.ShiftDate})
	for _, tt := range []struct{ doc, want string }{
		{`{"born": "1970-01"}`, `{"born": "1969-12"}`},
		{`{"born": "1970"}`, `{"born": "1969"}`},
		{`{"born": "1970-01-03"}`, `{"born": "1969-12-24"}`},
		{`{"seen": "2020-12-31T01:02:03Z"}`, `{"seen": "2020-12-21T01:02:03Z"}`},
	} {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present("1", tt.doc)})
		it.Patient = quarkstein()
		it.Patient.Gazetteer = record.NewGazetteer(record.Record{record.BirthDate: {"1970-01-03"}})
		if d.Deidentify(t.Context(), it); it.Out.Reason != "" || *it.Out.Values[1] != tt.want {
			t.Errorf("%s became %s (%s), want %s", tt.doc, *it.Out.Values[1], it.Out.Reason, tt.want)
		}
	}
	months := map[string]bool{}
	for _, seen := range []string{"2021-03", "2021-03", "2020", "2020", "2021-04", "2019-01", "2019-02", "2019-03", "2019-04", "2019-05", "2019-06"} {
		out, _ := publishedJSON(t, d, table, `{"seen": "`+seen+`"}`)
		var doc struct{ Seen string }
		if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Seen) != len(seen) || doc.Seen > seen {
			t.Fatalf("%s became %s", seen, out)
		}
		months[seen+doc.Seen] = true
	}
	if len(months) != 9 {
		t.Errorf("9 dates have %d forms: %v", len(months), months)
	}
}

// Keys in documents have the pseudonyms that the columns with these keys have.
func TestKeysInDocumentsJoin(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.config.PatientKey = config.Integer
	d.Reg.Plan.KeyTypes = map[string]string{"Encounter": "uuid", "bill": "bigint"}
	table := resources(d, config.ByPath,
		config.Column{Name: "$.subject", Publish: config.Pseudonym, Format: config.Reference},
		config.Column{Name: "$.encounter", Publish: config.Pseudonym, Format: config.Reference},
		config.Column{Name: "$.bill", Publish: config.Pseudonym, Domain: "bill"},
	)
	const visit = "0b8cae0e-0000-4000-8000-00000000000a"
	out, it := publishedJSON(t, d, table, `{"subject": "Patient/17", "encounter": "Encounter/`+visit+`", "bill": 17}`)
	plain := func(domain, typ, text string) string {
		v, err := plainPolicy(d.config, d.key, &schema.Column{Column: config.Column{Publish: config.Pseudonym, Domain: domain}, Typ: typ}, text, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	want := `{"subject": "Patient/` + plain("patient", "bigint", "17") + `", "encounter": "Encounter/` + plain("Encounter", "uuid", visit) +
		`", "bill": ` + plain("bill", "bigint", "17") + `}`
	if out != want {
		t.Errorf("%s (%s), want %s", out, it.Out.Reason, want)
	}
	if out, it := publishedJSON(t, d, table, `{"subject": "Patient/1.5", "bill": 1.5}`); out != "{}" || len(it.Out.Withheld) == 0 {
		t.Errorf("what is no key became %s", out)
	}
	want = `{"subject": "Patient/` + plain("name", "text", "Quarkstein") + `"}`
	if out, it := publishedJSON(t, d, table, `{"subject": "Patient/Quarkstein"}`); len(out) != len(want) || strings.Contains(out, "Quark") || len(it.Out.Withheld) > 0 {
		t.Errorf("a name where others are numbered became %s, want one like %s", out, want)
	}
}

// Resources within another one are led to where they are published.
func TestReferencesWithin(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := resources(d, config.ByPath,
		config.Column{Name: "$.contained[*].id", Publish: config.Pseudonym, Domain: containedDomain},
		config.Column{Name: "$.subject.reference", Publish: config.Pseudonym, Format: config.Reference})
	id := d.key.PseudonymText(containedDomain, "p1")
	if out, _ := publishedJSON(t, d, table, `{"contained": [{"id": "p1"}], "subject": {"reference": "#p1"}}`); out !=
		`{"contained": [{"id": "`+id+`"}], "subject": {"reference": "#`+id+`"}}` {
		t.Error(out)
	}
}

// What a terminology has stays in texts, and all else is searched.
func TestCodesAmongTexts(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("8867-4")
	table := resources(d, config.Text,
		config.Column{Name: "$[*].system", Publish: config.Pseudonym, Format: config.System},
		config.Column{Name: "$[*].code", Publish: config.Text, Format: config.Code},
		config.Column{Name: "$[*].unit", Publish: config.Text, Format: config.Unit})
	for doc, stays := range map[string]bool{
		`[{"code": "8867-4", "system": "http://loinc.org"}]`:                    true,
		`[{"system": "http://loinc.org", "unit": "mg", "code": "\u0038867-4"}]`: true,
		`[{"code": "8867-4"}]`: false,
		`[{"code": "8867-4", "system": "http://quarkstein.example.org"}]`: false,
		`[{"code": "of 8867-4", "system": "http://loinc.org"}]`:           false,
		`[{"unit": "for 8867-4"}]`:                                        false,
		`[{"code": {"x": ["8867-4"]}, "system": "http://loinc.org"}]`:     false,
	} {
		out, it := publishedJSON(t, d, table, doc)
		if it.Out.Reason != "" || strings.Contains(out, "867-4") != stays || strings.Contains(out, "quark") || !json.Valid([]byte(out)) {
			t.Errorf("%s became %s (%s)", doc, out, it.Out.Reason)
		}
	}
}

// Texts at paths, also of documents in strings, are searched as one note, and what is wrong costs the row.
func TestTextsAtPaths(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	table := resources(d, config.Text,
		config.Column{Name: "$.div", Publish: config.Text, Format: document.HTML},
		config.Column{Name: "$.family", Publish: config.Surrogate, Tells: record.NameLast},
		config.Column{Name: "$.seen", Publish: config.ShiftDate},
	)
	out, it := publishedJSON(t, d, table,
		`{"div": "<p>Mr. Quark<b>stein</b> ate.</p>", "family": "Quarkstein", "seen": "2021-03-14", "x": "Quarkstein"}`)
	var doc struct{ Div, Family, Seen string }
	if err := json.Unmarshal([]byte(out), &doc); err != nil || it.Out.Reason != "" || strings.Contains(out, "uark") {
		t.Fatalf("%v, %s: %s", err, it.Out.Reason, out)
	}
	if doc.Seen != "2021-03-04" || doc.Div != "<p>Mr. "+doc.Family+"<b></b> ate.</p>" || len(it.Out.Texts) != 1 || len(it.Out.Texts[0].Spans) != 1 {
		t.Errorf("got %s with %+v", out, it.Out.Texts)
	}
	for doc, want := range map[string]vault.Reason{
		`{"div": "x"`: vault.BadFormat, `{"family": "` + strings.Repeat("x ", 1<<16) + `"}`: vault.SurrogateFail,
	} {
		if out, it := publishedJSON(t, d, table, doc); out != "" || it.Out.Reason != want {
			t.Errorf("%.20s: %.20s, %s", doc, out, it.Out.Reason)
		}
	}
}
