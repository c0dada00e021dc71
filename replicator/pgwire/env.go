package pgwire

import (
	"time"
)

// env is what the statements of one session see. It belongs to one goroutine.
type env struct {
	engine   Engine
	tables   []*table
	user     string
	database string
	version  string // of the program
	pid      uint32
	settings settings
	inbox    inbox
	budget   *sessionBudget
	metrics  *Metrics
	tally    map[*table]*counts // since the last line of the audit log
	now      func() time.Time
}

// counts are what one session asked for.
type counts struct{ notes, bytes, failed int64 }

// count adds to what the session asked for.
func (e *env) count(t *table, notes, bytes, failed int64) {
	c := e.tally[t]
	if c == nil {
		c = &counts{}
		e.tally[t] = c
	}
	c.notes, c.bytes, c.failed = c.notes+notes, c.bytes+bytes, c.failed+failed
	e.metrics.asked(t.name, notes, bytes, failed)
}
