package pgwire

import (
	"context"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// auditPatients is how many patients one line of the audit log names. A transaction that asks about more has several lines.
const auditPatients = 100

// tally is what one session asked of a table since the last line of the audit log.
type tally struct {
	phi.Redacted

	Counts

	seen map[string]bool
}

// count adds to what the session asked for.
func (c *session) count(table string, n *Counts) {
	t := c.tallyOf(table)
	t.Notes, t.Bytes, t.Refused, t.OverLimit = t.Notes+n.Notes, t.Bytes+n.Bytes, t.Refused+n.Refused, t.OverLimit+n.OverLimit
	for _, p := range n.Patients {
		if p == "" || t.seen[p] {
			continue
		}
		if len(t.Patients) == auditPatients {
			c.auditTable(table)
			t = c.tallyOf(table)
		}
		t.seen[p] = true
		t.Patients = append(t.Patients, p)
	}
}

func (c *session) tallyOf(table string) *tally {
	t := c.tally[table]
	if t == nil {
		t = &tally{seen: map[string]bool{}}
		c.tally[table] = t
	}
	return t
}

// audit writes what the session asked for since the last time: who, about which patients and how much, never a text.
func (c *session) audit() {
	for table := range c.tally {
		c.auditTable(table)
	}
}

func (c *session) auditTable(table string) {
	n := c.tally[table]
	delete(c.tally, table)
	c.server.opts.Log.LogAttrs(context.Background(), slog.LevelInfo, "asked", slog.String("user", Printable(c.who.user)),
		slog.String("application", c.who.application), slog.String("from", c.who.addr), slog.Uint64("pid", uint64(c.key.PID)),
		slog.String("table", table), slog.Int64("notes", n.Notes), slog.Int64("bytes", n.Bytes), slog.Int64("refused", n.Refused),
		slog.Int64("over_limit", n.OverLimit), slog.Any("patients", n.Patients))
}
