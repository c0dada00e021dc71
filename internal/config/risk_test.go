package config

import (
	"slices"
	"strings"
	"testing"
)

func TestRiskIsRead(t *testing.T) {
	t.Parallel()
	c, err := withFilters(`risk:
  columns: [ehr.patient.opted_out]
  ignore: [ehr.visit.kind]
  sensitive: [ehr.visit.body]
  visits: ehr.visit.at
  population: 8000000000
  smallest_class: 20`)
	if err != nil {
		t.Fatal(err)
	}
	r := c.Risk
	if !slices.Equal(r.Columns, []string{"ehr.patient.opted_out"}) || !slices.Equal(r.Ignore, []string{"ehr.visit.kind"}) ||
		!slices.Equal(r.Sensitive, []string{"ehr.visit.body"}) || r.Visits != "ehr.visit.at" || r.Population != 8_000_000_000 || r.SmallestClass != 20 {
		t.Errorf("%+v", r)
	}
	plain, err := withFilters("")
	if err != nil || plain.Risk.SmallestClass != 11 {
		t.Errorf("%+v, %v", plain.Risk, err)
	}
	if plain.Hash() != c.Hash() {
		t.Error("how risk is measured changes what is published")
	}
}

func TestRiskRefused(t *testing.T) {
	t.Parallel()
	for line, part := range map[string]string{
		"risk: {smallest_class: 1}":       "at least 2",
		"risk: {smallest_class: 0}":       "whole number",
		"risk: {population: -3}":          "whole number",
		"risk: {column: [a.b.c]}":         "unknown key",
		"risk: {columns: [a.b.c, a.b.c]}": "twice",
	} {
		if _, err := withFilters(line); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
