package config

import (
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Warnings lists what in a valid file is less safe than it could be: one
// sentence each, without values of the file.
func (c *Config) Warnings() []string {
	var ws []string
	for _, d := range []struct{ key, dsn string }{
		{"source.dsn", c.Source.DSN},
		{"source.admin_dsn", c.Source.AdminDSN},
		{"replica.dsn", c.Replica.DSN},
		{"replica.admin_dsn", c.Replica.AdminDSN},
	} {
		if mode, weak := WeakTLS(d.dsn); weak {
			ws = append(ws, fmt.Sprintf("%s leads to another host with sslmode=%s: PHI and passwords could be read on the way; "+
				"leave sslmode out for verify-full", d.key, mode))
		}
	}
	if c.NotesKeepDates() {
		for _, t := range c.Tables {
			for _, col := range t.Columns {
				if col.publishes(ShiftDate) {
					ws = append(ws, fmt.Sprintf("column %s of %s is moved while notes keep their dates: whoever compares them knows by how much; "+
						"publish it with policy keep, or give DATE the action surrogate", col.Name, t.FullName()))
				}
			}
		}
	}
	return ws
}

// ShiftsDates reports whether anything that is published shows moved dates.
func (c *Config) ShiftsDates() bool {
	for _, t := range c.Tables {
		for _, col := range t.Columns {
			if col.publishes(ShiftDate) || col.Publish == Text && !c.NotesKeepDates() {
				return true
			}
		}
	}
	return false
}

// NotesKeepDates reports whether dates in free text stay as they are.
func (c *Config) NotesKeepDates() bool {
	if action, ok := c.Surrogates.Actions[phi.Date]; ok {
		return action == surrogate.Keep
	}
	return c.Surrogates.Profile == surrogate.Limited
}

// NeedsPatient reports whether what is published of rows of t depends on whose they are:
// their texts, surrogates and dates are the patient's, and so is the day of a
// delayed release; with filters, whether there is anything.
func (c *Config) NeedsPatient(t *Table) bool {
	if !t.HasPatient() {
		return false
	}
	if c.Filtered() && len(t.Published()) > 0 {
		return true
	}
	return slices.ContainsFunc(t.Columns, func(col Column) bool {
		if col.Publish == Drop {
			return false
		}
		return c.Release.Mode == Delayed || slices.ContainsFunc(col.rules(), func(rule Column) bool {
			return rule.needsPatient() || rule.Publish == Year && !c.NotesKeepDates()
		})
	})
}

// WeakTLS reports whether a connection string leads to another host without
// checking that host's certificate, and the mode that it asks for.
func WeakTLS(dsn string) (mode string, weak bool) {
	if dsn == "" {
		return "", false
	}
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil || OnlyLocal(cfg) {
		return "", false
	}
	mode = SSLMode(dsn)
	return mode, mode != "" && mode != "verify-full"
}
