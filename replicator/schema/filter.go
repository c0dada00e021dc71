package schema

import (
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Filter decides by the rows of a table which patients the replica has.
type Filter struct {
	*config.Filter
	ID      string // in the vault
	Patient int    // the column with the patient key
	Into    int    // of merges: the column with the id that is stood for
	tests   []columnTest
}

// columnTest is a test of the column with an index.
type columnTest struct {
	config.Test
	column int
}

// index finds the columns of the filters that read t.
func (t *Table) indexFilters(cfg *config.Config) {
	for _, f := range cfg.FiltersOn(t.Table) {
		filter := &Filter{Filter: &f, ID: f.ID(), Patient: t.reference(f.Patient)}
		if f.Kind == config.Merges {
			filter.Into = t.reference(f.Into)
		}
		for _, test := range f.When.Tests {
			filter.tests = append(filter.tests, columnTest{test, t.ColumnIndex(test.Column)})
		}
		t.Filters = append(t.Filters, filter)
	}
}

// Merges reports whether rows say that one patient id means the patient of another.
func (f *Filter) Merges() bool { return f.Kind == config.Merges }

// Match returns the key of the patient whom a row keeps out or lets in, as the row has it,
// and whether it does.
func (f *Filter) Match(row []Value) (key string, ok bool) {
	if row == nil || row[f.Patient].State != Present {
		return "", false
	}
	for i := range f.tests {
		t := &f.tests[i]
		if v := row[t.column]; !t.Holds(v.Text, v.State != Present) {
			return "", false
		}
	}
	return row[f.Patient].Text, true
}

// filters reports whether a filter needs column i.
func (t *Table) filters(i int) bool {
	return slices.ContainsFunc(t.Filters, func(f *Filter) bool {
		return slices.Contains(t.parts(f.Patient), i) || f.Kind == config.Merges && slices.Contains(t.parts(f.Into), i) || slices.ContainsFunc(f.tests, func(test columnTest) bool { return test.column == i })
	})
}

// IsCopied reports whether rows of t are read by the first copy: those that are published,
// and those that decide who is.
func (t *Table) IsCopied() bool { return len(t.Publish) > 0 || len(t.Filters) > 0 }

// FilterIDs returns the names of all filters.
func (p *Plan) FilterIDs() []string {
	ids := []string{}
	for _, t := range p.Tables {
		for _, f := range t.Filters {
			ids = append(ids, f.ID)
		}
	}
	return ids
}
