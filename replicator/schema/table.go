package schema

import (
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/publication"
)

// Without returns the indexes in the statements' names of all columns but the texts that stay.
func (t *Table) Without(keep []bool) []int {
	return slices.DeleteFunc(t.SQL.All(), func(i int) bool {
		n := -1
		if i < len(t.Publish) {
			n = slices.Index(t.Texts, t.Publish[i])
		}
		return n >= 0 && n < len(keep) && keep[n]
	})
}

// Needs reports whether rows can't be published without column i. Columns that
// have a role and are not published are read from the source when they are wanted.
func (t *Table) Needs(i int) bool {
	if slices.Contains(t.Key, i) || t.Columns[i].Publish != config.Drop || t.filters(i) {
		return true
	}
	if slices.ContainsFunc(t.when, func(test columnTest) bool { return test.column == i }) {
		return true
	}
	return slices.ContainsFunc(append([]int{t.Via}, t.Lookups...), func(c int) bool { return c >= 0 && slices.Contains(t.parts(c), i) })
}

// SameKey reports whether two rows have the same primary key.
func (t *Table) SameKey(a, b []Value) bool {
	return !slices.ContainsFunc(t.Key, func(k int) bool { return a[k] != b[k] })
}

// TellsPatients reports whether the mapping has a table with roles of patients.
func (p *Plan) TellsPatients() bool { return slices.ContainsFunc(p.Tables, (*Table).TellsPatient) }

// NotesFrom returns the tables with notes of patients, from the named one on.
func (p *Plan) NotesFrom(name string) []*Table {
	var list []*Table
	for _, t := range p.Tables {
		if t.IsNote() && t.HasPatient() && (len(list) > 0 || name == "" || t.ID == name) {
			list = append(list, t)
		}
	}
	return list
}

// TextIndex returns the index in publish of the nth text.
func (t *Table) TextIndex(n int) int { return slices.Index(t.Publish, t.Texts[n]) }

// Wanted returns what the publication must carry.
func (p *Plan) Wanted() []publication.Wanted {
	list := make([]publication.Wanted, len(p.Tables))
	for i, t := range p.Tables {
		list[i].Table = t.ID
		for _, c := range t.real() {
			list[i].Columns = append(list[i].Columns, c.Name)
		}
	}
	return list
}

// Following returns the names of the tables whose rows depend on changes of t: t
// itself, those whose paths lead through it and, if it has columns with
// roles, all notes.
func (p *Plan) Following(t *Table) []string {
	var names []string
	for _, other := range p.Tables {
		if other == t || t.TellsPatient() && other.IsNote() || other.leadsThrough(t) {
			names = append(names, other.ID)
		}
	}
	return names
}

// leadsThrough reports whether t's path to the patient goes through another table.
func (t *Table) leadsThrough(other *Table) bool {
	for next := t.Next; next != nil; next = next.Next {
		if next == other {
			return true
		}
	}
	return false
}

// KeyType returns how the values of a column with policy pseudonym are read: by
// the column's type, except that patient keys have one type everywhere.
func (c *Column) KeyType(cfg *config.Config) config.KeyType {
	if c.Domain == config.PatientDomain {
		return cfg.PatientKey
	}
	return config.KeyTypeOf(c.Typ)
}

// Hops returns after how many joins t's path comes to a target, or 0 if it does not.
func (t *Table) Hops(to Target) int {
	n := 0
	for at := t; at.Next != nil; at = at.Next {
		n++
		if (Target{at.Next, at.Into}) == to {
			return n
		}
	}
	return 0
}

// NeedsPatient reports whether rows of t can't be published, or deleted, without
// knowing the patient.
func (t *Table) NeedsPatient(o Op) bool {
	if o != DeleteOp {
		return t.Personal && o != TruncateOp
	}
	// A deletion only has to find the published key.
	return t.HasPatient() && !t.Hashed && slices.ContainsFunc(t.Key, func(i int) bool {
		col := &t.Columns[i]
		return col.Publish == config.Text || col.Publish == config.Surrogate || col.Moves
	})
}

// TextNames returns the names of the columns with texts: with them a row's provenance is
// found by its key, however many rows there are.
func (t *Table) TextNames() []string {
	names := make([]string, len(t.Texts))
	for n, i := range t.Texts {
		names[n] = t.Columns[i].Name
	}
	return names
}
