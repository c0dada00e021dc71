package config

import "slices"

// NamesRows reports whether what is published of a primary key tells the rows of t apart: each of its columns is kept,
// is a pseudonym, or is a date that moves by the days of a patient whom the key names too. Rows of any other table are
// named by a keyed hash of their whole key, which analysts don't see. typeOf returns a column's type in the source.
func (t *Table) NamesRows(key []string, typeOf func(column string) string) bool {
	return !slices.ContainsFunc(key, func(name string) bool {
		col, ok := t.Column(name)
		if !ok {
			return true
		}
		switch col.Publish {
		case Keep, Pseudonym:
			return false
		case ShiftDate:
			return !IsDate(typeOf(name)) || t.Patient.Table != "" || !t.Patient.within(key)
		}
		return true
	})
}

// within reports whether the table's own columns of a path are all among names.
func (p *Path) within(names []string) bool {
	return !slices.ContainsFunc(p.Columns(), func(name string) bool { return !slices.Contains(names, name) })
}
