package proposal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/replicator/mapping"
)

// identifying proposes for columns that say who or where a person is.
func identifying(t *table, c *column, hasPatient bool) (choice, bool) {
	role, why := roleOf(c.name), "by its name"
	if role == "" && masked(c.label) {
		role, why = labelRole(c.label), "masked by anon"
		if role == "" {
			return drop(c, "masked by anon"), true
		}
	}
	if shaped, seen := shapeRole(c); shaped != "" && (role == "" || role == ensemble.RoleStreet) {
		role, why = shaped, seen
	}
	if role == "" || !takes(role, c) {
		return choice{}, false
	}
	if role = inContext(t, role, hasPatient); role == "" {
		return drop(c, "of somebody or something else than a patient, by its table"), true
	}
	ch := choice{mapping.Column{Name: c.name, Tells: role, Publish: mapping.Drop}, why}
	ch.Publish, ch.why = published(t, c, role, hasPatient, why)
	return ch, true
}

// published returns what may be published of a column with a role, and why.
func published(t *table, c *column, role ensemble.Role, hasPatient bool, why string) (mapping.Policy, string) {
	s := &c.shape
	switch {
	case role == ensemble.RoleZip && !t.american(c):
		return mapping.Drop, why + ": zip3 is for ZIP codes, and nothing says that these are in the United States"
	case role == ensemble.RoleZip && isText(c) && (s.values == 0 || s.mostly(s.zips)):
		return mapping.Zip3, why + ": Safe Harbor's first three digits"
	case (role == ensemble.RoleState || role == ensemble.RoleCountry) && s.values > 0 && s.longest <= 30 && s.distinct <= 80:
		return mapping.Keep, why + ": states and countries may stand (Safe Harbor)"
	case role == ensemble.BirthDate && isText(c):
		if date, sure := s.dates(); !date || !sure {
			return mapping.Drop, why + "; for its year say how dates are written: {publish: year, order: mdy} or dmy"
		}
		return mapping.Year, why + ": of a date only the year"
	case role == ensemble.BirthDate:
		return mapping.Year, why + ": of a date only the year"
	case hasPatient && isText(c) && strings.HasPrefix(string(role), "name.") && role != ensemble.NameAlias:
		return mapping.Surrogate, why + ": as the notes show it"
	}
	return mapping.Drop, why
}

// american reports whether a column of postal codes is one of ZIP codes: by its name, or
// by a column of states in its table.
func (t *table) american(c *column) bool {
	return holds(wordsOf(c.name), lists["american"]...) ||
		slices.ContainsFunc(t.columns, func(o *column) bool { return roleOf(o.name) == ensemble.RoleState })
}

// tooShort matches types that hold no address of any kind.
var tooShort = regexp.MustCompile(`^character(?: varying)?\([1-5]\)$`)

// takes reports whether values of a column's type can have a role.
func takes(role ensemble.Role, c *column) bool {
	switch {
	case role == ensemble.BirthDate:
		return mapping.IsDate(c.dataType) || isText(c)
	case role == ensemble.RoleEmail || role == ensemble.RoleStreet:
		return isText(c) && !tooShort.MatchString(c.dataType)
	case slices.Contains(numbers, role) || role == ensemble.RolePhone || role == ensemble.RoleZip:
		return isText(c) || isInteger(c)
	}
	return isText(c)
}

// inContext corrects a role by the table that it is in: a name in a table of staff is
// that of a provider, one in a table of relatives that of a relative.
func inContext(t *table, role ensemble.Role, hasPatient bool) ensemble.Role {
	words := wordsOf(t.name)
	relatives := holds(words, lists["relatives"]...)
	switch {
	case role == ensemble.BirthDate && (relatives || !hasPatient):
		return "" // not the patient's
	case role == ensemble.NameAlias && !hasPatient:
		return ensemble.ProviderName
	case !strings.HasPrefix(string(role), "name."):
		return role
	case relatives:
		return ensemble.RelativeName
	case hasPatient:
		return role
	case holds(words, lists["staff"]...):
		return ensemble.ProviderName
	case holds(words, lists["places"]...):
		return ensemble.Facility
	}
	return "" // of a thing, or of people of whom nothing is known
}

// shapeRole returns the role that values look like.
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
