package schema

import (
	"fmt"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/internal/plain"
)

// textType is the type of what is at a path, whatever the document writes it as.
const textType = "text"

// moves reports whether dates of a column, or at a path, move by the patient's shift.
func (c *Column) moves(cfg *config.Config, t *Table) bool {
	return t.HasPatient() && (c.Publish == config.ShiftDate || c.Publish == config.Year && !cfg.NotesKeepDates())
}

// Describe fills in what follows from the mapping of a column of t, whose type is known.
func (c *Column) Describe(cfg *config.Config, t *Table) {
	c.Form, c.Moves, c.telling, c.Rules = note.FormOf(&c.Column, c.Typ), c.moves(cfg, t), c.Telling(), nil
	c.Element = c.element()
	for _, path := range c.Paths {
		rule := Column{Column: path, Typ: textType}
		rule.Moves = rule.moves(cfg, t)
		c.Rules = append(c.Rules, rule)
	}
	for i := range c.Rules {
		c.Rules[i].Address = c.addressOfTown(i)
	}
}

// AddressMembers names the members of an object in JSON that have the state and the ZIP code of its town; "" where no path does.
type AddressMembers struct{ State, Zip string }

// addressOfTown returns the members of the object that has the town of a rule.
func (c *Column) addressOfTown(rule int) (m AddressMembers) {
	address, _, ok := document.Member(c.Rules[rule].Name)
	if !ok || c.Rules[rule].Tells != record.City {
		return m
	}
	for i := range c.Rules {
		object, name, ok := document.Member(c.Rules[i].Name)
		switch {
		case !ok || object != address:
		case c.Rules[i].Tells == record.State && m.State == "":
			m.State = name
		case c.Rules[i].Tells == record.Zip && m.Zip == "":
			m.Zip = name
		}
	}
	return m
}

// clear returns a date of birth that is written in a layout of the column's own as anybody reads it.
func (c *Column) clear(value string) string {
	if c.Tells != record.BirthDate || !c.Order.IsLayout() {
		return value
	}
	d, err := plain.ParseDate(value, c.Order)
	if err != nil {
		return value
	}
	return d.Time().Format(time.DateOnly)
}

// EachRole passes what a value of the column says of a patient, with its roles.
func (c *Column) EachRole(value string, each func(role record.Role, value string)) {
	if c.telling == nil {
		c.Each(value, func(one string) { each(c.Tells, c.clear(one)) })
		return
	}
	c.Form.Values(value, c.telling, func(rule int, value string) { each(c.Rules[rule].Tells, value) })
}

// shareKeyTypes notes which type the keys of each domain have, so that pseudonyms of keys in documents are those of the
// columns.
func (p *Plan) shareKeyTypes() error {
	p.KeyTypes = map[string]string{}
	for _, t := range p.Tables {
		for i := range t.Columns {
			c := &t.Columns[i]
			if c.Publish != config.Pseudonym {
				continue
			}
			if have, ok := p.KeyTypes[c.Domain]; ok && p.inDocuments(c.Domain) && (&Column{Column: c.Column, Typ: have}).KeyType(p.Config) != c.KeyType(p.Config) {
				return fault.New("look at table "+t.ID, fmt.Errorf("keys of domain %s have several types, and paths name them too", c.Domain),
					"give columns of one type one domain")
			}
			p.KeyTypes[c.Domain] = c.Typ
		}
	}
	return nil
}

// inDocuments reports whether some path publishes pseudonyms of a domain.
func (p *Plan) inDocuments(domain string) bool {
	return slices.ContainsFunc(p.Tables, func(t *Table) bool {
		return slices.ContainsFunc(t.Columns, func(c Column) bool {
			return slices.ContainsFunc(c.Paths, func(path config.Column) bool {
				refers := path.Format == config.Reference || path.Format == config.URL
				return path.Publish == config.Pseudonym && (path.Domain == domain || refers && path.Domain == "")
			})
		})
	})
}

// KeyTypeOf returns how keys of a domain in documents are read.
func (p *Plan) KeyTypeOf(domain string) config.KeyType {
	c := Column{Column: config.Column{Domain: domain}, Typ: p.KeyTypes[domain]}
	return c.KeyType(p.Config)
}
