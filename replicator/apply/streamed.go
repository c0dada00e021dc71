package apply

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Streamed remembers which rows, and which notes of many rows, the stream has brought since a batch of rows was read
// again from the source. What was read is written only where the stream brought nothing
// newer meanwhile: so it can be read and searched without keeping the stream from writing.
//
// That is enough. A row that the stream had brought before is in what was read, since it
// was committed at the source before. One that it brings later overwrites what was read.
// It is safe for concurrent use.
type Streamed struct {
	phi.Redacted

	mu     sync.Mutex
	active bool
	rows   map[sourceRow]bool
	tables map[*schema.Table]bool // that were emptied
}

// sourceRow names a row of the source, or a note of many rows ([schema.Table.UnitKey]).
type sourceRow struct {
	phi.Redacted

	table *schema.Table
	key   string
}

// Begin begins to remember. It comes before the source is read.
func (s *Streamed) Begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.rows, s.tables = true, map[sourceRow]bool{}, map[*schema.Table]bool{}
}

// End forgets everything.
func (s *Streamed) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.rows, s.tables = false, nil, nil
}

// add takes in a change that the stream has brought, before and after.
func (s *Streamed) add(c *schema.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.active:
	case c.Op == schema.TruncateOp:
		s.tables[c.Table] = true
	default:
		for _, row := range [][]schema.Value{c.Old, c.Row} {
			if key, ok := c.Table.UnitKey(row); ok {
				s.rows[sourceRow{table: c.Table, key: schema.KeyString(key)}] = true
			}
		}
	}
}

// has reports whether the stream has brought something newer than a row that was read.
func (s *Streamed) has(c *schema.Change) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := c.Row
	if row == nil { // of the end of a note
		row = c.Old
	}
	key, _ := c.Table.UnitKey(row)
	return s.tables[c.Table] || s.rows[sourceRow{table: c.Table, key: schema.KeyString(key)}]
}
