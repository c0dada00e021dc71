package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// longestPath is how many tables a path may lead through.
const longestPath = 4

// findPaths finds how the rows of each table lead to their patient. Foreign keys go before names.
func (p *people) findPaths(db *database) {
	var others []*table
	for _, t := range db.tables {
		if !t.ofStaff() {
			others = append(others, t)
			p.direct(t)
		}
	}
	for range longestPath {
		linked := false
		for _, t := range others {
			linked = p.through(t) || linked
		}
		if linked {
			continue
		}
		for _, t := range others {
			p.byNames(t, others)
		}
	}
	if p.table != nil {
		p.backwards(p.table)
	}
}

// pathOf returns the path by columns that are the patient key, or equal to keys of another table.
func pathOf(columns []string, next *table, keys []string) config.Path {
	path := config.Path{Column: columns[0]}
	if next != nil {
		path.Table, path.Key = next.fullName(), keys[0]
	}
	for i, name := range columns[1:] {
		more := config.Link{Column: name}
		if next != nil {
			more.Key = keys[i+1]
		}
		path.More = append(path.More, more)
	}
	return path
}

func (p *people) set(t *table, path config.Path, why string) { p.paths[t], p.why[t] = path, why }

// direct finds the columns that hold the patient key: the key itself, a foreign key
// to it, or columns of the same names and kinds.
func (p *people) direct(t *table) {
	if t == p.table {
		p.set(t, pathOf(p.key, nil, nil), p.whyKey())
		return
	}
	for _, l := range t.links {
		if columns := l.from(p.key); l.table == p.table && columns != nil {
			p.set(t, pathOf(columns, nil, nil), "a foreign key to "+l.table.name)
			return
		}
	}
	if speaking(p.key) && p.hasKey(t) {
		p.set(t, pathOf(p.key, nil, nil), "by the name")
	}
}

func (p *people) whyKey() string {
	if len(p.key) == 1 {
		return "the key of the table of patients"
	}
	return fmt.Sprintf("the key of the table of patients: %d columns together name one", len(p.key))
}

// hasKey reports whether a table has columns of the names and kinds of the patient key.
func (p *people) hasKey(t *table) bool {
	if p.table != nil {
		return t.hasColumnsOf(p.table, p.key)
	}
	c := t.column(p.key[0])
	return c != nil && kindOf(c) == p.kind
}

// hasColumnsOf reports whether t has columns of the same names and kinds as some of another table.
func (t *table) hasColumnsOf(other *table, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		c, like := t.column(name), other.column(name)
		return c == nil || like == nil || kindOf(c) != kindOf(like)
	})
}

// through finds a foreign key to a table that leads to patients.
func (p *people) through(t *table) bool {
	if _, done := p.paths[t]; done {
		return false
	}
	for _, l := range t.links {
		if _, ok := p.paths[l.table]; ok && l.table != t {
			p.set(t, pathOf(l.columns, l.table, l.targets), "a foreign key to "+l.table.name)
			return true
		}
	}
	return false
}

// byNames finds the one table that leads to patients and whose key of several columns t has, too, where no foreign key says
// so. One column of a name is too little to lead to somebody's record.
func (p *people) byNames(t *table, others []*table) {
	if _, done := p.paths[t]; done {
		return
	}
	var found []*table
	for _, next := range others {
		_, leads := p.paths[next]
		if leads && next != t && len(next.key) > 1 && speaking(next.key) && next.ofKeys() && t.hasColumnsOf(next, next.key) {
			found = append(found, next)
		}
	}
	if len(found) != 1 {
		return
	}
	next := found[0]
	t.links = append(t.links, link{next.key, next, next.key})
	p.set(t, pathOf(next.key, next, next.key), "by the names of the key of "+next.name+", since no foreign key says so: "+strings.Join(next.key, ", "))
}

// ofKeys reports whether all columns of a table's primary key are keys, rather than days or places in a list.
func (t *table) ofKeys() bool {
	return !slices.ContainsFunc(t.key, func(name string) bool {
		return !t.column(name).canBeKey() || holds(wordsOf(name), lists["lines"]...)
	})
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
		if len(l.columns) == 1 && slices.Contains(patients.unique, l.columns[0]) {
			p.set(l.table, pathOf(l.targets, patients, l.columns), patients.name+" has a foreign key to it, each row's its own")
		} else {
			p.unclear[l.table] = fmt.Sprintf("has addresses that %s points to by %s, which is not unique: they could be another patient's",
				patients.name, strings.Join(l.columns, ", "))
		}
	}
}
