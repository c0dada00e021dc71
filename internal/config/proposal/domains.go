package proposal

import (
	"slices"
	"strings"
)

// keyDomains gives every primary key, and each foreign key to it, one domain, so
// that pseudonyms join. Short keys of several columns (a line number) have none.
func (db *database) keyDomains(p *people) map[string]string {
	domains := map[string]string{}
	for _, t := range db.tables {
		for _, k := range t.key {
			if t.column(k).canBeKey() && (len(t.key) == 1 || db.isNumbered(t, k)) {
				domains[t.nameOf(k)] = domainName(t, k)
			}
		}
	}
	p.keepDomains(db, domains)
	for range longestPath { // foreign keys to foreign keys
		for _, t := range db.tables {
			for _, l := range t.links {
				for i, column := range l.columns {
					if domain := domains[l.table.nameOf(l.targets[i])]; domain != "" && t.column(column).canBeKey() && !p.isKeyOf(t, column) {
						domains[t.nameOf(column)] = domain
					}
				}
			}
		}
	}
	return domains
}

// keepDomains gives columns of the patient key their domain, and those of the same name that are a part of another key: the
// site of a visit is the site of its patient.
func (p *people) keepDomains(db *database, domains map[string]string) {
	for _, t := range db.tables {
		path := p.paths[t]
		for _, c := range t.columns {
			if p.isKeyOf(t, c.name) {
				domains[t.nameOf(c.name)] = path.DomainOf(c.name)
			}
		}
		if len(p.key) == 1 || p.table == nil || !speaking(p.key) {
			continue
		}
		for i, name := range p.key {
			if t.hasColumnsOf(p.table, []string{name}) && !p.isKeyOf(t, name) {
				domains[t.nameOf(name)] = p.domainOf(i)
			}
		}
	}
}

// isNumbered reports whether a column of a key of several columns numbers things, by its name or since other tables refer to
// it: not the lines of a list.
func (db *database) isNumbered(t *table, name string) bool {
	words := wordsOf(name)
	if holds(words, "id", "num", "key") {
		return true
	}
	if holds(words, lists["lines"]...) {
		return false
	}
	for _, other := range db.tables {
		for _, l := range other.links {
			if l.table == t && slices.Contains(l.targets, name) {
				return true
			}
		}
	}
	return false
}

func (t *table) nameOf(column string) string { return t.fullName() + "." + column }

func domainName(t *table, key string) string {
	if key == "id" {
		return strings.ToLower(t.name)
	}
	return key
}
