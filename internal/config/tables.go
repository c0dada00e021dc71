package config

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/plain"
)

// policies lists every policy, in the order of the documentation.
var policies = []Policy{Drop, Keep, Pseudonym, ShiftDate, Text, Surrogate, Zip3, Year, AgeCap}

// Policies lists every policy.
func Policies() []Policy { return append([]Policy(nil), policies...) }

// reserved are schemas of a replica that pgdeid or PostgreSQL itself uses.
var reserved = []string{
	"deid", "deid_ehr", "deid_info", "deid_rows", "deid_waiting", "deid_released", "pgdeid", "pg_catalog", "information_schema",
}

func (c *Config) readTables(n node) {
	for _, f := range n.fields() {
		t := Table{}
		var ok bool
		if t.Schema, t.Name, ok = splitName(f.name); !ok {
			f.value.fail("want schema.table, each at most 63 bytes and without a dot of its own: a table with a dot in its name has to be renamed")
			continue
		}
		for _, r := range reserved {
			if t.Schema == r {
				f.value.fail("schema %s can't be replicated: the replica has one of this name for another purpose", r)
			}
		}
		said := false
		f.value.setters(map[string]func(node){
			"patient": func(p node) { said = true; t.readPath(p) },
			"columns": t.readColumns,
			"note":    t.readNote,
		})
		if !said {
			f.value.fail("say how its rows lead to a patient: patient: COLUMN, or patient: {column, table, key}, or patient: none")
		}
		t.defaultDomains()
		t.joinLines()
		c.Tables = append(c.Tables, t)
	}
}

// splitName splits "schema.table".
func splitName(s string) (schema, name string, ok bool) {
	schema, name, ok = strings.Cut(s, ".")
	return schema, name, ok && isIdentifier(schema) && isIdentifier(name) && !strings.Contains(name, ".")
}

func (t *Table) readPath(n node) {
	p := &t.Patient
	if !n.isMapping() {
		names := identifiers(n)
		switch {
		case n.isList() && len(names) == 0:
			n.fail("name at least one column")
		case n.isList() || !slices.Equal(names, []string{"none"}):
			p.set(n, names, nil)
		}
		return
	}
	var columns, keys []string
	n.setters(map[string]func(node){
		"column": func(n node) { columns = identifiers(n) },
		"table":  text(&p.Table),
		"key":    func(n node) { keys = identifiers(n) },
		"path":   jsonPath(&p.JSON),
		"format": oneOf("format", &p.Format, Reference),
		"when":   func(n node) { p.When = readCondition(n) },
	})
	switch {
	case len(columns) == 0:
		n.fail("say which column: column: COLUMN")
		return
	case p.Table == "" && len(keys) > 0:
		n.fail("key belongs to a table: say which with table: SCHEMA.TABLE")
		return
	case p.Table != "" && len(keys) == 0 && !p.Direct():
		n.fail("say which column of the table has the key: key: COLUMN")
		return
	case p.Table != "" && len(keys) == 0:
		keys = columns
	}
	switch {
	case len(columns) > 1 && !p.Direct():
		n.fail("a key in a document or a reference is in one column")
		return
	case p.When != nil && (len(columns) > 1 || !p.Direct()):
		n.fail("when belongs to a column that is the patient key in some rows: column: COLUMN, without path and format")
		return
	}
	p.set(n, columns, keys)
}

// set fills in the columns of a path.
func (p *Path) set(n node, columns, keys []string) {
	if p.Table != "" && len(keys) != len(columns) {
		n.fail("%d columns lead to a key of %d: name as many on either side", len(columns), len(keys))
		return
	}
	for i, column := range columns {
		link := Link{Column: column}
		if len(keys) > 0 {
			link.Key = keys[i]
		}
		switch {
		case slices.Contains(columns[:i], column):
			n.fail("column %q is named twice", short(column))
		case i == 0:
			p.Column, p.Key = link.Column, link.Key
		default:
			p.More = append(p.More, link)
		}
	}
}

// identifiers returns the name, or the list of names, in a node.
func identifiers(n node) []string {
	items := []node{n}
	if n.isList() {
		items = n.items()
	}
	var names []string
	for _, item := range items {
		var name string
		if identifier(&name)(item); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (t *Table) readColumns(n node) {
	for _, f := range n.fields() {
		checkIdentifier(f.value, f.name)
		c := Column{Name: f.name, Publish: Drop}
		c.read(f.value)
		t.Columns = append(t.Columns, c)
	}
}

// read reads what the file says of a column.
func (c *Column) read(n node) {
	said := true
	if n.isMapping() {
		said = c.readLong(n)
	} else {
		oneOf("policy", &c.Publish, policies...)(n)
	}
	if len(c.Paths) > 0 {
		c.choosePolicy(n, said)
	}
	if c.Separator != "" && !c.TakesSeparator() {
		n.fail("separator belongs to columns whose values are changed, or told, one by one: " +
			"not to policies text and keep, nor to ages and dates of birth")
	}
	c.checkRules(n)
	if c.IsDocument() && c.Format != Reference && c.Publish != Text && len(c.Paths) == 0 {
		n.fail("format and encoding belong to policy text")
	}
}

// TakesSeparator reports whether a text of several values can be published, or tell something, value by value.
func (c *Column) TakesSeparator() bool {
	switch {
	case c.IsDocument() && c.Format != Reference || c.isAge():
		return false
	case c.Publish == Drop:
		return c.Tells != ""
	}
	return c.Publish != Text && c.Publish != Keep
}

// checkRules refuses what does not go together in a column or at a path.
func (c *Column) checkRules(n node) {
	if c.Publish == Surrogate && c.Tells == "" {
		n.fail("policy surrogate needs to know what the column is: write {tells: ROLE, publish: surrogate} (roles: %s)",
			list(record.Roles()))
	}
	if c.Domain != "" && c.Publish != Pseudonym {
		n.fail("domain belongs to policy pseudonym")
	}
	if c.Format == Reference && !c.isReference() {
		n.fail("format: reference belongs to policy pseudonym")
	}
	switch birth := c.Tells == record.BirthDate; {
	case c.Order == plain.AnyOrder:
	case c.Publish != ShiftDate && c.Publish != Year && !(c.Publish == Drop && birth && c.Order.IsLayout()):
		n.fail("order and layout belong to policies date_shift and year")
	case c.Order.IsLayout() && !c.Order.HasCentury() && (birth || c.Publish == Year):
		n.fail("two digits don't say the year, nor an age: policy date_shift of another date, or drop")
	}
}

// isReference reports whether the column holds references that are published as pseudonyms.
func (c *Column) isReference() bool {
	return c.Format == Reference && c.Publish == Pseudonym && c.Encoding == "" && len(c.Paths) == 0
}

// readLong reads the keys of a column, and reports whether they say what is published.
func (c *Column) readLong(n node) (said bool) {
	setters := c.setters()
	setters["format"] = oneOf("format", &c.Format, columnFormats...)
	setters["publish"] = func(n node) { said = true; oneOf("policy", &c.Publish, policies...)(n) }
	setters["paths"] = paths(&c.Paths)
	setters["separator"] = separator(&c.Separator)
	var list []Column
	setters["fhir"] = fhir(&list, &c.List.Name)
	n.setters(setters)
	c.FHIR = len(list) > 0
	if c.FHIR && c.Domain != "" {
		shareDomain(list, c.Domain)
		c.List.Domain, c.Domain = c.Domain, ""
	}
	c.List.Own = len(c.Paths)
	c.Paths = besides(c.Paths, list)
	for i := range c.Paths {
		checkMediaType(n, c.Paths, &c.Paths[i])
	}
	return said
}

// setters returns what reads the keys that columns and paths share.
func (c *Column) setters() map[string]func(node) {
	return map[string]func(node){
		"tells":    oneOf("role", &c.Tells, record.Roles()...),
		"publish":  oneOf("policy", &c.Publish, policies...),
		"domain":   text(&c.Domain),
		"order":    c.onceOrder(oneOf("order", &c.Order, plain.MonthFirst, plain.DayFirst)),
		"layout":   c.onceOrder(layout(&c.Order)),
		"encoding": chain(&c.Encoding),
	}
}

// layout returns a setter of the one way in which dates are written.
func layout(dst *plain.Order) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		o, err := plain.ParseLayout(s)
		if err != nil {
			n.fail("%v", err)
		}
		*dst = o
	}
}

// onceOrder refuses what says how dates are written where that was said before.
func (c *Column) onceOrder(set func(node)) func(node) {
	return func(n node) {
		if c.Order != plain.AnyOrder {
			n.fail("a layout says the order too: take order out")
			return
		}
		set(n)
	}
}

// separator returns a setter of what stands between the values of a text.
func separator(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		blank := strings.TrimSpace(s) != s && len(s) > 1
		if s == "" || len(s) > 3 || blank || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n.fail("want one to three characters between the values, such as \";\", none of them a letter or digit")
			return
		}
		*dst = s
	}
}

// defaultDomains gives pseudonyms their domain: "patient" for the table's own
// patient key, else the column's name.
func (t *Table) defaultDomains() {
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Publish != Pseudonym || c.Domain != "" || c.Format == Reference:
		case t.isPatientKey(c.Name):
			c.Domain = t.Patient.DomainOf(c.Name)
		default:
			c.Domain = c.Name
		}
	}
}

// PatientDomain is the domain of the pseudonyms of patient keys.
const PatientDomain = "patient"

// isPatientKey reports whether a column is the patient key, or a part of it.
func (t *Table) isPatientKey(column string) bool {
	return t.Patient.Table == "" && t.Patient.Direct() && slices.Contains(t.Patient.Columns(), column)
}

// DomainOf returns the domain of the pseudonyms of a column that is the patient key or a part of it. Parts have their
// places in their names, as their columns may be named otherwise in each table.
func (p *Path) DomainOf(column string) string {
	if len(p.More) == 0 {
		return PatientDomain
	}
	return PatientDomain + " " + strconv.Itoa(1+slices.Index(p.Columns(), column))
}

// identifier returns a setter of a name of something in PostgreSQL.
func identifier(dst *string) func(node) {
	return func(n node) {
		if s, ok := n.scalar(); ok {
			checkIdentifier(n, s)
			*dst = s
		}
	}
}

func checkIdentifier(n node, s string) {
	if !isIdentifier(s) {
		n.fail("want a name of 1 to 63 bytes")
	}
}

// isIdentifier reports whether PostgreSQL takes s for a (quoted) name as it is.
func isIdentifier(s string) bool {
	return s != "" && len(s) <= 63 && !strings.ContainsRune(s, 0)
}

// slotName returns a setter of a replication slot's name: PostgreSQL allows
// lower-case letters, digits and underscores.
func slotName(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		odd := strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' })
		if odd >= 0 || !isIdentifier(s) {
			n.fail("a slot's name is made of lower-case letters, digits and underscores")
			return
		}
		*dst = s
	}
}
