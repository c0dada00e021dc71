package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/replicator/mapping"
)

// choice is what is proposed for a column, and why.
type choice struct {
	mapping.Column
	why string
}

// decider proposes policies.
type decider struct {
	db      *database
	people  *people
	domains map[string]string // "schema.table.column" of keys to the domain of their pseudonyms
	preset  *mapping.Config   // nil if none
}

// decide proposes what to do with a column.
func (d *decider) decide(t *table, c *column) choice {
	if d.preset != nil {
		if ch, ok := d.fromPreset(t, c); ok {
			return ch
		}
	}
	path, hasPatient := d.people.paths[t]
	if hasPatient && path.Table == "" && path.Column == c.name {
		return choice{mapping.Column{Name: c.name, Publish: mapping.Pseudonym}, ""}
	}
	if domain := d.domains[t.fullName()+"."+c.name]; domain != "" {
		return key(c, domain)
	}
	if ch, ok := telling(t, c, hasPatient); ok {
		return ch
	}
	return plain(c, hasPatient)
}

// fromPreset takes what the preset says of a table with this name.
func (d *decider) fromPreset(t *table, c *column) (choice, bool) {
	m, ok := d.preset.Table(t.schema, t.name)
	if !ok {
		return choice{}, false
	}
	col, ok := m.Column(c.name)
	if !ok {
		return drop(c, "not in the preset"), true
	}
	ch := choice{Column: *col}
	if _, err := mapping.ReplicaType(col.Publish, c.dataType); err != nil {
		ch = choice{mapping.Column{Name: c.name, Tells: col.Tells, Publish: mapping.Drop}, "the preset says " + string(col.Publish) + ", which does not fit type " + c.dataType}
	}
	return ch, true
}

func drop(c *column, why string) choice {
	return choice{mapping.Column{Name: c.name, Publish: mapping.Drop}, why}
}

// key proposes a policy for a column of a primary or foreign key.
func key(c *column, domain string) choice {
	ch := choice{mapping.Column{Name: c.name, Publish: mapping.Pseudonym, Domain: domain}, ""}
	if _, err := mapping.ReplicaType(mapping.Pseudonym, c.dataType); err != nil {
		if mapping.BaseType(c.dataType) == "smallint" {
			return choice{mapping.Column{Name: c.name, Publish: mapping.Keep}, "a small number"}
		}
		return drop(c, "a key of type "+c.dataType+" can't become a pseudonym: decide whether it may be kept")
	}
	return ch
}

// telling proposes for columns that say who or where somebody is.
func telling(t *table, c *column, hasPatient bool) (choice, bool) {
	role, why := roleOf(c.name), ""
	if role == "" && masked(c.label) {
		role, why = labelRole(c.label), "masked by anon"
		if role == "" {
			return drop(c, "masked by anon"), true
		}
	}
	if role == "" {
		role, why = shapeRole(c)
	}
	if role == "" || !takes(role, c) {
		return choice{}, false
	}
	role = inContext(t, role, hasPatient)
	if role == "" {
		return choice{}, false
	}
	ch := choice{mapping.Column{Name: c.name, Tells: role, Publish: mapping.Drop}, why}
	switch {
	case role == ensemble.RoleZip && isText(c):
		ch.Publish = mapping.Zip3
	case role == ensemble.RoleState || role == ensemble.RoleCountry:
		ch.Publish = mapping.Keep
	case role == ensemble.BirthDate:
		ch.Publish = mapping.Year
	case hasPatient && isText(c) && (role == ensemble.NameFirst || role == ensemble.NameLast || role == ensemble.NameMiddle || role == ensemble.NameFull):
		ch.Publish = mapping.Surrogate
	}
	return ch, true
}

// takes reports whether values of a column's type can have a role.
func takes(role ensemble.Role, c *column) bool {
	if role == ensemble.BirthDate {
		return strings.HasPrefix(c.dataType, "date") || strings.HasPrefix(c.dataType, "timestamp")
	}
	return isText(c) || isInteger(c)
}

// inContext corrects a role by what table it stands in: a name in a table of
// staff is that of a provider.
func inContext(t *table, role ensemble.Role, hasPatient bool) ensemble.Role {
	if !strings.HasPrefix(string(role), "name.") {
		return role
	}
	words := wordsOf(t.name)
	switch {
	case holds(words, "contact", "contacts", "relative", "relatives", "kin", "guarantor", "emergency", "family"):
		return ensemble.RelativeName
	case hasPatient:
		return role
	case holds(words, "site", "sites", "facility", "facilities", "hospital", "hospitals", "organization", "organizations", "clinic", "clinics",
		"department", "departments", "ward", "wards", "practice"):
		return ensemble.Facility
	case holds(words, "staff", "provider", "providers", "doctor", "doctors", "physician", "physicians", "nurse", "nurses", "user", "users",
		"employee", "employees", "caregiver", "caregivers", "clinician", "clinicians", "practitioner", "practitioners"):
		return ensemble.ProviderName
	case role == ensemble.NameFull:
		return "" // the name of a thing, most likely
	}
	return ensemble.ProviderName
}

// shapeRole tells by what values look like.
func shapeRole(c *column) (ensemble.Role, string) {
	s := &c.shape
	switch {
	case s.mostly(s.emails):
		return ensemble.RoleEmail, "values look like e-mail addresses"
	case s.mostly(s.ssns):
		return ensemble.RoleSSN, "values look like social security numbers"
	case s.mostly(s.phones):
		return ensemble.RolePhone, "values look like telephone numbers"
	case s.mostly(s.zips):
		return ensemble.RoleZip, "values look like ZIP codes"
	}
	return "", ""
}

// plain proposes for columns that tell nothing of a person by themselves.
func plain(c *column, hasPatient bool) choice {
	words := wordsOf(c.name)
	base := mapping.BaseType(c.dataType)
	keep := func(why string) choice { return choice{mapping.Column{Name: c.name, Publish: mapping.Keep}, why} }
	switch {
	case slices.Contains([]string{"date", "timestamp without time zone", "timestamp with time zone"}, base):
		if !hasPatient {
			return drop(c, "a date that belongs to no patient can't be shifted")
		}
		return choice{mapping.Column{Name: c.name, Publish: mapping.ShiftDate}, ""}
	case base == "boolean" || c.enum:
		return keep("")
	case holds(words, "age") && (isInteger(c) || base == "numeric"):
		return choice{mapping.Column{Name: c.name, Publish: mapping.AgeCap}, ""}
	case slices.Contains([]string{"numeric", "real", "double precision"}, base) && !holds(words, "id", "number", "no", "lat", "lon", "latitude", "longitude"):
		return keep("")
	case isInteger(c) && holds(words, "birth", "yob") && holds(words, "year", "yob"):
		return choice{mapping.Column{Name: c.name, Tells: ensemble.BirthDate, Publish: mapping.Year}, ""}
	case isInteger(c):
		return number(c, words)
	case isText(c):
		return prose(c, words, hasPatient)
	}
	return drop(c, "not recognised: "+c.dataType)
}

func number(c *column, words []string) choice {
	if holds(words, "count", "quantity", "qty", "amount", "seq", "sequence", "line", "position", "flag", "value", "days", "minutes", "hours",
		"score", "version", "refills", "dose", "weight", "height", "concept", "priority", "rank", "order") && !holds(words, "number") {
		return choice{mapping.Column{Name: c.name, Publish: mapping.Keep}, ""}
	}
	return drop(c, "not recognised: a number that may identify somebody")
}

func prose(c *column, words []string, hasPatient bool) choice {
	long := c.shape.prose() || holds(words, proseWords...) && c.shape.longest > 20 ||
		c.shape.values == 0 && holds(words, proseWords...) && !holds(words, "id", "type", "code")
	switch {
	case long && hasPatient:
		return choice{mapping.Column{Name: c.name, Publish: mapping.Text}, ""}
	case long:
		return drop(c, "free text that belongs to no patient")
	case c.shape.codes():
		return choice{mapping.Column{Name: c.name, Publish: mapping.Keep}, fmt.Sprintf("%d different values in %d: codes, look at them", c.shape.distinct, c.shape.values)}
	case c.shape.values == 0:
		return drop(c, "not recognised: text, and no values to look at")
	}
	return drop(c, "not recognised: text")
}

func isInteger(c *column) bool {
	switch c.dataType {
	case "integer", "bigint", "smallint":
		return true
	}
	return false
}

// keyDomains gives every primary key, and each foreign key to it, one domain, so
// that pseudonyms join. Short keys of several columns (a line number) have none.
func (db *database) keyDomains(p *people) map[string]string {
	domains := map[string]string{}
	for _, t := range db.tables {
		for _, k := range t.key {
			if t.column(k) != nil && (len(t.key) == 1 || holds(wordsOf(k), "id", "num", "key")) && (isInteger(t.column(k)) || t.column(k).dataType == "uuid" || isText(t.column(k))) {
				domains[t.fullName()+"."+k] = domainName(t, k)
			}
		}
	}
	for range 3 { // foreign keys to foreign keys
		for _, t := range db.tables {
			for _, l := range t.links {
				if domain := domains[l.table.fullName()+"."+l.target]; domain != "" {
					domains[t.fullName()+"."+l.column] = domain
				}
			}
		}
	}
	for t, path := range p.paths {
		if path.Table == "" {
			delete(domains, t.fullName()+"."+path.Column)
		}
	}
	return domains
}

func domainName(t *table, key string) string {
	if key == "id" {
		return t.name
	}
	return key
}
