package proposal

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Columns of many values are recognised by what stands between values that look alike, or, where the name says what a column
// holds, between names and numbers of any form. No value is in what is said of it.
func TestListsAreRecognised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		column *column
		want   string // the line of the mapping, but for its reason
		why    string // a part of the reason
	}{
		"telephones": {
			seen("reach", "text", "617-555-0100; 617-555-0111", "617-555-0122", "617-555-0133;617-555-0144"),
			`{tells: phone, separator: ";"}`, `66 % of 3 values hold several with ";" between them`,
		},
		"one list among many": {
			seen("telephone", "text", "617-555-0100", "617-555-0111", "617-555-0122", "617-555-0133 / 617-555-0144"),
			`{tells: phone, separator: "/"}`, `25 % of 4 values`,
		},
		"lines":                   {seen("x", "text", "617-555-0100\n617-555-0111", "617-555-0122\n617-555-0133"), `{tells: phone, separator: "\n"}`, "all of 2"},
		"telephones with words":   {seen("phone", "text", "home 555-0100; cell 555-0111", "555-0122"), `{tells: phone, separator: ";"}`, "50 %"},
		"e-mail":                  {seen("x", "text", "ann@example.org, bea@example.org", "cyd@example.org"), `{tells: email, separator: ","}`, "50 %"},
		"names with commas":       {seen("x", "text", "Varnabeck, Ott; O'Hara, Ann", "Quark, Zeb"), `{tells: name.full, publish: surrogate, separator: ";"}`, "50 %"},
		"aliases":                 {seen("aliases", "text", "Waldgeist|Nachtigall", "Ostrowe"), `drop`, ""},
		"maiden names":            {seen("maiden_name", "text", "Waldgeist|Nachtigall", "Ostrowe"), `{tells: name.alias, separator: "|"}`, "50 %"},
		"dates":                   {seen("x", "text", "2024-03-02; 2024-03-05", "2024-03-07"), `{publish: date_shift, separator: ";"}`, "are dates"},
		"numbers":                 {seen("mrn", "text", "M-17;M-18", "M-19"), `{tells: mrn, separator: ";"}`, "50 %"},
		"two separators":          {seen("phone", "text", "617-555-0100; 617-555-0111", "617-555-0122; 617-555-0133", "617-555-0144, 617-555-0155"), `{tells: phone, separator: ";"}`, `and others with [","]`},
		"one telephone":           {seen("phone", "text", "(617) 555-0100", "617/555/0111", "617-555-0122;"), `{tells: phone}`, ""},
		"birthdays":               {seen("birth_date", "text", "1950-03-02; 1951-03-02", "1952-03-02", "1953-03-02"), `{tells: birth_date, publish: year}`, ""},
		"dates with slashes":      {seen("x", "text", "25/12/2023", "13/01/2024", "14/01/2024"), `date_shift`, "are dates"},
		"a name with HTML":        {seen("last_name", "text", "O&apos;Hara", "D&apos;Arcy"), `{tells: name.last, publish: surrogate}`, ""},
		"an address":              {seen("street", "text", "12 Main St; Apt 4", "14 Main St"), `{tells: street}`, ""},
		"prose":                   {seen("x", "text", "Mrs. Varnabeck was seen; she was well, and went home; all was fine."), `text`, ""},
		"a list that is not text": {seen("phone", "text[]", "617-555-0100; 617-555-0111"), `drop`, ""},
		"a list that is too long": {seen("x", "text", strings.Repeat("617-555-0100; ", 100)), `text`, ""},
		"a telephone and a remark": {
			seen("x", "text", "617-555-0100; see chart", "617-555-0111", "617-555-0122", "617-555-0133", "617-555-0144"),
			`{tells: phone, separator: ";"}`, "20 % of 5 values hold several",
		},
		"an address of several ZIP": {seen("zip", "text", "02139; 02140", "02141"), `{tells: zip, publish: zip3, separator: ";"}`, "50 %"},
	} {
		people := &table{schema: "ehr", name: "patient", key: []string{"patient_id"}, columns: []*column{{name: "patient_id", dataType: "integer"}, c.column}}
		db := &database{tables: []*table{people}}
		p := db.findPeople()
		got := (&decider{db, p, db.keyDomains(p), nil}).decide(people, c.column)
		if got.value() != c.want || !strings.Contains(got.why, c.why) {
			t.Errorf("%s: %s, because %q; want %s, because %q", name, got.value(), got.why, c.want, c.why)
		}
		for _, planted := range []string{"0100", "Varnabeck", "Waldgeist", "ann@", "M-17", "Main"} {
			if strings.Contains(got.why, planted) {
				t.Errorf("%s: a value is in %q", name, got.why)
			}
		}
	}
}

// What a table that belongs to nobody tells is still searched for value by value.
func TestListsOfStaff(t *testing.T) {
	t.Parallel()
	w := written{choices: []choice{
		{Column: config.Column{Name: "a", Tells: "phone", Publish: config.Surrogate, Separator: ";"}},
		{Column: config.Column{Name: "b", Publish: config.ShiftDate, Separator: ";"}},
	}}.withoutPatient()
	if a, b := w.choices[0].value(), w.choices[1].value(); a != `{tells: phone, separator: ";"}` || b != "drop" {
		t.Errorf("%s and %s", a, b)
	}
}
