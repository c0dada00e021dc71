package apply

import (
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Streamed remembers which rows, and which notes of many rows, the stream has brought since a batch of rows was read
// again from the source. What was read is written only where the stream brought nothing
// newer meanwhile: so it can be read and searched without keeping the stream from writing.
//
// That is enough. A row that the stream had brought before is in what was read, since it
// was committed at the source before. One that it brings later overwrites what was read.
//
// An update that leaves out the texts because they did not change takes nothing from what was made of them: they are
// written, with the other columns as the last update has them. Otherwise a row that is updated more often than
// its texts can be read and searched would never be made anew.
// It is safe for concurrent use.
type Streamed struct {
	phi.Redacted

	mu     sync.Mutex
	active bool
	among  map[sourceRow]bool       // the rows of the batch; nil: they are not known yet
	rows   map[sourceRow]*deid.Item // the last update where all were without texts, or nil
	tables map[*schema.Table]bool   // that were emptied
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
	s.active, s.among, s.rows, s.tables = true, nil, map[sourceRow]*deid.Item{}, map[*schema.Table]bool{}
}

// Narrow says which rows were read: no others are remembered from now on.
func (s *Streamed) Narrow(items []*deid.Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.among = map[sourceRow]bool{}
	rows := map[sourceRow]*deid.Item{}
	for _, it := range items {
		row := rowRead(it.Change)
		s.among[row] = true
		if last, came := s.rows[row]; came {
			rows[row] = last
		}
	}
	s.rows = rows
}

// End forgets everything.
func (s *Streamed) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active, s.among, s.rows, s.tables = false, nil, nil, nil
}

// add takes in a change that the stream has brought, before and after.
func (s *Streamed) add(it *deid.Item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := it.Change
	switch {
	case !s.active:
	case c.Op == schema.TruncateOp:
		s.tables[c.Table] = true
	default:
		for _, values := range [][]schema.Value{c.Old, c.Row} {
			key, ok := c.Table.UnitKey(values)
			row := sourceRow{table: c.Table, key: schema.KeyString(key)}
			if ok && (s.among == nil || s.among[row]) {
				s.remember(row, it)
			}
		}
	}
}

func (s *Streamed) remember(row sourceRow, it *deid.Item) {
	before, came := s.rows[row]
	if came && before == nil || !leavesTexts(it.Change) {
		it = nil
	}
	s.rows[row] = it
}

// leavesTexts reports whether a change is an update of a note in one row whose texts all stay as they are.
func leavesTexts(c *schema.Change) bool {
	if c.Op != schema.UpdateOp || c.Old != nil || c.Covered || c.Table.Lines != nil || !c.Table.IsNote() {
		return false
	}
	for _, col := range c.Table.Texts {
		if c.Row[col].State != schema.Unchanged {
			return false
		}
	}
	return true
}

// forgetUpdates forgets what updates without texts brought, as what they were made with may be void: their rows are read again.
func (s *Streamed) forgetUpdates() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for row := range s.rows {
		s.rows[row] = nil
	}
}

// since returns the last update of a row that was read, if there were any and all were without texts, and whether what was read can be written:
// false if the stream has brought something newer.
func (s *Streamed) since(it *deid.Item) (last *deid.Item, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, came := s.rows[rowRead(it.Change)]
	if s.tables[it.Change.Table] || came && (last == nil || !goesWith(last, it)) {
		return nil, false
	}
	return last, true
}

// rowRead names a row that was read again.
func rowRead(c *schema.Change) sourceRow {
	row := c.Row
	if row == nil { // of the end of a note
		row = c.Old
	}
	key, _ := c.Table.UnitKey(row)
	return sourceRow{table: c.Table, key: schema.KeyString(key)}
}

// goesWith reports whether the columns of an update can be published with the texts of a row that was read before it: both were
// made for the same patient, who is published.
func goesWith(update, read *deid.Item) bool {
	a, b := update.Patient, read.Patient
	return a != nil && b != nil && a.Pseudonym == b.Pseudonym && !a.Void() && update.Out.Reason == "" && !update.LeftOut
}
