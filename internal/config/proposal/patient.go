package proposal

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// people says where patients are and how each table's rows lead to them.
type people struct {
	table *table // the table of patients; nil if none was found
	key   string // its key column, or the column that most tables share
	kind  config.KeyType
	paths map[*table]config.Path // tables without an entry belong to no patient
	// unclear has the reason why a table, whose rows may be several patients', is left out.
	unclear map[*table]string
}

// findPeople looks for the table of patients, the key, and the paths.
func (db *database) findPeople() *people {
	p := &people{paths: map[*table]config.Path{}, unclear: map[*table]string{}}
	best := 0
	for _, t := range db.tables {
		if score := db.patientScore(t); score > best && len(t.key) == 1 {
			best, p.table, p.key = score, t, t.key[0]
		}
	}
	if p.table == nil {
		p.key = db.sharedKey()
	}
	if p.key == "" {
		return p
	}
	p.kind = db.keyType(p)
	for _, t := range db.tables {
		if !t.ofStaff() {
			p.direct(t)
		}
	}
	for range 3 { // a path is at most four tables long
		for _, t := range db.tables {
			if !t.ofStaff() {
				p.through(t)
			}
		}
	}
	if p.table != nil {
		p.backwards(p.table)
	}
	return p
}

// patientScore returns how much a table looks like the one of patients: by its name, by
// the roles of its columns, and by how many tables point to it.
func (db *database) patientScore(t *table) int {
	words := wordsOf(t.name)
	named := slices.IndexFunc(lists["patients"], func(w string) bool { return slices.Contains(words, w) })
	if named < 0 || len(t.key) != 1 {
		return 0
	}
	score := 20 - named - 6*(len(words)-1) // patient_alias is not the table of patients
	roles := map[record.Role]bool{}
	for _, c := range t.columns {
		roles[roleOf(c.name)] = true
	}
	for _, r := range []record.Role{record.BirthDate, record.NameFirst, record.NameLast, record.NameFull, record.SSN, record.MRN} {
		if roles[r] {
			score += 3
		}
	}
	for _, other := range db.tables {
		if other != t && other.leadsTo(t) {
			score += 3
		}
	}
	for _, l := range t.links {
		if l.table != t && holds(wordsOf(l.table.name), lists["patients"]...) {
			score -= 20 // something of a patient
		}
	}
	return max(score, 1)
}

// ofStaff reports whether rows of t are members of staff, who may be persons and have
// records of their own.
func (t *table) ofStaff() bool {
	words := wordsOf(t.name)
	return holds(words, lists["staff"]...) && !holds(words, lists["patients"]...)
}

// leadsTo reports whether t has a foreign key to another table's key, or a column of the
// same name.
func (t *table) leadsTo(other *table) bool {
	key := other.key[0]
	return slices.ContainsFunc(t.links, func(l link) bool { return l.table == other && l.target == key }) ||
		key != "id" && t.column(key) != nil
}

// sharedKey returns the column that names a patient in most tables.
func (db *database) sharedKey() string {
	count := map[string]int{}
	best := ""
	for _, t := range db.tables {
		for _, c := range t.columns {
			words := wordsOf(c.name)
			if len(words) > 1 && holds(words, lists["patients"]...) && holds(words[len(words)-1:], "id", "num", "key", "no", "nr") ||
				len(words) == 1 && holds(words, lists["patientkeys"]...) {
				count[c.name]++
				if best == "" || count[c.name] > count[best] {
					best = c.name
				}
			}
		}
	}
	return best
}

func (db *database) keyType(p *people) config.KeyType {
	for _, t := range db.tables {
		if c := t.column(p.key); c != nil && (p.table == nil || t == p.table) {
			return kindOf(c)
		}
	}
	return config.Integer
}

func kindOf(c *column) config.KeyType {
	switch {
	case c.dataType == "uuid":
		return config.UUID
	case isText(c):
		return config.TextKey
	}
	return config.Integer
}

// direct finds a column that holds the patient key: the key itself, a foreign key
// to it, or a column of the same name and kind.
func (p *people) direct(t *table) {
	if t == p.table {
		p.paths[t] = config.Path{Column: p.key}
		return
	}
	for _, l := range t.links {
		if l.table == p.table && l.target == p.key {
			p.paths[t] = config.Path{Column: l.column}
			return
		}
	}
	for _, c := range t.columns {
		if c.name == p.key && p.key != "id" && kindOf(c) == p.kind {
			p.paths[t] = config.Path{Column: c.name}
			return
		}
	}
}

// through finds a foreign key to a table that leads to patients.
func (p *people) through(t *table) {
	if _, done := p.paths[t]; done {
		return
	}
	for _, l := range t.links {
		if _, ok := p.paths[l.table]; ok && l.table != t {
			p.paths[t] = config.Path{Column: l.column, Table: l.table.fullName(), Key: l.target}
			return
		}
	}
}

// backwards finds tables that patients point to and that say where they live: a table
// of addresses. Each row must be one patient's, and staff and places have addresses too.
func (p *people) backwards(patients *table) {
	for _, l := range patients.links {
		words := wordsOf(l.table.name)
		if _, done := p.paths[l.table]; done || !holds(words, lists["homes"]...) || l.table.ofStaff() {
			continue
		}
		isAddress := func(c *column) bool {
			r := roleOf(c.name)
			return r == record.Street || r == record.Phone || r == record.Zip
		}
		if !slices.ContainsFunc(l.table.columns, isAddress) {
			continue
		}
		if slices.Contains(patients.unique, l.column) {
			p.paths[l.table] = config.Path{Column: l.target, Table: patients.fullName(), Key: l.column}
		} else {
			p.unclear[l.table] = fmt.Sprintf("has addresses that %s points to by %s, which is not unique: they could be another patient's",
				patients.name, l.column)
		}
	}
}
