package replicator

import (
	"fmt"
	"log/slog"

	"github.com/jackc/pglogrepl"
)

// op says what happened to a row.
type op uint8

const (
	insertOp op = iota
	updateOp
	deleteOp
	truncateOp
)

// valueState says what is known of a column's value.
type valueState uint8

const (
	absent    valueState = iota // not in the message: not part of the key
	null                        // SQL NULL
	present                     // text holds it
	unchanged                   // stored out of line and not touched, so not sent
)

// value is a column's value in PostgreSQL's text format: PHI. It prints itself
// redacted.
type value struct {
	text  string
	state valueState
}

func (v value) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "value[%d bytes]", len(v.text)) }
func (v value) LogValue() slog.Value       { return slog.StringValue(fmt.Sprintf("%v", v)) }

// change is what happened to one row of a mapped table. Its values are those of
// the source: it prints itself redacted.
type change struct {
	op    op
	table *table
	// old holds the key before, by index of table.columns: of a deleted row, and of
	// an updated one whose key changed. nil otherwise.
	old []value
	// row holds the values after, by index of table.columns. nil for a deleted row.
	row []value
	// lsn is the position of the commit of the change's transaction, or of what made
	// pgdeid read the row; 0 for rows of the snapshot.
	lsn pglogrepl.LSN
	// xid is the change's transaction at the source.
	xid uint32
	// read is true of rows that were read with SQL: they tell nothing new.
	read bool
	// covered is true of changes that a copy of the table has already: they may say
	// something about a patient, and their row is not written.
	covered bool
	// size is about how many bytes of memory the change needs until it is applied.
	size int64
}

func (c *change) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "change[%s, %d bytes]", c.table.id, c.size)
}
func (c *change) LogValue() slog.Value { return slog.StringValue(fmt.Sprintf("%v", c)) }

// rowCost is what a row costs beside its values: tokens, spans, slices.
const rowCost = 1 << 10

// measure sets size from the values: the source's text, the published one, and
// what detection needs for its length in between.
func (c *change) measure() {
	n := int64(rowCost)
	for _, v := range c.row {
		n += 3 * int64(len(v.text))
	}
	c.size = n
}

// keyTexts returns the values of the primary key in row, which must be one of
// the change's rows, or false if one of them is not there.
func (t *table) keyTexts(row []value) ([]string, bool) {
	key := make([]string, len(t.key))
	for i, col := range t.key {
		if row == nil || row[col].state != present {
			return nil, false
		}
		key[i] = row[col].text
	}
	return key, true
}
