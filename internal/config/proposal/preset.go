package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// Auto is the name for whichever preset fits.
const Auto = "auto"

// A preset fits where a database has at least fitTables of its tables, and more than half of them.
const fitTables = 3

// readPreset returns a preset.
func readPreset(name string) (*config.Config, error) {
	data, err := config.Preset(name)
	if err != nil {
		return nil, err
	}
	return config.Parse(data, nil)
}

// recognise returns the name of the preset to start from, "" for none, and what to say of presets that fit.
func (db *database) recognise(wanted string) (name, seen string, err error) {
	if wanted != "" && wanted != Auto {
		return wanted, "", nil
	}
	best, tables := 0, 0
	for _, candidate := range config.Presets() {
		cfg, err := readPreset(candidate)
		if err != nil {
			return "", "", err
		}
		if n := db.fits(cfg); n >= fitTables && 2*n > len(cfg.Tables) && n > best {
			name, best, tables = candidate, n, len(cfg.Tables)
		}
	}
	switch {
	case name == "" && wanted == Auto:
		return "", "No preset fits these tables: all is proposed from what is there.", nil
	case name == "":
		return "", "", nil
	case wanted == Auto:
		return name, fmt.Sprintf("This looks like %s, of whose preset %d of %d tables are here: it decides about them.", name, best, tables), nil
	}
	return "", fmt.Sprintf("This looks like %s, of whose preset %d of %d tables are here: add --preset %[1]s, and it decides about them.",
		name, best, tables), nil
}

// fits returns the number of a preset's tables that the database has, with more than half of the columns that are mapped.
func (db *database) fits(cfg *config.Config) int {
	n := 0
	for i := range cfg.Tables {
		m := &cfg.Tables[i]
		t := db.alike(m)
		if t == nil {
			continue
		}
		have := 0
		for _, c := range m.Columns {
			if t.columnAlike(c.Name) != nil {
				have++
			}
		}
		if 2*have > len(m.Columns) {
			n++
		}
	}
	return n
}

// alike returns the table that a preset means: of its name, however it is written, in its schema if there is one. Of
// several, it is the one with most of the columns.
func (db *database) alike(m *config.Table) *table {
	var best *table
	most := -1
	for _, t := range db.tables {
		if !strings.EqualFold(t.name, m.Name) {
			continue
		}
		have := 0
		for _, c := range m.Columns {
			if t.columnAlike(c.Name) != nil {
				have += 2
			}
		}
		if t.schema == m.Schema {
			have++
		}
		if have > most {
			best, most = t, have
		}
	}
	return best
}

// columnAlike returns the column of a name, however it is written.
func (t *table) columnAlike(name string) *column {
	if c := t.column(name); c != nil {
		return c
	}
	i := slices.IndexFunc(t.columns, func(c *column) bool { return strings.EqualFold(c.name, name) })
	if i < 0 {
		return nil
	}
	return t.columns[i]
}

// presetFor returns a preset with the names of the database's tables and columns; nil if name is "".
func presetFor(name string, db *database) (*config.Config, error) {
	if name == "" {
		return nil, nil
	}
	cfg, err := readPreset(name)
	if err != nil {
		return nil, err
	}
	found := map[string]*table{}
	for i := range cfg.Tables {
		m := &cfg.Tables[i]
		if t := db.alike(m); t != nil {
			found[m.FullName()] = t
		}
	}
	for i := range cfg.Tables {
		cfg.Tables[i] = renamed(cfg.Tables[i], found)
	}
	return cfg, nil
}

// renamed returns a table of a preset with the names that it, its columns and those of its path have in the database.
func renamed(m config.Table, found map[string]*table) config.Table {
	t := found[m.FullName()]
	if t == nil {
		return m
	}
	m.Schema, m.Name = t.schema, t.name
	as := func(t *table, name string) string {
		if c := t.columnAlike(name); c != nil {
			return c.name
		}
		return name
	}
	for i, c := range m.Columns {
		m.Columns[i].Name = as(t, c.Name)
	}
	if n := m.Note; n != nil {
		n.Order, n.Text = as(t, n.Order), as(t, n.Text)
		for i, k := range n.Key {
			n.Key[i] = as(t, k)
		}
	}
	m.Patient.Column = as(t, m.Patient.Column)
	for i, l := range m.Patient.More {
		m.Patient.More[i].Column = as(t, l.Column)
	}
	if when := m.Patient.When; when != nil {
		for i := range when.Tests {
			when.Tests[i].Column = as(t, when.Tests[i].Column)
		}
	}
	if through := found[m.Patient.Table]; through != nil {
		m.Patient.Table, m.Patient.Key = through.fullName(), as(through, m.Patient.Key)
		for i, l := range m.Patient.More {
			m.Patient.More[i].Key = as(through, l.Key)
		}
	}
	return m
}

// follow takes paths from a preset where its tables exist.
func (p *people) follow(preset *config.Config, db *database) {
	if preset == nil {
		return
	}
	p.kind = preset.PatientKey
	for i := range preset.Tables {
		m := &preset.Tables[i]
		t := db.table(m.Schema, m.Name)
		if t == nil {
			continue
		}
		delete(p.paths, t)
		delete(p.unclear, t)
		if m.HasPatient() && t.column(m.Patient.Column) != nil {
			p.set(t, m.Patient, "as the preset says")
			if m.Patient.Table == "" && len(p.key) != len(m.Patient.Columns()) {
				p.key = m.Patient.Columns()
			}
		}
	}
	for t, path := range p.paths {
		if path.Table == "" && len(path.Columns()) != len(p.key) {
			delete(p.paths, t)
			p.unclear[t] = "names patients by other columns than the preset does"
		}
	}
}
