package config

import "slices"

// FullName returns "schema.name".
func (t *Table) FullName() string { return t.Schema + "." + t.Name }

// Table returns the mapping of a table, or false if it has none.
func (c *Config) Table(schema, name string) (*Table, bool) {
	for i := range c.Tables {
		if t := &c.Tables[i]; t.Schema == schema && t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// lookup returns the mapping of "schema.name", or nil.
func (c *Config) lookup(full string) *Table {
	for i := range c.Tables {
		if c.Tables[i].FullName() == full {
			return &c.Tables[i]
		}
	}
	return nil
}

// Next returns the table that t's path to the patient leads through, or false if
// t holds the patient key itself or belongs to no patient.
func (c *Config) Next(t *Table) (*Table, bool) {
	if t.Patient.Table == "" {
		return nil, false
	}
	next := c.lookup(t.Patient.Table)
	return next, next != nil
}

// Column returns the mapping of a column, or false if it has none.
func (t *Table) Column(name string) (*Column, bool) {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i], true
		}
	}
	return nil, false
}

// HasPatient reports whether rows of t belong to patients.
func (t *Table) HasPatient() bool { return t.Patient.Column != "" }

// Published returns the columns of t that the replica has, in the order of the
// file.
func (t *Table) Published() []Column {
	return t.columns(func(c Column) bool { return c.Publish != Drop })
}

// Tells returns the columns of t that have a role: what they hold identifies people or places.
func (t *Table) Tells() []Column {
	return t.columns(func(c Column) bool { return len(c.Roles()) > 0 })
}

// Texts returns the columns of t with policy text.
func (t *Table) Texts() []Column {
	return t.columns(func(c Column) bool { return c.Publish == Text })
}

func (t *Table) columns(want func(Column) bool) []Column {
	var cs []Column
	for _, c := range t.Columns {
		if want(c) {
			cs = append(cs, c)
		}
	}
	return cs
}

// Leaving returns the names of the columns of t that leave the source: those
// that are published or have a role, the one that lines of notes are in the order of, those
// of its path to the patient, those that other tables' paths look up, those of filters, and its
// primary key. No name is returned twice.
func (c *Config) Leaving(t *Table, primaryKey []string) []string {
	names := slices.Clone(primaryKey)
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, col := range t.Columns {
		if col.Publish != Drop || len(col.Roles()) > 0 {
			add(col.Name)
		}
	}
	if t.Note != nil {
		add(t.Note.Order)
	}
	c.pathColumns(t, add)
	for _, f := range c.FiltersOn(t) {
		for _, name := range f.Columns() {
			add(name)
		}
	}
	return names
}

// pathColumns passes the columns of t that paths go through.
func (c *Config) pathColumns(t *Table, add func(name string)) {
	for _, name := range t.Patient.Columns() {
		add(name)
	}
	if t.Patient.When != nil {
		for _, name := range t.Patient.When.Columns() {
			add(name)
		}
	}
	for i := range c.Tables {
		if p := &c.Tables[i].Patient; p.Table == t.FullName() {
			for _, name := range p.Keys() {
				add(name)
			}
		}
	}
}

// OnPath reports whether other tables' rows find their patient through t.
func (c *Config) OnPath(t *Table) bool {
	return slices.ContainsFunc(c.Tables, func(o Table) bool { return o.Patient.Table == t.FullName() })
}

// Read returns the names of the columns of t that gazetteers are read from: its
// primary key, what has a role and what paths go through; nil where t has
// no part in gazetteers.
func (c *Config) Read(t *Table, primaryKey []string) []string {
	tells := t.Tells()
	if len(tells) == 0 && !c.OnPath(t) {
		return nil
	}
	names := slices.Clone(primaryKey)
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, col := range tells {
		add(col.Name)
	}
	c.pathColumns(t, add)
	return names
}
