package config

import (
	"strings"
	"testing"
)

func TestReplicaType(t *testing.T) {
	for _, tt := range []struct {
		policy     Policy
		from, want string // want "": refused
	}{
		{Keep, "numeric(10,2)", "numeric(10,2)"},
		{Keep, "text[]", "text[]"},
		{Pseudonym, "integer", "integer"},
		{Pseudonym, "bigint", "bigint"},
		{Pseudonym, "uuid", "uuid"},
		{Pseudonym, "character varying(10)", "text"},
		{Pseudonym, "smallint", "integer"},
		{Pseudonym, "numeric", "bigint"},
		{Pseudonym, "numeric(10)", "bigint"},
		{Pseudonym, "numeric(10,0)", "bigint"},
		{Pseudonym, "numeric(10,2)", ""},
		{Pseudonym, "date", ""},
		{ShiftDate, "date", "date"},
		{ShiftDate, "timestamp(3) without time zone", "timestamp(3) without time zone"},
		{ShiftDate, "text", "text"},
		{ShiftDate, "character varying(10)", "text"},
		{ShiftDate, "integer", "integer"},
		{ShiftDate, "smallint", ""},
		{ShiftDate, "numeric(8,0)", ""},
		{Text, "character varying(1950)", "text"},
		{Text, "bytea", ""},
		{Surrogate, "character(2)", "text"},
		{Surrogate, "date", ""},
		{Surrogate, "bigint", ""},
		{Zip3, "character(5)", "text"},
		{Year, "timestamp with time zone", "integer"},
		{Year, "integer", "integer"},
		{Year, "numeric", ""},
		{AgeCap, "smallint", "smallint"},
		{AgeCap, "text", "text"},
		{AgeCap, "date", ""},
		{Policy("x"), "text", ""},
	} {
		got, err := ReplicaType(tt.policy, tt.from)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s of %s: got %q, %v, want %q", tt.policy, tt.from, got, err, tt.want)
		}
	}
	if got, err := ReplicaType(Drop, "bytea"); got != "" || err != nil {
		t.Errorf("drop: got %q, %v", got, err)
	}
}

func TestEveryPolicyIsExplained(t *testing.T) {
	said := map[string]Policy{}
	for _, p := range Policies() {
		text := p.Explain()
		if other, twice := said[text]; twice || text == "" {
			t.Errorf("%s says the same as %s", p, other)
		}
		said[text] = p
	}
}

// A column of large objects holds their numbers alone.
func TestLargeObjectsAreRefused(t *testing.T) {
	t.Parallel()
	for _, p := range []Policy{Keep, Pseudonym, Text, ByPath} {
		if _, err := (&Column{Publish: p}).ReplicaType("oid"); err == nil || !strings.Contains(err.Error(), "large object") {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := (&Column{Publish: Drop}).ReplicaType("oid"); err != nil {
		t.Error(err)
	}
}
