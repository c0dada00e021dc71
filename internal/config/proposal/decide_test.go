package proposal

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/plain"
)

// seen returns a column of a type after values were looked at.
func seen(name, dataType string, values ...string) *column {
	c := &column{name: name, dataType: dataType}
	for _, v := range values {
		c.add(v)
	}
	c.shape.distinct = len(values)
	return c
}

func TestDecideByValues(t *testing.T) {
	t.Parallel()
	const (
		prose = "Mrs. Varnabeck was seen and examined today, and went home with her daughter."
		rtf   = `{\rtf1\ansi Mrs. Varnabeck was seen.\par}`
		html  = "<html><body><p>Mrs. Varnabeck was seen.</p></body></html>"
	)
	for name, c := range map[string]struct {
		column *column
		want   config.Column
		why    string
	}{
		"prose":                {seen("x", "text", prose, prose, "no"), config.Column{Publish: config.Text}, "66 % of 3 values have at least five words"},
		"RTF":                  {seen("x", "text", rtf, rtf, rtf), config.Column{Publish: config.Text, Format: document.RTF}, "all of 3 values are rtf"},
		"RTF and text":         {seen("x", "text", rtf, prose, rtf, prose), config.Column{Publish: config.Text, Format: document.Auto}, "50 % of 4 values are rtf"},
		"RTF and HTML":         {seen("x", "text", rtf, html), config.Column{Publish: config.Text, Format: document.Auto}, "all of 2 values are rtf or html"},
		"JSON":                 {seen("x", "text", `{"a": "b c"}`, `[1, 2]`), config.Column{Publish: config.Drop}, "decide what of it is published: {publish: text, format: json}"},
		"text with some JSON":  {seen("x", "text", `{"a": "b c"}`, prose, prose), config.Column{Publish: config.Text, Format: document.Auto}, "33 % of 3 values are json"},
		"HTML in bytes":        {seen("x", "bytea", hexOf(html), hexOf(html)), config.Column{Publish: config.Text, Format: document.HTML}, "all of 2 values are html"},
		"text in bytes":        {seen("x", "bytea", hexOf(prose)), config.Column{Publish: config.Text, Format: document.Plain}, "all of 1 values are plain"},
		"names in bytes":       {seen("x", "bytea", hexOf("Varnabeck")), config.Column{Publish: config.Drop}, "not recognised"},
		"pictures":             {seen("x", "bytea", hexOf("\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")), config.Column{Publish: config.Drop}, "not recognised"},
		"a blob of Millennium": {seen("x", "bytea", hexOf(prose+"ocf_blob")), config.Column{Publish: config.Text, Format: document.Plain, Encoding: encoding.OCF}, "in ocf"},
		"documents and pictures": {
			seen("x", "bytea", hexOf(html), hexOf("\x89PNG\r\n\x1a\n\x00\x00\xff\xfe")),
			config.Column{Publish: config.Drop},
			"not recognised",
		},
		"dates":                  {seen("x", "text", "2024-03-02", "2024-03-05", "2023-01-31"), config.Column{Publish: config.ShiftDate}, "all of 3 values are dates"},
		"dates, the day first":   {seen("x", "text", "25/12/2023", "03/04/2024", "13/01/2024"), config.Column{Publish: config.ShiftDate, Order: plain.DayFirst}, "are dates"},
		"dates, the month first": {seen("x", "text", "12/25/2023", "03/04/2024", "01/13/2024"), config.Column{Publish: config.ShiftDate, Order: plain.MonthFirst}, "are dates"},
		"dates in either order":  {seen("x", "text", "03/04/2024", "05/06/2024", "07/08/2024"), config.Column{Publish: config.Drop}, "say which is first"},
		"numbers that are days":  {seen("x", "integer", "20240302", "20240305", "20230131"), config.Column{Publish: config.ShiftDate}, "are days as yyyymmdd"},
		"numbers that are not":   {seen("x", "integer", "20249302", "20240399", "20230131"), config.Column{Publish: config.Drop}, "may identify"},
		"days that never come":   {seen("x", "timestamp without time zone", "2024-03-02 10:00:00", "2100-12-31 00:00:00"), config.Column{Publish: config.Drop}, "50 % of 2 values are no days of patients"},
		"infinite days":          {seen("x", "date", "infinity", "2024-03-02"), config.Column{Publish: config.Drop}, "no days of patients"},
		"days":                   {seen("x", "date", "1950-03-02", "2024-03-02"), config.Column{Publish: config.ShiftDate}, "a date of the patient's"},
		"numbers that never come": {
			seen("x", "integer", "20240302", "20240305", "99991231", "20230131", "22001231", "20240302"),
			config.Column{Publish: config.Drop},
			"no days of patients",
		},
		"names": {
			seen("x", "text", "VARNABECK,OTTOLINDE Q", "O'Hara, Ann", "Szczepanówka-Lis, Zofia"),
			config.Column{Tells: record.NameFull, Publish: config.Surrogate},
			"the family name first",
		},
		"a diagnosis with a comma": {seen("x", "text", "fracture, closed", "asthma, mild", "burn, left hand"), config.Column{Publish: config.Drop}, "not recognised"},
		"a birthday as a number":   {seen("birth_date", "integer", "19500302", "19610405", "19720506"), config.Column{Tells: record.BirthDate, Publish: config.Year}, "only the year"},
	} {
		people := &table{schema: "ehr", name: "patient", key: []string{"patient_id"}, columns: []*column{{name: "patient_id", dataType: "integer"}, c.column}}
		db := &database{tables: []*table{people}}
		p := db.findPeople()
		got := (&decider{db, p, db.keyDomains(p), nil}).decide(people, c.column)
		c.want.Name = c.column.name
		if got.Publish != c.want.Publish || got.Tells != c.want.Tells || got.Format != c.want.Format || got.Encoding != c.want.Encoding || got.Order != c.want.Order {
			t.Errorf("%s: %s, want %s", name, got.value(), choice{Column: c.want}.value())
		}
		if !strings.Contains(got.why, c.why) {
			t.Errorf("%s: because %q, want %q", name, got.why, c.why)
		}
	}
}

func TestDecideByHints(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		column column
		want   config.Column
	}{
		"masked as a name":      {column{label: "MASKED WITH FUNCTION anon.dummy_last_name()"}, config.Column{Tells: record.NameLast, Publish: config.Surrogate}},
		"masked as free text":   {column{label: "MASKED WITH FUNCTION anon.lorem_ipsum( paragraphs := 2 )"}, config.Column{Publish: config.Text}},
		"masked as a telephone": {column{label: "MASKED WITH FUNCTION anon.partial(phone, 2, $$*$$, 2)"}, config.Column{Tells: record.Phone, Publish: config.Drop}},
		"masked":                {column{label: "MASKED WITH VALUE NULL"}, config.Column{Publish: config.Drop}},
		"said to be a name":     {column{comment: "the patient's family name"}, config.Column{Tells: record.NameLast, Publish: config.Surrogate}},
		"said to be secret":     {column{comment: "PHI, do not show"}, config.Column{Publish: config.Drop}},
		"said at length":        {column{comment: "how often the family name of the patient was changed by marriage or otherwise"}, config.Column{Publish: config.Drop}},
	} {
		col := c.column
		col.name, col.dataType = "x", "text"
		people := &table{schema: "ehr", name: "patient", key: []string{"patient_id"}, columns: []*column{{name: "patient_id", dataType: "integer"}, &col}}
		db := &database{tables: []*table{people}}
		p := db.findPeople()
		if got := (&decider{db, p, db.keyDomains(p), nil}).decide(people, &col); got.Publish != c.want.Publish || got.Tells != c.want.Tells {
			t.Errorf("%s: %s, want %s", name, got.value(), choice{Column: c.want}.value())
		}
	}
	if masked("NOT MASKED") || !masked("MASKED WITH VALUE 0") {
		t.Error("what is masked")
	}
}

func TestLineNumbers(t *testing.T) {
	t.Parallel()
	const prose = "Mrs. Varnabeck was seen and examined today, and went"
	columns := func() []*column {
		return []*column{
			{name: "note_id", dataType: "integer"},
			{name: "line", dataType: "integer"},
			{name: "kind", dataType: "text"},
			seen("short", "text", "yes"), seen("body", "text", prose, prose),
		}
	}
	for _, c := range []struct {
		key         []string
		order, text string
	}{
		{[]string{"note_id", "line"}, "line", "body"},
		{[]string{"line", "note_id"}, "line", "body"},
		{[]string{"note_id"}, "", "body"},
		{[]string{"line", "kind"}, "line", "body"},
		{[]string{"kind", "note_id"}, "", "body"},
		{nil, "", "body"},
	} {
		tab := &table{key: c.key, columns: columns()}
		if order, text := tab.lineNumber(), tab.lineText(); order != c.order || text != c.text {
			t.Errorf("key %v: %q and %q, want %q and %q", c.key, order, text, c.order, c.text)
		}
	}
}

func hexOf(s string) string { return hex.EncodeToString([]byte(s)) }
