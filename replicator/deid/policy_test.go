package deid

import (
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

func TestShiftDate(t *testing.T) {
	move := func(d time.Time) time.Time { return d.AddDate(0, 0, -10) }
	for _, c := range []struct{ text, typ, want string }{
		{"2021-03-04", "date", "2021-02-22"},
		{"2021-03-04 05:06:07", "timestamp without time zone", "2021-02-22 05:06:07"},
		{"2021-03-04 05:06:07.00012", "timestamp without time zone", "2021-02-22 05:06:07.00012"},
		{"2021-03-04 05:06:07+00", "timestamp with time zone", "2021-02-22 05:06:07+00"},
		{"infinity", "date", "infinity"},
		{"0044-03-15 BC", "date", ""},
		{"12021-03-04", "date", ""},
		{"9999-12-31", "date", ""},
		{"1000-01-03", "date", ""},
		{"2021-03-04", "text", "2021-02-22"},
		{"20210304", "integer", "20210222"},
		{"20210304", "text", "20210222"},
		{"04-MAR-2021", "text", "22-Feb-2021"},
		{"03/24/2021", "text", "03/14/2021"},
		{"03/04/2021", "text", ""},
		{"infinity", "text", ""},
		{"2021", "integer", ""},
		{"seen 2021-03-04", "text", ""},
	} {
		got, err := shiftDate(c.text, &schema.Column{Typ: c.typ}, move)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s %q: got %q, %v", c.typ, c.text, got, err)
		}
		if err != nil && strings.Contains(err.Error(), c.text) {
			t.Errorf("the error quotes the value: %v", err)
		}
	}
}

func TestPlainPolicies(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		policy      config.Policy
		tells, text string
		want        string // "" for an error
	}{
		{config.Keep, "", "x y", "x y"},
		{config.Zip3, "", "02139-1234", "021"},
		{config.Zip3, "", "03601", "000"},
		{config.Zip3, "", "K1A 0B1", "000"},
		{config.Zip3, "", "12", "000"},
		{config.Zip3, "", "02139 Cambridge", "000"},
		{config.Year, "", "1931-05-06", "1931"},
		{config.Year, "birth_date", "1931-05-06", "1936"},
		{config.Year, "birth_date", "1950", "1950"},
		{config.Year, "", "unknown", ""},
		{config.Year, "", "0044-03-15 BC", ""},
		{config.AgeCap, "", "89", "89"},
		{config.AgeCap, "", "90", "90"},
		{config.AgeCap, "", "103", "90"},
		{config.AgeCap, "", "91.5", "90"},
		{config.AgeCap, "", "92 years", "90 years"},
		{config.AgeCap, "", "old", ""},
		{config.AgeCap, "", "45 yo, Zarkovin of 12 Elm Street, tel 415-555-1234", ""},
		{config.AgeCap, "", "12/04/1956", ""},
		{config.Year, "birth_date", "19250317", "1936"},
		{config.Year, "birth_date", "19790305", "1979"},
		{config.Year, "birth_date", "03/05/1979", "1979"},
		{config.Year, "birth_date", "05-MAR-1979", "1979"},
		{config.Year, "", "19791332", ""},
		{config.Year, "", "infinity", ""},
		{config.Text, "", "x", ""},
	} {
		col := &schema.Column{Column: config.Column{Publish: c.policy, Tells: record.Role(c.tells)}, Typ: "text"}
		got, err := plainPolicy(&config.Config{}, nil, col, c.text, now)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s %q: got %q, %v", c.policy, c.text, got, err)
		}
	}
}

func TestPseudonymsJoin(t *testing.T) {
	key := schematest.Key(t)
	cfg := &config.Config{PatientKey: config.Integer}
	publish := func(typ, domain, text string) string {
		col := &schema.Column{Column: config.Column{Publish: config.Pseudonym, Domain: domain}, Typ: typ}
		got, err := plainPolicy(cfg, key, col, text, time.Time{})
		if err != nil {
			return ""
		}
		return got
	}
	same := publish("integer", config.PatientDomain, "17")
	if same == "" || same == "17" || publish("bigint", config.PatientDomain, "17") != same || publish("text", config.PatientDomain, " 17") != same {
		t.Error("a patient key has several pseudonyms")
	}
	if publish("integer", "visit", "17") == same {
		t.Error("domains share pseudonyms")
	}
	if publish("integer", "visit", "x") != "" || publish("uuid", "visit", "17") != "" {
		t.Error("a value that is no key has a pseudonym")
	}
	id := publish("uuid", "visit", "0B8CAE0E-0000-4000-8000-00000000000A")
	if len(id) != 36 || id != publish("uuid", "visit", "0b8cae0e-0000-4000-8000-00000000000a") {
		t.Errorf("UUID: %q", id)
	}
}

func TestArrayLiteral(t *testing.T) {
	if got := schema.ArrayLiteral([]string{"a", `b"c\d`, "", "NULL", "{,}"}); got != `{"a","b\"c\\d","","NULL","{,}"}` {
		t.Error(got)
	}
}

func TestRowKeysDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, key := range [][]string{{"a", "b"}, {"ab"}, {"a,b"}, {"", "ab"}, {"1:a", "b"}} {
		for _, k := range []string{schema.RowKey(key), schema.KeyString(key)} {
			if seen[k] {
				t.Errorf("%q stands for two keys", k)
			}
			seen[k] = true
		}
	}
}
