package survey

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/risk"
)

func TestSetsOf(t *testing.T) {
	t.Parallel()
	if got := setsOf(3, 2); !slices.Equal(got, []uint64{1, 2, 4, 3, 5, 6}) {
		t.Errorf("%v", got)
	}
	if got := setsOf(2, 5); !slices.Equal(got, []uint64{1, 2, 3}) {
		t.Errorf("%v", got)
	}
	if got := setsOf(0, 3); got != nil {
		t.Errorf("%v", got)
	}
	for _, set := range setsOf(59, 1) {
		if int64(set) <= 0 {
			t.Errorf("set %x is no positive bigint", set)
		}
	}
}

func TestDepthOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ columns, wanted, want int }{{6, 3, 3}, {12, 3, 3}, {20, 3, 2}, {60, 3, 1}, {2, 3, 2}, {1, 1, 1}, {6, 1, 1}} {
		if got := depthOf(tt.columns, tt.wanted); got != tt.want {
			t.Errorf("%d of %d columns: %d, want %d", tt.wanted, tt.columns, got, tt.want)
		}
	}
}

func TestPathExpression(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"$.gender":                   `'lax $."gender"'`,
		"$.name[*].family":           `'lax $."name"[*]."family"'`,
		`$["it's a name"]`:           `'lax $."it''s a name"'`,
		"$.entry[*].r(Patient).sex":  `'lax $."entry"[*]."r" ? (@."resourceType" == "Patient")."sex"'`,
		`$["quote \" in it"].a-b`:    `'lax $."quote \" in it"."a-b"'`,
		`$["x\")); drop table y"].z`: `'lax $."x\")); drop table y"."z"'`,
	} {
		if got := pathExpression(`"doc"`, path); !strings.Contains(got, want+"::jsonpath") || !strings.Contains(got, `"doc"::text::jsonb`) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestNewField(t *testing.T) {
	t.Parallel()
	table := &config.Table{Schema: "ehr", Name: "patient"}
	for name, tt := range map[string]struct {
		column risk.Column
		typ    string
		kind   risk.Kind
		part   string
	}{
		"kept text":              {risk.Column{Table: table, Name: "sex", Publish: config.Keep}, "text", risk.Category, `"sex"::text`},
		"kept number":            {risk.Column{Table: table, Name: "code", Publish: config.Keep}, "integer", risk.Category, `"code"::text`},
		"year of a date":         {risk.Column{Table: table, Name: "born", Publish: config.Year}, "integer", risk.Number, `"born"::bigint`},
		"year of a text":         {risk.Column{Table: table, Name: "born", Publish: config.Year}, "text", risk.Number, `substring("born"::text`},
		"moved date of birth":    {risk.Column{Table: table, Name: "born", Publish: config.ShiftDate}, "date", risk.Number, "extract(year from"},
		"date of birth in text":  {risk.Column{Table: table, Name: "born", Publish: config.ShiftDate}, "text", risk.Number, "substring("},
		"age in words":           {risk.Column{Table: table, Name: "age", Publish: config.AgeCap}, "text", risk.Category, `"age"::text`},
		"age":                    {risk.Column{Table: table, Name: "age", Publish: config.AgeCap}, "smallint", risk.Number, `"age"::bigint`},
		"zip":                    {risk.Column{Table: table, Name: "zip", Publish: config.Zip3}, "text", risk.Category, `"zip"::text`},
		"path":                   {risk.Column{Table: table, Name: "doc", Path: "$.a", Publish: config.Keep}, "jsonb", risk.Category, "jsonb_path_query"},
		"year at a path":         {risk.Column{Table: table, Name: "doc", Path: "$.a", Publish: config.Year}, "jsonb", risk.Number, "jsonb_path_query"},
		"name that needs quotes": {risk.Column{Table: table, Name: `a"b`, Publish: config.Keep}, "text", risk.Category, `"a""b"::text`},
	} {
		f := newField(tt.column, tt.typ, 4)
		if f.kind != tt.kind || !strings.Contains(f.values, tt.part) || f.name() != "q4" {
			t.Errorf("%s: %s by %s", name, f.kind, f.values)
		}
	}
}

func TestChangesOf(t *testing.T) {
	t.Parallel()
	table := &config.Table{Schema: "ehr", Name: "patient"}
	s := &surveyor{Options: Options{Smallest: 11}, fields: []field{
		{column: risk.Column{Table: table, Name: "born"}, kind: risk.Number},
		{column: risk.Column{Table: table, Name: "race"}, kind: risk.Category, index: 1, facts: risk.Facts{Categories: 9, Small: 4}},
		{column: risk.Column{Table: table, Name: "sex"}, kind: risk.Category, index: 2, facts: risk.Facts{Categories: 2}},
		{column: risk.Column{Table: table, Name: "mark"}, kind: risk.Category, index: 3, facts: risk.Facts{Categories: 900, Small: 900}},
	}}
	var got []string
	for i := range s.fields {
		for _, c := range s.changesOf(i) {
			got = append(got, c.text+": "+c.becomes)
		}
	}
	want := []string{
		"publish ehr.patient.born in steps of 5: case when q0 = (-2147483648) then q0 else q0 / 5 end",
		"publish ehr.patient.born in steps of 10: case when q0 = (-2147483648) then q0 else q0 / 10 end",
		"do not publish ehr.patient.born: ",
		"put the 4 categories of ehr.patient.race with fewer than 11 patients into one: least(q1, 6)",
		"do not publish ehr.patient.race: ",
		"do not publish ehr.patient.sex: ",
		"do not publish ehr.patient.mark: ", // all of its categories are small: one would be left
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

func TestReadRegister(t *testing.T) {
	t.Parallel()
	r, err := ReadRegister(strings.NewReader("sex,count,ehr.address.zip\nF,10,123\nM,7,\n"))
	if err != nil || r.people != 17 || !slices.Equal(r.names, []string{"sex", "ehr.address.zip"}) || !slices.Equal(r.rows[1], []string{"M", ""}) {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, in := range map[string]string{
		"empty": "", "no count": "sex,zip\nF,1\n", "count alone": "count\n1\n", "short line": "sex,count\nF\n", "no number": "sex,count\nF,seventeen\n",
		"below zero": "sex,count\nF,-1\n",
	} {
		if _, err := ReadRegister(strings.NewReader(in)); err == nil {
			t.Errorf("%s: no error", name)
		} else if strings.Contains(err.Error(), "seventeen") {
			t.Errorf("%s: the error quotes a value: %v", name, err)
		}
	}
}

func FuzzReadRegister(f *testing.F) {
	f.Add("sex,count\nF,10\n")
	f.Add("\"a\nb\",count\n\"\",1")
	f.Fuzz(func(t *testing.T, in string) {
		r, err := ReadRegister(strings.NewReader(in))
		if err != nil {
			return
		}
		for _, row := range r.rows {
			if len(row) != len(r.names) {
				t.Fatalf("%d values for %d columns", len(row), len(r.names))
			}
		}
	})
}

func TestRegisterMatchesColumns(t *testing.T) {
	t.Parallel()
	a, b := &config.Table{Schema: "ehr", Name: "patient"}, &config.Table{Schema: "ehr", Name: "address"}
	fields := []field{{column: risk.Column{Table: a, Name: "sex"}}, {column: risk.Column{Table: a, Name: "state"}}, {column: risk.Column{Table: b, Name: "state"}}}
	for names, want := range map[string]bool{"sex": true, "ehr.address.state": true, "state": false, "zip": false, "ex": false} {
		_, err := (&Register{names: []string{names}}).match(fields)
		if (err == nil) != want {
			t.Errorf("%s: %v", names, err)
		}
	}
}

func TestDaysOf(t *testing.T) {
	t.Parallel()
	if got := daysOf([]int64{-secondsOfDay - 1, -1, 0, 5, secondsOfDay}); !slices.Equal(got, []int{-2, -1, 0, 1}) {
		t.Errorf("%v", got)
	}
	if got := daysOf(nil); got != nil {
		t.Errorf("%v", got)
	}
}

func TestOptionsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	cfg := config.Risk{
		Columns: []string{"a"}, Ignore: []string{"b"}, Sensitive: []string{"c"}, Visits: "d", Population: 7, SmallestClass: 5,
	}
	got := Options{}.Or(cfg)
	if got.Choice.Columns[0] != "a" || got.Choice.Ignore[0] != "b" || got.Sensitive[0] != "c" || got.Visits != "d" || got.Population != 7 || got.Smallest != 5 {
		t.Errorf("%+v", got)
	}
	flags := Options{Choice: risk.Choice{Columns: []string{"x"}, Ignore: []string{"y"}}, Sensitive: []string{"z"}, Visits: "v", Population: 1, Smallest: 2}
	if got := flags.Or(cfg); got.Choice.Columns[0] != "x" || got.Choice.Ignore[0] != "y" || got.Sensitive[0] != "z" || got.Visits != "v" ||
		got.Population != 1 || got.Smallest != 2 {
		t.Errorf("%+v", got)
	}
	if got := (Options{}).withDefaults(); got.Smallest != 11 || got.Depth != 3 || got.Sample != 1000 || got.Steps != 6 || time.Since(got.Today) > time.Hour {
		t.Errorf("%+v", got)
	}
}
