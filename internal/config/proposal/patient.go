package proposal

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// people says where patients are and how each table's rows lead to them.
type people struct {
	table *table   // the table of patients; nil if none was found
	key   []string // its key columns, or the column that most tables share
	kind  config.KeyType
	paths map[*table]config.Path // tables without an entry belong to no patient
	why   map[*table]string      // what a path was seen by
	// unclear has the reason why a table, whose rows may be several patients', is left out.
	unclear map[*table]string
}

// findPeople looks for the table of patients, the key, and the paths.
func (db *database) findPeople() *people {
	p := &people{paths: map[*table]config.Path{}, why: map[*table]string{}, unclear: map[*table]string{}}
	best := 0
	for _, t := range db.tables {
		if score := db.patientScore(t); score > best {
			best, p.table, p.key = score, t, t.key
		}
	}
	if p.table == nil {
		p.key = db.sharedKey()
	}
	if len(p.key) == 0 {
		return p
	}
	p.kind = db.keyType(p)
	p.findPaths(db)
	return p
}

// patientScore returns how much a table looks like the one of patients: by its name, by
// the roles of its columns, and by how many tables point to it.
func (db *database) patientScore(t *table) int {
	words := wordsOf(t.name)
	named := slices.IndexFunc(lists["patients"], func(w string) bool { return slices.Contains(words, w) })
	if named < 0 || len(t.key) != 1 && !db.namesByAll(t) {
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

// longestKey is the number of columns up to which a key may name a patient.
const longestKey = 3

// namesByAll reports whether a key of several columns names what other tables refer to by all of them: a site and a number
// there, rather than a patient and a line of a list.
func (db *database) namesByAll(t *table) bool {
	if len(t.key) == 0 || len(t.key) > longestKey {
		return false
	}
	for i, name := range t.key {
		if !t.column(name).canBeKey() || i > 0 && holds(wordsOf(name), lists["lines"]...) {
			return false
		}
	}
	return slices.ContainsFunc(db.tables, func(other *table) bool { return other != t && other.leadsTo(t) })
}

// canBeKey reports whether values of a column can be told apart and published as pseudonyms; c may be nil.
func (c *column) canBeKey() bool {
	if c == nil {
		return false
	}
	_, err := config.ReplicaType(config.Pseudonym, c.dataType)
	return err == nil
}

// ofStaff reports whether rows of t are members of staff, who may be persons and have
// records of their own.
func (t *table) ofStaff() bool {
	words := wordsOf(t.name)
	return holds(words, lists["staff"]...) && !holds(words, lists["patients"]...)
}

// leadsTo reports whether t has a foreign key to another table's key, or columns of the
// same names.
func (t *table) leadsTo(other *table) bool {
	return slices.ContainsFunc(t.links, func(l link) bool { return l.table == other && l.from(other.key) != nil }) ||
		speaking(other.key) && !slices.ContainsFunc(other.key, func(name string) bool { return t.column(name) == nil })
}

// speaking reports whether names of columns say what they are a key of, so that columns of the same names hold the same.
func speaking(key []string) bool {
	return !slices.ContainsFunc(key, func(name string) bool {
		words := wordsOf(name)
		return len(words) == 1 && slices.Contains(lists["keys"], words[0])
	})
}

// sharedKey returns the column that names a patient in most tables.
func (db *database) sharedKey() []string {
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
	if best == "" {
		return nil
	}
	return []string{best}
}

// keyType returns the type of the patient key: several columns are one text.
func (db *database) keyType(p *people) config.KeyType {
	if len(p.key) > 1 {
		return config.TextKey
	}
	for _, t := range db.tables {
		if c := t.column(p.key[0]); c != nil && (p.table == nil || t == p.table) {
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

// isKeyOf reports whether a column is the patient key in a table, or a part of it.
func (p *people) isKeyOf(t *table, name string) bool {
	path, ok := p.paths[t]
	return ok && path.Table == "" && path.Direct() && slices.Contains(path.Columns(), name)
}

// domainOf returns the domain of the pseudonyms of the n-th column of the patient key.
func (p *people) domainOf(n int) string {
	path := pathOf(p.key, nil, nil)
	return path.DomainOf(p.key[n])
}

// doubt says what about the patient key a person has to decide, or "".
func (db *database) doubt(p *people) string {
	if p.table != nil || len(p.key) != 1 {
		return ""
	}
	for _, t := range db.tables {
		if holds(wordsOf(t.name), lists["patients"]...) && len(t.key) > 1 && slices.Contains(t.key, p.key[0]) {
			return t.fullName() + " has the key " + strings.Join(t.key, ", ") + ", of which other tables have " + p.key[0] +
				" alone: if it names several patients, say patient: with all columns that name one"
		}
	}
	return ""
}
