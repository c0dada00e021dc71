package record_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

func TestUnmarshalRecord(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]record.Record{
		`{}`:                              {},
		`null`:                            {},
		`{"name.first":"Ann"}`:            {record.NameFirst: {"Ann"}},
		`{"name.first":["Ann","Zoe"]}`:    {record.NameFirst: {"Ann", "Zoe"}},
		`{"phone":["1","","2","1"]}`:      {record.Phone: {"1", "2"}},
		`{"phone":null,"zip":[null,"1"]}`: {record.Zip: {"1"}},
		`{"phone":"","mrn":[]}`:           {},
		`{"mrn":"1","birth_date":"2001-02-03","health_plan":"x"}`: {record.MRN: {"1"}, record.BirthDate: {"2001-02-03"}, record.Plan: {"x"}},
	} {
		got := record.Record{record.City: {"of before"}}
		if err := json.Unmarshal([]byte(in), &got); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if in != "null" && !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %d roles, want %d", in, len(got), len(want))
		}
	}
}

// An error names the role and no value.
func TestUnmarshalRecordRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`[]`:                          "want an object",
		`"Zorvakian"`:                 "want an object",
		`{"surname":"Zorvakian"}`:     "surname",
		`{"name.last":{"a":"Zorva"}}`: "name.last: want a string or a list",
		`{"mrn":7741903}`:             "mrn: want a string or a list",
		`{"mrn":["a",7741903]}`:       "mrn: want a string or a list",
	} {
		var r record.Record
		err := json.Unmarshal([]byte(in), &r)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Zorva") || strings.Contains(err.Error(), "7741903") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func TestParseRole(t *testing.T) {
	t.Parallel()
	for _, role := range record.Roles() {
		if got, err := record.ParseRole(string(role)); err != nil || got != role {
			t.Errorf("%s: %s, %v", role, got, err)
		}
	}
	for _, s := range []string{"", "name", "Name.First", "mrn "} {
		if _, err := record.ParseRole(s); err == nil || !strings.Contains(err.Error(), "name.first") {
			t.Errorf("%q: %v", s, err)
		}
	}
	roles := record.Roles()
	roles[0] = "changed"
	if record.Roles()[0] == "changed" {
		t.Error("a caller changes the list of roles")
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	r := record.Record{}
	for _, v := range []string{"Ann", "", "Zoe", "Ann"} {
		r.Add(record.NameFirst, v)
	}
	if !slices.Equal(r[record.NameFirst], []string{"Ann", "Zoe"}) || len(r) != 1 {
		t.Errorf("%d roles, %d names", len(r), len(r[record.NameFirst]))
	}
}

// However a record is printed, its values are not.
func TestRecordRedacted(t *testing.T) {
	t.Parallel()
	r := record.Record{record.NameLast: {"Zorvakian"}, record.MRN: {"ZK7741903"}}
	for _, s := range []string{fmt.Sprint(r), fmt.Sprintf("%v %+v %#v %s %q", r, r, r, r, r), fmt.Sprint(&r), r.LogValue().String()} {
		if strings.Contains(s, "Zorvakian") || strings.Contains(s, "7741903") || !strings.Contains(s, "2 roles") {
			t.Error(s)
		}
	}
}

// Empty records and values make gazetteers that find nothing and hold nothing.
func TestGazetteerOfNothing(t *testing.T) {
	t.Parallel()
	odd := []string{"", " ", "-", "'", "(", "\u0301", "\u200b", ",", ".", "MD", "Jr.", "n/a", "?"}
	for _, role := range record.Roles() {
		g := record.NewGazetteer(record.Record{role: odd})
		if leaks := g.Leaks("Nothing is here - and ' that , is . all (MD) of it? Jr. n/a"); len(leaks) > 0 {
			t.Errorf("%s: %v", role, leaks)
		}
		if g.Holds("") || g.Holds("nothing") || len(g.Record()) != 1 {
			t.Errorf("%s holds something", role)
		}
	}
	var none *record.Gazetteer
	if none.Record() != nil || none.Holds("ann") || len(none.Leaks("Ann")) > 0 || none.Read("Ann") != "Ann" {
		t.Error("no gazetteer holds something")
	}
}
