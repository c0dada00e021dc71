package proposal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// identifying proposes for columns that say who or where a person is.
func identifying(t *table, c *column, hasPatient bool) (choice, bool) {
	role, why := roleOf(c.name), "by its name"
	if role == "" && masked(c.label) {
		role, why = labelRole(c.label), "masked by anon"
		switch {
		case role == "":
			return drop(c, "masked by anon"), true
		case role == freeText && hasPatient && isText(c) && len(c.shape.kinds) == 0:
			return publish(c, config.Text, "masked by anon, as free text is"), true
		case role == freeText:
			return choice{}, false
		}
	}
	if role == "" && confidential(c.comment) {
		return drop(c, "its comment says that it must not be shown"), true
	}
	if hint := commentRole(c.comment); role == "" && hint != "" {
		role, why = hint, "by its comment"
	}
	if shaped, seen := shapeRole(c); shaped != "" && (role == "" || role == record.Street) {
		role, why = shaped, seen
	}
	if role == "" || !takes(role, c) {
		return choice{}, false
	}
	if role = inContext(t, role, hasPatient); role == "" {
		return drop(c, "of somebody or something else than a patient, by its table"), true
	}
	ch := choice{config.Column{Name: c.name, Tells: role, Publish: config.Drop}, why}
	ch.Publish, ch.why = published(t, c, role, hasPatient, why)
	if role == record.BirthDate && ch.Publish == config.Year && isText(c) {
		ch.Order, _, _ = c.shape.dates()
	}
	return ch, true
}

// published returns what may be published of a column with a role, and why.
func published(t *table, c *column, role record.Role, hasPatient bool, why string) (config.Policy, string) {
	s := c.shape.single()
	switch {
	case role == record.Zip && !t.american(c):
		return config.Drop, why + ": zip3 is for ZIP codes, and nothing says that these are in the United States"
	case role == record.Zip && isText(c) && (s.values == 0 || s.mostly(s.zips)):
		return config.Zip3, why + ": Safe Harbor's first three digits"
	case (role == record.State || role == record.Country) && s.values > 0 && s.longest <= 30 && s.distinct <= 80:
		return config.Keep, why + ": states and countries may stand (Safe Harbor)"
	case role == record.BirthDate && isText(c):
		if _, date, sure := s.dates(); !date || !sure {
			return config.Drop, why + "; for its year say how dates are written: {publish: year, order: mdy} or dmy"
		}
		return config.Year, why + ": of a date only the year"
	case role == record.BirthDate:
		return config.Year, why + ": of a date only the year"
	case hasPatient && isText(c) && strings.HasPrefix(string(role), "name.") && role != record.NameAlias:
		return config.Surrogate, why + ": as the notes show it"
	}
	return config.Drop, why
}

// american reports whether a column of postal codes is one of ZIP codes: by its name, or
// by a column of states in its table.
func (t *table) american(c *column) bool {
	return holds(wordsOf(c.name), lists["american"]...) ||
		slices.ContainsFunc(t.columns, func(o *column) bool { return roleOf(o.name) == record.State })
}

// tooShort matches types that hold no address of any kind.
var tooShort = regexp.MustCompile(`^character(?: varying)?\([1-5]\)$`)

// takes reports whether values of a column's type can have a role.
func takes(role record.Role, c *column) bool {
	switch {
	case role == record.BirthDate:
		return config.IsDate(c.dataType) || isText(c) || isInteger(c) && c.shape.mostly(c.shape.days)
	case role == record.Email || role == record.Street:
		return isText(c) && !tooShort.MatchString(c.dataType)
	case slices.Contains(numbers, role) || role == record.Phone || role == record.Zip:
		return isText(c) || isInteger(c)
	}
	return isText(c)
}

// inContext corrects a role by the table that it is in: a name in a table of staff is
// that of a provider, one in a table of relatives that of a relative.
func inContext(t *table, role record.Role, hasPatient bool) record.Role {
	words := wordsOf(t.name)
	relatives := holds(words, lists["relatives"]...)
	switch {
	case role == record.BirthDate && (relatives || !hasPatient):
		return "" // not the patient's
	case role == record.NameAlias && !hasPatient:
		return record.ProviderName
	case !strings.HasPrefix(string(role), "name."):
		return role
	case relatives:
		return record.RelativeName
	case hasPatient:
		return role
	case holds(words, lists["staff"]...):
		return record.ProviderName
	case holds(words, lists["places"]...):
		return record.Facility
	}
	return "" // of a thing, or of people of whom nothing is known
}

// shapeRole returns the role that values look like.
func shapeRole(c *column) (record.Role, string) {
	s := c.shape.single()
	switch {
	case s.mostly(s.emails):
		return record.Email, s.share(s.emails) + " look like e-mail addresses"
	case s.mostly(s.ssns):
		return record.SSN, s.share(s.ssns) + " look like social security numbers"
	case s.mostly(s.phones):
		return record.Phone, s.share(s.phones) + " look like telephone numbers"
	case s.mostly(s.zips) && isText(c):
		return record.Zip, s.share(s.zips) + " look like ZIP codes"
	case s.mostly(s.persons):
		return record.NameFull, s.share(s.persons) + " look like names, the family name first"
	}
	return "", ""
}
