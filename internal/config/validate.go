package config

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/surrogate"
)

// validate checks what no single line of the file shows. lines gives the line of
// a key of the file.
func (c *Config) validate(out *Problems, lines map[string]int) {
	said := map[string]bool{} // what is wrong with a value already makes no second problem
	for _, p := range *out {
		said[p.Key] = true
	}
	fail := func(key, format string, args ...any) {
		if said[key] {
			return
		}
		*out = append(*out, Problem{lines[key], key, fmt.Sprintf(format, args...)})
	}
	c.validateTop(fail)
	c.validateRelease(fail)
	c.validateFilters(fail)
	if len(c.Tables) == 0 {
		fail("tables", "no table is mapped: \"pgdeid init\" proposes a mapping")
		return
	}
	c.validatePatientKeys(fail)
	anyText := false
	for i := range c.Tables {
		t := &c.Tables[i]
		c.validateTable(t, fail)
		anyText = anyText || slices.ContainsFunc(t.Columns, func(col Column) bool { return col.Publish == Text })
	}
	if !anyText {
		fail("tables", "no column has policy text: there would be no notes to de-identify")
	}
}

// validateRelease refuses a delay that would never end, or would not hide anything.
func (c *Config) validateRelease(fail func(key, format string, args ...any)) {
	if c.Release.Mode != Delayed {
		return
	}
	if c.Surrogates.Dates.Direction != surrogate.Forward {
		fail("release", "delayed needs dates that move forward, since it waits until they have come: dates: {direction: forward}")
	}
	if c.NotesKeepDates() {
		fail("release", "delayed hides by how much dates move, but notes keep theirs: choose live or batches")
	}
}

func (c *Config) validateTop(fail func(key, format string, args ...any)) {
	if c.Source.DSN == "" {
		fail("source.dsn", "say where the EHR's database is: source: {dsn: postgres://pgdeid_replication@host/database} (or PGDEID_SOURCE_DSN)")
	}
	if text := sessionAttrsProblem(c.Source.DSN); text != "" {
		fail("source.dsn", "%s", text)
	}
	if c.Replica.DSN == "" {
		fail("replica.dsn", "say where the research database is: replica: {dsn: postgres://pgdeid_service@host/database} (or PGDEID_REPLICA_DSN)")
	}
	if c.KeyFile == "" {
		fail("key_file", "say where the key is: key_file: FILE (or PGDEID_KEY_FILE); \"pgdeid key new FILE\" makes one")
	}
	if c.OldKeyFile != "" && c.OldKeyFile == c.KeyFile {
		fail("old_key_file", "names the file of key_file: name the key of before, which 'pgdeid key rotate' changes for that of key_file")
	}
}

func (c *Config) validateTable(t *Table, fail func(key, format string, args ...any)) {
	key := join("tables", t.FullName())
	c.validatePath(t, key, fail)
	c.validateNote(t, key, fail)
	if len(t.Columns) == 0 && len(c.FiltersOn(t)) == 0 {
		fail(key, "no column is mapped: name at least one under columns")
	}
	for _, col := range t.Columns {
		colKey := key + ".columns." + col.Name
		for _, rule := range col.rules() {
			if rule.needsPatient() && t.Patient.Column == "" {
				fail(colKey, "policy %s needs a patient, and this table has patient: none; say how its rows lead to a patient, "+
					"or choose another policy", rule.Publish)
				break
			}
		}
		if col.Name == t.Patient.Column && slices.ContainsFunc(col.Paths, func(rule Column) bool { return t.Patient.shows(&rule) }) {
			fail(colKey, "a patient key is published as pseudonym or not at all: {%s: {publish: pseudonym, format: reference}}", t.Patient.JSON)
		}
		if col.Name == t.Patient.Column && t.Patient.Format == Reference && col.Publish != Drop && !col.isReference() {
			fail(colKey, "a patient key is published as pseudonym or not at all: {publish: pseudonym, format: reference}")
		}
		if col.Name == t.Patient.Column && t.Patient.JSON != "" && col.Publish == Keep {
			fail(colKey, "the column has the patient key, and keep would publish it: say with paths what is published")
		}
		if col.Separator != "" && slices.Contains(t.Patient.Columns(), col.Name) {
			fail(colKey, "a column that leads to the patient has one value: take separator out")
		}
		if t.isPatientKey(col.Name) {
			c.validatePatientKey(t, col, func(format string, args ...any) { fail(colKey, format, args...) })
		}
	}
}

// validatePatientKey checks how a column is published that is the patient key, or a part of it.
func (c *Config) validatePatientKey(t *Table, col Column, fail func(format string, args ...any)) {
	parts := t.Patient.Columns()
	first := col.Name != parts[len(parts)-1]
	switch {
	case col.Publish == Keep && first: // a site, which says nothing of a person
	case col.Publish == Keep && len(parts) > 1:
		fail("of a patient key of several columns the last one can't be kept: what is no site's number goes last")
	case !slices.Contains([]Policy{Drop, Pseudonym}, col.Publish):
		fail("a patient key is published as pseudonym or not at all, not as %s", col.Publish)
	case col.Publish == Pseudonym && col.Domain != t.Patient.DomainOf(col.Name):
		fail("pseudonyms of patient keys have the domain %s", t.Patient.DomainOf(col.Name))
	}
}

// validatePatientKeys makes sure that every table names patients by as many columns.
func (c *Config) validatePatientKeys(fail func(key, format string, args ...any)) {
	var first *Table
	for i := range c.Tables {
		t := &c.Tables[i]
		if !t.HasPatient() || t.Patient.Table != "" {
			continue
		}
		if first == nil {
			first = t
		}
		if n, want := len(t.Patient.Columns()), len(first.Patient.Columns()); n != want {
			fail(join("tables", t.FullName())+".patient", "the patient key has %d columns here and %d in %s: name patients by the same columns "+
				"everywhere", n, want, first.FullName())
		}
	}
	if first == nil {
		return
	}
	for i := range c.Filters {
		c.Filters[i].validateWidth(first, fail)
	}
	if len(first.Patient.More) > 0 && c.PatientKey != TextKey {
		fail("patient_key", "a patient key of several columns is one text, whatever their types: patient_key: text")
	}
}

// validatePath follows a table's path to a column that holds the patient key.
func (c *Config) validatePath(t *Table, key string, fail func(key, format string, args ...any)) {
	seen := []string{t.FullName()}
	if t.Patient.When != nil && c.Merging() {
		fail(key+".patient", "when and merges don't go together: which rows of the patient who was given up are another's would not be known")
	}
	for at := t; at.Patient.Table != ""; {
		next := c.lookup(at.Patient.Table)
		switch {
		case next == nil:
			fail(key+".patient", "table %q is not in this file: map it under tables", short(at.Patient.Table))
			return
		case slices.Contains(seen, next.FullName()):
			fail(key+".patient", "the path goes in a circle: %s, then %s again; one of them must hold the patient key itself",
				list(seen), next.FullName())
			return
		case next.Patient.Column == "":
			fail(key+".patient", "the path ends at %s, which has patient: none; give that table a patient key", next.FullName())
			return
		case next.Patient.Divides():
			fail(key+".patient", "the path goes through %s, only some of whose rows hold the patient key: let it lead to %s as that table's does",
				next.FullName(), next.Patient.Table)
			return
		}
		seen = append(seen, next.FullName())
		at = next
	}
}
