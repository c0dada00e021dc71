package schema

import (
	"slices"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Op says what happened to a row.
type Op uint8

// What happens to rows.
const (
	InsertOp Op = iota
	UpdateOp
	DeleteOp
	TruncateOp
)

// ValueState says what is known of a column's value.
type ValueState uint8

// What is known of values.
const (
	absent    ValueState = iota // not in the message: not part of the key
	Null                        // SQL NULL
	Present                     // text holds it
	Unchanged                   // stored out of line and not touched, so not sent
)

// Value is a column's value in PostgreSQL's text format: PHI. It prints itself
// redacted.
type Value struct {
	phi.Redacted

	Text  string
	State ValueState
}

// Change is what happened to one row of a mapped table. Its values are those of
// the source: it prints itself redacted.
type Change struct {
	phi.Redacted

	Op    Op
	Table *Table
	// Old holds the key before, by index of table.columns: of a deleted row, and of
	// an updated one whose key changed. nil otherwise.
	Old []Value
	// Row holds the values after, by index of table.columns. nil for a deleted row.
	Row []Value
	// LSN is the position of the commit of the change's transaction, or of what made
	// pgdeid read the row; 0 for rows of the snapshot.
	LSN pglogrepl.LSN
	// XID is the change's transaction at the source.
	XID uint32
	// Read is true of rows that were read with SQL: they tell nothing new.
	Read bool
	// Covered is true of changes that a copy of the table has already: they may say
	// something about a patient, and their row is not written.
	Covered bool
	// Size is about how many bytes of memory the change needs until it is applied.
	Size int64
}

// RowCost is what a row costs besides its values: tokens, spans, slices.
const RowCost = 1 << 10

// Measure sets size from the values: the source's text, the published one, and
// what detection needs for its length in between.
func (c *Change) Measure() {
	n := int64(RowCost)
	for _, v := range c.Row {
		n += 3 * int64(len(v.Text))
	}
	c.Size = n
}

// KeyTexts returns the values of the primary key in row, which must be one of
// the change's rows, or false if one of them is not there.
func (t *Table) KeyTexts(row []Value) ([]string, bool) {
	key := make([]string, len(t.Key))
	for i, col := range t.Key {
		if row == nil || row[col].State != Present {
			return nil, false
		}
		key[i] = row[col].Text
	}
	return key, true
}

// HasText reports whether a row has a text, and thus provenance where it is published.
func (c *Change) HasText() bool {
	return slices.ContainsFunc(c.Table.Texts, func(i int) bool { return c.Row[i].State != Null })
}

// Incomplete reports whether the stream left out what the replica can't supply.
// A text that was not touched is there already, under the same key.
func (c *Change) Incomplete() bool {
	if via := c.Table.Via; c.Row != nil && via >= 0 && c.Row[via].State == Unchanged {
		return true // nothing says whose the row is
	}
	for _, i := range c.Table.Publish {
		if c.Row != nil && c.Row[i].State == Unchanged &&
			(c.Old != nil || c.Op == InsertOp || !slices.Contains(c.Table.Texts, i)) {
			return true
		}
	}
	for i := range c.Table.Columns {
		if c.Row != nil && c.Row[i].State == Unchanged && c.Table.filters(i) {
			return true
		}
	}
	return false
}

// Vanish turns an update of a row that is gone by now into the deletion of what
// the replica has of it.
func (c *Change) Vanish() {
	if c.Old == nil {
		c.Old = c.Row
	}
	c.Op, c.Row = DeleteOp, nil
}

// FillsRecord reports whether the row, as it is now, has a value for the record of its patient.
func (c *Change) FillsRecord() bool {
	some := false
	for _, i := range c.Table.Telling {
		if c.Row != nil && c.Row[i].State == Present {
			c.Table.Columns[i].EachRole(c.Row[i].Text, func(_ record.Role, value string) { some = some || value != "" })
		}
	}
	return some
}

// RewritesNotes reports whether notes that are published already may look
// different after c, since a patient's record changed. The author of a note, in the
// note's own row, is no such change.
func (c *Change) RewritesNotes() bool {
	t := c.Table
	if !t.TellsPatient() || c.Op == DeleteOp || c.Op == InsertOp && !c.FillsRecord() { // to know less is no reason to read again
		return false
	}
	if !t.IsNote() {
		return true
	}
	for _, i := range t.Telling {
		for _, role := range t.Columns[i].Roles() {
			switch role {
			case record.ProviderName, record.Facility, record.Username:
			default:
				return true
			}
		}
	}
	return false
}
