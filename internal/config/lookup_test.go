package config

import (
	"slices"
	"strings"
	"testing"
)

func example(t *testing.T) *Config {
	t.Helper()
	c, err := Parse([]byte(whole), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLeavingAndRead(t *testing.T) {
	c := example(t)
	for _, tt := range []struct {
		table         string
		leaving, read []string
	}{
		{"patient", []string{"patient_id", "given_name", "ssn", "zip"}, []string{"patient_id", "given_name", "ssn", "zip"}},
		{"encounter", []string{"pk", "encounter_id", "patient_id", "admitted"}, []string{"pk", "patient_id", "encounter_id"}},
		{"note_line", []string{"pk", "note_id", "line", "body", "encounter_id"}, nil},
	} {
		table, ok := c.Table("ehr", tt.table)
		if !ok {
			t.Fatal(tt.table)
		}
		pk := []string{"pk"}
		if tt.table == "patient" {
			pk = []string{"patient_id"}
		}
		if got := c.Leaving(table, pk); !slices.Equal(got, tt.leaving) {
			t.Errorf("%s: leaving %v, want %v", tt.table, got, tt.leaving)
		}
		if got := c.Read(table, pk); !slices.Equal(got, tt.read) {
			t.Errorf("%s: read %v, want %v", tt.table, got, tt.read)
		}
	}
	if _, ok := c.Table("ehr", "none"); ok {
		t.Error("found a table that is not mapped")
	}
	line, _ := c.Table("ehr", "note_line")
	if next, ok := c.Next(line); !ok || next.Name != "encounter" {
		t.Errorf("next of note_line: %v", next)
	}
}

func TestHash(t *testing.T) {
	hash := func(file string) string {
		c, err := Parse([]byte(file), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash()
	}
	base := hash(whole)
	if len(base) != 32 {
		t.Errorf("hash %q: want 32 digits", base)
	}
	for _, same := range [][2]string{
		{"slot: research", "slot: other"},
		{"workers: 3", "workers: 4"},
		{"http: 127.0.0.1:9999", "http: ''"},
		{"{note_id: pseudonym, line: keep, body: text}", "{line: keep, body: text, note_id: pseudonym}"},
	} {
		if hash(strings.Replace(whole, same[0], same[1], 1)) != base {
			t.Errorf("%s changes the hash", same[1])
		}
	}
	for _, other := range [][2]string{
		{"max_days: 70", "max_days: 77"},
		{"line: keep", "line: drop"},
		{"tells: ssn", "tells: mrn"},
		{"profile: limited", "profile: custom"},
		{"HOSPITAL: tag", "HOSPITAL: keep"},
		{"threshold: 2", "threshold: 1"},
		{"domain: staff", "domain: people"},
	} {
		if hash(strings.Replace(whole, other[0], other[1], 1)) == base {
			t.Errorf("%s does not change the hash", other[1])
		}
	}
}
