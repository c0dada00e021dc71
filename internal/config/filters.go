package config

import (
	"maps"
	"slices"
)

// FilterKind says what a row of a filter's table means.
type FilterKind string

// What rows of filters mean.
const (
	Exclude FilterKind = "exclude" // its patient is not published
	Include FilterKind = "include" // only patients with such a row are published
	Merges  FilterKind = "merges"  // its id stands for another one, under which the patient is known
)

// Filter decides by the rows of a table of the source which patients the replica has.
type Filter struct {
	Kind    FilterKind
	Table   string    // "schema.name"
	Patient []string  // the columns that hold the patient key: one, unless it has several
	Into    []string  `json:",omitempty"` // of merges: the columns with the id that is stood for
	When    Condition // which rows count; default all
}

// Columns returns the columns of its table that a filter needs.
func (f *Filter) Columns() []string { return slices.Concat(f.Patient, f.Into, f.When.Columns()) }

// Includes reports whether rows let their patient in.
func (f *Filter) Includes() bool { return f.Kind == Include }

// Filtered reports whether not every patient is published.
func (c *Config) Filtered() bool {
	return slices.ContainsFunc(c.Filters, func(f Filter) bool { return f.Kind != Merges })
}

// Merging reports whether rows of the source say that one patient id stands for another.
func (c *Config) Merging() bool {
	return slices.ContainsFunc(c.Filters, func(f Filter) bool { return f.Kind == Merges })
}

// FiltersOn returns the filters that read a table.
func (c *Config) FiltersOn(t *Table) []Filter {
	var list []Filter
	for _, f := range c.Filters {
		if f.Table == t.FullName() {
			list = append(list, f)
		}
	}
	return list
}

// readFilters returns a setter of one filter of a kind, or of a list of them.
func (c *Config) readFilters(kind FilterKind) func(node) {
	return func(n node) {
		list := []node{n}
		if n.isList() {
			list = n.items()
		}
		for _, item := range list {
			c.readFilter(item, kind)
		}
	}
}

func (c *Config) readFilter(n node, kind FilterKind) {
	f := Filter{Kind: kind}
	columns := map[string]func(node){"patient": func(v node) { f.Patient = identifiers(v) }}
	if kind == Merges {
		columns = map[string]func(node){
			"from": func(v node) { f.Patient = identifiers(v) },
			"to":   func(v node) { f.Into = identifiers(v) },
		}
	}
	maps.Copy(columns, map[string]func(node){
		"table": text(&f.Table),
		"when": func(v node) {
			if when := readCondition(v); when != nil {
				f.When = *when
			}
		},
	})
	n.setters(columns)
	schema, _, ok := splitName(f.Table)
	switch {
	case !ok:
		n.fail("say which table's rows decide: table: SCHEMA.TABLE")
		return
	case slices.Contains(reserved, schema):
		n.fail("schema %s can't be replicated: the replica has one of this name for another purpose", schema)
	}
	c.Filters = append(c.Filters, f)
}

// addFilterTables maps the tables of filters that are not mapped, with nothing of them
// published, and finds the patient's column of those that are.
func (c *Config) addFilterTables() {
	for i := range c.Filters {
		f := &c.Filters[i]
		t := c.lookup(f.Table)
		if t == nil {
			schema, name, _ := splitName(f.Table)
			c.Tables = append(c.Tables, Table{Schema: schema, Name: name})
			continue
		}
		if f.Kind != Merges && len(f.Patient) == 0 && t.Patient.Table == "" && t.Patient.Direct() && t.HasPatient() {
			f.Patient = t.Patient.Columns()
		}
	}
}

// validateFilters makes sure that each filter's rows hold the patient key.
func (c *Config) validateFilters(fail func(key, format string, args ...any)) {
	var seen []string
	for _, f := range c.Filters {
		id := f.ID()
		switch {
		case f.Kind == Merges && (len(f.Patient) == 0 || len(f.Into) == 0):
			fail(string(f.Kind), "say which column of %s has the id that was given up, and which the one that stands for it: from: COLUMN, to: COLUMN", f.Table)
		case len(f.Patient) == 0:
			fail(string(f.Kind), "say which column of %s holds the patient key: patient: COLUMN", f.Table)
		case slices.Contains(seen, id):
			fail(string(f.Kind), "says the same of %s twice: remove one", f.Table)
		}
		seen = append(seen, id)
	}
}

// validateWidth makes sure that a filter names patients by as many columns as a table that has their key: by fewer of them
// it would find nobody.
func (f *Filter) validateWidth(like *Table, fail func(key, format string, args ...any)) {
	keys := [][]string{f.Patient}
	if f.Kind == Merges {
		keys = append(keys, f.Into)
	}
	want := len(like.Patient.Columns())
	for _, key := range keys {
		if n := len(key); n > 0 && n != want {
			fail(string(f.Kind), "the patient key has %d columns here and %d in %s: name patients by the same columns in the same order everywhere",
				n, want, like.FullName())
			return
		}
	}
}
