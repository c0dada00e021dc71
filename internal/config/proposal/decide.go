package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
)

// choice is what is proposed for a column, and why. Nothing is proposed above drop
// without a reason.
type choice struct {
	config.Column
	why string
}

// decider proposes policies.
type decider struct {
	db      *database
	people  *people
	domains map[string]string // "schema.table.column" of keys to the domain of their pseudonyms
	preset  *config.Config    // nil if none
}

// decide proposes what to do with a column.
func (d *decider) decide(t *table, c *column) choice {
	if d.preset != nil {
		if ch, ok := d.fromPreset(t, c); ok {
			return ch
		}
	}
	path, hasPatient := d.people.paths[t]
	if d.people.isKeyOf(t, c.name) {
		return d.patientKey(t, c)
	}
	if domain := d.domains[t.fullName()+"."+c.name]; domain != "" {
		return key(t, c, domain)
	}
	ch, ok := identifying(t, c, hasPatient)
	if !ok {
		ch = plainColumn(c, hasPatient)
	}
	if slices.Contains(path.Columns(), c.name) { // what leads to the patient is one value
		return ch
	}
	return ch.inList(c)
}

// inPreset returns what the preset says of a table, and whether it says anything.
func (d *decider) inPreset(t *table) (*config.Table, bool) {
	if d.preset == nil {
		return nil, false
	}
	return d.preset.Table(t.schema, t.name)
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
	ch := choice{*col, "as the preset says"}
	if _, err := col.ReplicaType(c.dataType); err != nil {
		ch = choice{config.Column{Name: c.name, Tells: col.Tells, Publish: config.Drop}, "the preset says " + string(col.Publish) + ", which does not fit type " + c.dataType}
	}
	return ch, true
}

func drop(c *column, why string) choice { return publish(c, config.Drop, why) }

func publish(c *column, p config.Policy, why string) choice {
	return choice{config.Column{Name: c.name, Publish: p}, why}
}

// patientKey proposes for a column that is the patient key, or a part of it. A number that patients go by is in notes, too.
func (d *decider) patientKey(t *table, c *column) choice {
	ch := publish(c, config.Pseudonym, "the patient's key")
	if len(d.people.key) > 1 {
		ch.why = "a part of the patient's key"
	}
	if role := roleOf(c.name); t == d.people.table && role != "" && slices.Contains(numbers, role) {
		ch.Tells = role
		ch.why += ", and a number that notes may name"
	}
	return ch
}

// key proposes a policy for a column of a primary or foreign key.
func key(t *table, c *column, domain string) choice {
	ch := choice{config.Column{Name: c.name, Publish: config.Pseudonym, Domain: domain}, "a key"}
	for _, l := range t.links {
		if l.target(c.name) != "" {
			ch.why = "points to " + l.table.name
		}
	}
	if config.BaseType(c.dataType) == "smallint" && !strings.HasPrefix(domain, config.PatientDomain) {
		return publish(c, config.Keep, "a small number")
	}
	if _, err := config.ReplicaType(config.Pseudonym, c.dataType); err != nil {
		return drop(c, "a key of type "+c.dataType+" can't become a pseudonym: decide whether it may be kept")
	}
	return ch
}

// plainColumn proposes for columns that identify no person by themselves.
func plainColumn(c *column, hasPatient bool) choice {
	words := meaningful(c.name)
	base := config.BaseType(c.dataType)
	decimal := slices.Contains([]string{"numeric", "real", "double precision"}, base)
	switch {
	case config.IsDate(base) && !hasPatient:
		return drop(c, "a date that belongs to no patient can't be shifted")
	case config.IsDate(base) && holds(words, lists["others"]...) && holds(words, "birth", "birthdate", "dob"):
		return drop(c, "another person's date of birth")
	case config.IsDate(base) && c.shape.never > 0:
		return drop(c, c.shape.whyNever())
	case config.IsDate(base):
		return publish(c, config.ShiftDate, "a date of the patient's")
	case base == "boolean":
		return publish(c, config.Keep, "yes or no")
	case c.enum:
		return publish(c, config.Keep, "an enum: its values are a closed list")
	case (isInteger(c) || base == "numeric") && holds(words, "age", "alter"):
		return publish(c, config.AgeCap, "an age by its name")
	case isInteger(c) && holds(words, "birth", "yob") && holds(words, "year", "yob") && hasPatient:
		return choice{config.Column{Name: c.name, Tells: record.BirthDate, Publish: config.Year}, "a year of birth by its name"}
	case isInteger(c) && c.shape.mostly(c.shape.days):
		return numberOfDay(c, hasPatient)
	case isInteger(c) || decimal:
		return number(c, words)
	case isText(c):
		return prose(c, words, hasPatient)
	case base == "bytea" && hasPatient && c.shape.readable():
		return documents(c)
	case slices.Contains([]string{"json", "jsonb", "xml", "bytea"}, base) && hasPatient:
		return drop(c, "not recognised: "+base+"; where it holds text: "+documentHint(base))
	}
	return drop(c, "not recognised: "+c.dataType)
}

// documentHint says how text in a column of documents is published.
func documentHint(base string) string {
	switch base {
	case "xml":
		return "{publish: text, format: xml} or format: cda"
	case "bytea":
		return "{publish: text, format: FORMAT, encoding: ENCODING}"
	}
	return "{publish: text, format: json}"
}

// numberOfDay proposes for numbers of the form yyyymmdd.
func numberOfDay(c *column, hasPatient bool) choice {
	seen := c.shape.share(c.shape.days) + " are days as yyyymmdd"
	switch {
	case !hasPatient:
		return drop(c, seen+", and belong to no patient")
	case c.shape.never > 0:
		return drop(c, seen+", and "+c.shape.whyNever())
	}
	return publish(c, config.ShiftDate, seen)
}

func number(c *column, words []string) choice {
	line := ends(words, "kind") && holds(words, "line", "seq", "sequence") // a place in a list, whatever of
	if line || holds(words, lists["measure"]...) && !holds(words, lists["number"]...) && !ends(words, "moment") {
		return publish(c, config.Keep, "a count or measure by its name")
	}
	return drop(c, "not recognised: a number that may identify somebody")
}

func prose(c *column, words []string, hasPatient bool) choice {
	s := c.shape.single()
	order, date, sure := s.dates()
	named := ends(words, "prose") && (s.values == 0 || s.longest > 20) || ends(words, "maybe") && s.longest > 20
	switch {
	case len(s.kinds) > 0 && !hasPatient:
		return drop(c, "documents that belong to no patient")
	case len(s.kinds) > 0:
		return documents(c)
	case date && s.never > 0:
		return drop(c, s.whyNever())
	case date && sure && hasPatient:
		ch := publish(c, config.ShiftDate, s.share(s.days+s.twoWays)+" are dates")
		ch.Order = order
		return ch
	case date:
		return drop(c, "dates as text; where month and day are numbers say which is first: {publish: date_shift, order: mdy} or dmy")
	case ends(words, "moment"):
		return drop(c, "a date by its name, but not by its values")
	case (s.prose() || named) && !hasPatient:
		return drop(c, "free text that belongs to no patient")
	case s.prose():
		return publish(c, config.Text, fmt.Sprintf("%s have at least five words, the longest %d characters", s.share(s.words), s.longest))
	case named:
		return publish(c, config.Text, "free text by its name")
	case s.codes() && ends(words, "closed") && !holds(words, lists["typed"]...):
		return publish(c, config.Keep, fmt.Sprintf("codes by its name, %d different values in %d: look at them", s.distinct, s.values))
	case s.values == 0:
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
