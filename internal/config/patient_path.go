package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document"
)

// memberPath matches a path that leads through members of objects alone, whose names need no quotes in SQL.
var memberPath = regexp.MustCompile(`^\$(?:\.[A-Za-z_][A-Za-z0-9_]*)+$`)

// jsonPath returns a setter of a path to a patient key in JSON.
func jsonPath(dst *string) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if ok && !memberPath.MatchString(s) {
			n.fail("want a path through members, such as $.subject.reference")
			return
		}
		*dst = s
	}
}

// Direct reports whether the path's column holds the key itself, rather than a document or a reference in which it is.
func (p *Path) Direct() bool { return p.JSON == "" && p.Format == "" }

// Forms in which a key is written in a document or a reference, for PostgreSQL and for Go.
const (
	beforeReference = `^(?:(?:https?://[^?#[:space:]]+/)?`
	behindReference = `/|urn:uuid:)?([^/?#:[:space:]]+)(?:/_history/[^/?#[:space:]]+)?$`
)

// form returns the pattern whose group is the key. A reference to what is no patient leads to none.
func (p *Path) form() string {
	if p.Table == "" {
		return beforeReference + "Patient" + behindReference
	}
	return beforeReference + "[A-Z][A-Za-z]+" + behindReference
}

// Find returns a function that finds the key in the value of a document or a reference.
func (p *Path) Find() func(text string) (key string, ok bool) {
	form := regexp.MustCompile(p.form())
	return func(text string) (string, bool) {
		m := form.FindStringSubmatch(text)
		if m == nil {
			return "", false
		}
		return m[1], true
	}
}

// Selection returns what reads the text with the key in a document; nil if the column holds no document.
func (p *Path) Selection() *document.Selection {
	if p.JSON == "" {
		return nil
	}
	s, err := document.Select([]document.Path{{Path: p.JSON, Do: document.Convert}})
	if err != nil { // memberPath has no other paths
		return nil
	}
	return s
}

// Expression returns SQL for the key that a row has, as a value of typ, where column is SQL for the path's column.
func (p *Path) Expression(column, typ string) string {
	if p.Direct() {
		return column
	}
	if p.JSON != "" {
		column = fmt.Sprintf("(%s #>> '{%s}')", column, strings.ReplaceAll(strings.TrimPrefix(p.JSON, "$."), ".", ","))
	}
	key := fmt.Sprintf("substring(%s from '%s')", column, p.form())
	switch {
	case slices.Contains(keyNumbers, typ):
		return fmt.Sprintf("case when %s ~ '^[0-9]{1,18}$' then %[1]s::bigint end", key)
	case typ == "uuid":
		return fmt.Sprintf("case when %s ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' then %[1]s::uuid end", key)
	}
	return key
}

// SQLType returns the type of expressions of the patient key.
func (k KeyType) SQLType() string {
	switch k {
	case Integer:
		return "bigint"
	case UUID:
		return "uuid"
	}
	return "text"
}

// fits says why a column of a type can't hold what the path reads in it; "" if it can.
func (p *Path) fits(base string) string {
	switch {
	case p.JSON != "" && base != "json" && base != "jsonb":
		return fmt.Sprintf("holds the patient key at %s and has type %s, not json or jsonb", p.JSON, base)
	case p.Format == Reference && !slices.Contains(textTypes, base):
		return fmt.Sprintf("holds references to patients and has type %s, not text", base)
	}
	return ""
}

// Unfit says why a column of a type can't lead to the patient; "" if it can.
func (c *Config) Unfit(t *Table, source string) string {
	base := BaseType(source)
	switch {
	case !t.Patient.Direct():
		return t.Patient.fits(base)
	case t.Patient.Table == "" && !slices.Contains(c.PatientKey.KeyTypes(), base):
		return fmt.Sprintf("holds the patient key and has type %s, but the mapping says patient_key: %s", source, c.PatientKey)
	}
	return ""
}

// shows reports whether a rule shows the key that the path leads to.
func (p *Path) shows(rule *Column) bool {
	if p.JSON == "" || rule.Publish == Drop || rule.Publish == Pseudonym {
		return false
	}
	return rule.Name == p.JSON || strings.HasPrefix(p.JSON, rule.Name+".")
}
