package pgwire

import (
	"context"
	"log/slog"
)

// auditPatients is how many patients one line of the audit log names. A transaction that
// asks about more has several lines.
const auditPatients = 100

// counts are what one session asked of a table since the last line of the audit log. The
// patients are named by their pseudonyms, as the replica names them.
type counts struct {
	notes, bytes, failed, limited int64
	patients                      []string
	seen                          map[string]bool
}

// count adds to what the session asked for.
func (e *env) count(t *table, patients []string, notes, bytes, failed int64) {
	c := e.tallyOf(t)
	c.notes, c.bytes, c.failed = c.notes+notes, c.bytes+bytes, c.failed+failed
	e.metrics.asked(t.name, notes, bytes, failed)
	for _, p := range patients {
		if p == "" || c.seen[p] {
			continue
		}
		if len(c.patients) == auditPatients {
			e.auditTable(t)
			c = e.tallyOf(t)
		}
		c.seen[p] = true
		c.patients = append(c.patients, p)
	}
}

// countLimited notes that a limit refused notes.
func (e *env) countLimited(t *table, limit string, notes int) {
	e.tallyOf(t).limited += int64(notes)
	e.metrics.limited.WithLabelValues(tame(e.user), limit).Inc()
}

func (e *env) tallyOf(t *table) *counts {
	c := e.tally[t]
	if c == nil {
		c = &counts{seen: map[string]bool{}}
		e.tally[t] = c
	}
	return c
}

// audit writes what the session asked for since the last time: who, about which patients
// and how much, never a text.
func (e *env) audit() {
	for t := range e.tally {
		e.auditTable(t)
	}
}

func (e *env) auditTable(t *table) {
	n := e.tally[t]
	delete(e.tally, t)
	e.log.LogAttrs(context.Background(), slog.LevelInfo, "asked", slog.String("user", tame(e.user)),
		slog.String("application", tame(e.settings.values["application_name"])), slog.String("from", e.addr), slog.Uint64("pid", uint64(e.pid)),
		slog.String("table", t.name), slog.Int64("notes", n.notes), slog.Int64("bytes", n.bytes), slog.Int64("refused", n.failed),
		slog.Int64("over_limit", n.limited), slog.Any("patients", n.patients))
}
