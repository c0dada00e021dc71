package replicator

import "sync"

// streamed remembers which rows the stream has brought since a batch of rows was read
// again from the source. What was read is written only where the stream brought nothing
// newer meanwhile: so it can be read and searched without keeping the stream from writing.
//
// That is enough. A row that the stream had brought before is in what was read, since it
// was committed at the source before. One that it brings later overwrites what was read.
// It is safe for concurrent use.
type streamed struct {
	mu     sync.Mutex
	active bool
	rows   map[sourceRow]bool
	tables map[*table]bool // that were emptied
}

// sourceRow names a row of the source.
type sourceRow struct {
	table *table
	key   string
}

// begin begins to remember. It comes before the source is read.
func (s *streamed) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.rows, s.tables = true, map[sourceRow]bool{}, map[*table]bool{}
}

// end forgets everything.
func (s *streamed) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.rows, s.tables = false, nil, nil
}

// add takes in a change that the stream has brought, before and after.
func (s *streamed) add(c *change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.active:
	case c.op == truncateOp:
		s.tables[c.table] = true
	default:
		for _, row := range [][]value{c.old, c.row} {
			if key, ok := c.table.keyTexts(row); ok {
				s.rows[sourceRow{c.table, keyString(key)}] = true
			}
		}
	}
}

// has reports whether the stream has brought something newer than a row that was read.
func (s *streamed) has(c *change) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, _ := c.table.keyTexts(c.row)
	return s.tables[c.table] || s.rows[sourceRow{c.table, keyString(key)}]
}
