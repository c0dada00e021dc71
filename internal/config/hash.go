package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Hash returns 32 hexadecimal digits of what decides the output:
// tables and policies, profile, actions, date shifts, detectors and the site's own
// models with the hashes of their files, but not connections, limits and folders. It
// is stored with each text and with the position, so that rows made under another
// mapping can be recognised. What the program itself brings, rules and default models, is no
// part of the mapping: a new version of it must not make the position useless.
func (c *Config) Hash() string {
	actions := map[string]string{}
	for t, a := range c.Surrogates.Actions {
		actions[t.String()] = string(a)
	}
	return fingerprint(append([]any{
		c.Surrogates.Profile, actions, c.Surrogates.Dates, c.Detect.essence(), c.PatientKey, c.sortedTables(),
	}, c.filterParts()...))
}

// SchemaHash returns 32 hexadecimal digits that identify what "migrate up" makes of
// the mapping: tables, columns and policies. The research tables and what they say of
// their columns are true for rows made under these alone.
func (c *Config) SchemaHash() string {
	return fingerprint(append([]any{c.PatientKey, c.sortedTables()}, c.filterParts()...))
}

// filterParts returns the filters, in an order that does not depend on the file's; nothing
// where there are none.
func (c *Config) filterParts() []any {
	ids := make([]string, len(c.Filters))
	for i := range c.Filters {
		ids[i] = c.Filters[i].ID()
	}
	slices.Sort(ids)
	parts := make([]any, len(ids))
	for i, id := range ids {
		parts[i] = id
	}
	return parts
}

// ID returns 32 hexadecimal digits that name what the filter says.
func (f *Filter) ID() string { return fingerprint([]any{f.Kind, f.Table, f.Patient, f.Into, f.When}) }

// sortedTables returns the tables in an order that does not depend on the file's.
func (c *Config) sortedTables() []Table {
	tables := slices.Clone(c.Tables)
	slices.SortFunc(tables, func(a, b Table) int {
		return strings.Compare(a.FullName(), b.FullName())
	})
	for i := range tables {
		tables[i].Columns = slices.Clone(tables[i].Columns)
		slices.SortFunc(tables[i].Columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	}
	return tables
}

func fingerprint(parts []any) string {
	data, err := json.Marshal(parts)
	if err != nil { // none of these types can fail to marshal
		data = []byte(err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// essence is of a Detect what decides the output, with types by their names, which
// stay while numbers may move.
func (d *Detect) essence() any {
	type essence struct {
		Detectors []string
		Threshold int
		Models    []any `json:",omitempty"`
		// By is nil for the default way.
		By any `json:",omitempty"`
		// Combining is nil where the configuration says nothing of it.
		Combining any `json:",omitempty"`
	}
	e := essence{Detectors: d.Detectors, Threshold: d.Threshold, By: d.Aggregation.essence(), Combining: d.Combining.essence()}
	if len(d.Models) == 1 && d.Models[0].Default && !d.Models[0].Fast {
		return e
	}
	e.Models = []any{"models"} // that there are none differs from what is the default
	for i := range d.Models {
		e.Models = append(e.Models, d.Models[i].essence())
	}
	return e
}

// Word is the name of the models of the program in a list.
func (m *Model) Word() string {
	if m.Fast {
		return ModelsFast
	}
	return ModelsDefault
}

func (m *Model) essence() any {
	if m.Default {
		return m.Word()
	}
	labels := map[string]string{}
	for label, t := range m.Labels {
		labels[label] = t.String()
	}
	members := make([]any, len(m.Members))
	for i := range m.Members {
		members[i] = m.Members[i].essence()
	}
	return []any{m.Sums, m.Labels != nil, labels, members}
}

func (m *Member) essence() any {
	types, thresholds := []string{}, map[string]float64{}
	for _, t := range m.Types {
		types = append(types, t.String())
	}
	slices.Sort(types)
	for t, p := range m.Thresholds {
		thresholds[t.String()] = p
	}
	return []any{m.Name, types, m.Normalize, m.Rank(), m.Threshold, m.Alone, m.RecallBias, thresholds}
}
