package config

import (
	"slices"
	"testing"
)

// The schema's hash depends on tables and policies, and on nothing that changes no table.
func TestSchemaHash(t *testing.T) {
	t.Parallel()
	config := func() *Config {
		return &Config{PatientKey: Integer, Tables: []Table{
			{Schema: "ehr", Name: "a", Columns: []Column{{Name: "x", Publish: Keep}, {Name: "y", Publish: Keep}}},
			{Schema: "ehr", Name: "b"},
		}}
	}
	was := config().SchemaHash()
	same := config()
	slices.Reverse(same.Tables)
	slices.Reverse(same.Tables[1].Columns)
	same.Detect.Threshold = 7
	if got := same.SchemaHash(); got != was {
		t.Error("order or detection changes it")
	}
	for what, change := range map[string]func(*Config){
		"policy": func(c *Config) { c.Tables[0].Columns[1].Publish = ShiftDate }, "table": func(c *Config) { c.Tables = c.Tables[:1] },
		"column": func(c *Config) { c.Tables[0].Columns[0].Name = "z" }, "key": func(c *Config) { c.PatientKey = TextKey },
	} {
		c := config()
		change(c)
		if c.SchemaHash() == was {
			t.Errorf("another %s, the same hash", what)
		}
	}
}
