package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Frame passes all notes of a column that have a text, in no order: what a sample is drawn from. by are
// columns of the same table that divide them; of one with ":year" behind it the year counts.
func (d *Desk) Frame(ctx context.Context, table, column string, by []string, each func(review.Candidate) error) error {
	return d.with(ctx, func(c *connections) error {
		u, err := findText(c.look.Plan, review.Note{Table: table, Column: column}, nil)
		if err != nil {
			return err
		}
		query, width, err := u.frameQuery(by)
		if err != nil {
			return err
		}
		err = schema.QueryText(ctx, c.look.Source, query, func(raw [][]byte) error {
			var k review.Candidate
			for i, v := range raw {
				if i < width {
					k.Key = append(k.Key, string(v))
				} else {
					k.Strata = append(k.Strata, string(v))
				}
			}
			return each(k)
		})
		return fault.New("list the notes of table "+table, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
	})
}

// frameQuery returns the query for all notes, and how many columns their keys have.
func (u *unit) frameQuery(by []string) (query string, width int, err error) {
	t, key := u.table, u.table.Key
	if u.ofLines() {
		key = t.Lines.Key
	}
	var names, columns []string
	for _, k := range key {
		names = append(names, "t0."+schema.Quote(t.Columns[k].Name))
	}
	for _, b := range by {
		name, part, _ := strings.Cut(b, ":")
		i := slices.IndexFunc(t.Columns, func(c schema.Column) bool { return c.Name == name && c.Parts == nil })
		if i < 0 || part != "" && part != "year" {
			return "", 0, &Refusal{
				"the mapping has no column " + name + " in table " + t.ID,
				"divide notes by columns that it names, as kind or written:year",
			}
		}
		column := "t0." + schema.Quote(name) + "::text"
		if part == "year" {
			column = fmt.Sprintf("substring(%s from '[0-9]{4}')", column) // of dates, and of texts that are dates
		}
		columns = append(columns, "coalesce("+column+", '')")
	}
	list := strings.Join(append(slices.Clone(names), columns...), ", ")
	where := "where t0." + schema.Quote(t.Columns[u.column].Name) + " is not null"
	if u.ofLines() {
		list = fmt.Sprintf("distinct on (%s) %s", strings.Join(names, ", "), list)
	}
	return fmt.Sprintf("select %s from %s t0 %s", list, t.Source(), where), len(key), nil
}

// Locate returns what the replica calls notes of the source. Those that it does not have are left out, unless absent is
// set.
func (d *Desk) Locate(ctx context.Context, table, column string, keys [][]string, absent bool) (list []review.Item, err error) {
	err = d.with(ctx, func(c *connections) error {
		list = nil
		for _, key := range keys {
			u, err := findText(c.look.Plan, review.Note{Table: table, Column: column}, key)
			if err != nil {
				return err
			}
			at, err := c.locate(ctx, u, absent)
			if err != nil {
				return err
			}
			if at != nil {
				list = append(list, *at)
			}
		}
		return nil
	})
	return list, err
}

// locate finds one note in the replica; nil where it is not to be listed.
func (c *connections) locate(ctx context.Context, u *unit, absent bool) (*review.Item, error) {
	if err := u.read(ctx, c.look); err != nil || len(u.rows) == 0 {
		return nil, err
	}
	whose, _, err := u.patient(ctx, c.look)
	if err != nil || whose == "" {
		return nil, err
	}
	p, err := onePatient(ctx, c.look, whose)
	if err != nil || p == nil {
		return nil, err
	}
	rows, _, err := publishedKeys(c.of.Deid, u, p)
	if err != nil {
		return nil, nil //nolint:nilerr // a row whose key can't be published is not in the replica
	}
	var there bool
	err = c.look.Replica.QueryRow(ctx, `
		select exists (select from deid.note_provenance where table_name = $1 and column_name = $2 and row_key = $3)`,
		u.table.ID, u.table.Columns[u.column].Name, rows[0]).Scan(&there)
	if err != nil || !there && !absent {
		return nil, fault.New("look whether the replica has a note", connect.Lost(c.look.Replica, err), "run 'pgdeid migrate up'")
	}
	return &review.Item{
		Key: u.key, Patient: p.Pseudonym,
		Note: review.Note{Table: u.table.ID, Column: u.table.Columns[u.column].Name, Row: rows[0]},
	}, nil
}

// onePatient loads a patient for the keys of published rows.
func onePatient(ctx context.Context, l *patient.Lookups, key string) (*patient.Patient, error) {
	list := []*asking{{Question: &Question{Patient: key}}}
	if err := loadPatients(ctx, l, list, true); err != nil || list[0].why != "" {
		return nil, err
	}
	return list[0].patient, nil
}
