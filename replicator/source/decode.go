package source

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Decoder turns pgoutput's messages into changes of mapped tables. Columns are
// matched by name at every relation message: what the mapping does not name never
// gets further than here.
type Decoder struct {
	plan      *schema.Plan
	relations map[uint32]*relation
	log       *slog.Logger
	warned    map[string]bool // columns and tables that were named in the log already
	dropped   func()          // counts columns that are not published
}

// NewDecoder returns a decoder of the plan's tables. dropped is called for each column that is not published.
func NewDecoder(p *schema.Plan, log *slog.Logger, dropped func()) *Decoder {
	return &Decoder{plan: p, relations: map[uint32]*relation{}, log: log, warned: map[string]bool{}, dropped: dropped}
}

// relation is a source table as the stream describes it at one moment.
type relation struct {
	table *schema.Table // nil: the mapping does not name it
	name  string
	index []int // of the message's columns in table.columns; -1: not mapped
}

// Relation takes in a relation message. A mapped column that is gone or has
// another type is an error: the mapping does not say what to do with such rows.
func (d *Decoder) Relation(m *pglogrepl.RelationMessage) error {
	name := m.Namespace + "." + m.RelationName
	t := d.plan.ByID[name]
	rel := &relation{table: t, name: name}
	d.relations[m.RelationID] = rel
	if t == nil { // a partition is announced with its table, whose rows follow
		return nil
	}
	seen := make([]bool, len(t.Columns))
	for _, col := range m.Columns {
		i := t.ColumnIndex(col.Name)
		rel.index = append(rel.index, i)
		if i < 0 {
			d.dropped()
			d.warnOnce(t.ID+"."+col.Name, "column is not in the mapping: it is not published")
			continue
		}
		if seen[i] = true; col.DataType != t.Columns[i].OID {
			return drift(t, col.Name, "has another type in the stream")
		}
	}
	for i, col := range t.Columns {
		if !seen[i] && col.Parts == nil && t.Needs(i) {
			return drift(t, col.Name, "is not in the stream (dropped, renamed, or not in the publication)")
		}
	}
	return checkStreamKey(t, m)
}

// checkStreamKey makes sure that a deleted row can be found: the stream sends the columns of
// the source's key of that moment, and the replica's rows have the one that it was
// migrated with.
func checkStreamKey(t *schema.Table, m *pglogrepl.RelationMessage) error {
	if m.ReplicaIdentity != 'd' && m.ReplicaIdentity != 'i' {
		return nil
	}
	var inStream, planned []string
	for _, col := range m.Columns {
		if col.Flags&1 != 0 {
			inStream = append(inStream, col.Name)
		}
	}
	for _, k := range t.Key {
		planned = append(planned, t.Columns[k].Name)
	}
	slices.Sort(inStream)
	slices.Sort(planned)
	if slices.Equal(inStream, planned) {
		return nil
	}
	return fault.New("follow table "+t.ID, errors.New("it has another primary key in the stream"),
		"'pgdeid migrate up --yes' makes this table anew, and 'pgdeid run' then copies it; if this comes again, "+ResyncHint)
}

func drift(t *schema.Table, col, what string) error {
	return fault.New("follow table "+t.ID, fmt.Errorf("column %s %s", col, what),
		"bring the mapping in line with the source, run 'pgdeid migrate up', then "+ResyncHint[len("run "):])
}

func (d *Decoder) warnOnce(name, text string) {
	if !d.warned[name] {
		d.warned[name] = true
		d.log.Warn(text, "name", name)
	}
}

// Rows returns the changes of a message: none for a table that is not mapped, several for
// a truncate of several tables.
func (d *Decoder) Rows(msg pglogrepl.Message) ([]*schema.Change, error) {
	switch m := msg.(type) {
	case *pglogrepl.InsertMessage:
		return d.changes(schema.InsertOp, func(rel *relation, c *schema.Change) (err error) {
			c.Row, err = rel.row(m.Tuple)
			return err
		}, m.RelationID)
	case *pglogrepl.UpdateMessage:
		return d.changes(schema.UpdateOp, func(rel *relation, c *schema.Change) error { return rel.update(m, c) }, m.RelationID)
	case *pglogrepl.DeleteMessage:
		return d.changes(schema.DeleteOp, func(rel *relation, c *schema.Change) (err error) {
			c.Old, err = rel.row(m.OldTuple)
			return err
		}, m.RelationID)
	case *pglogrepl.TruncateMessage:
		return d.changes(schema.TruncateOp, func(*relation, *schema.Change) error { return nil }, m.RelationIDs...)
	}
	return nil, fault.New("decode the stream", ErrDecode, "")
}

// changes makes a change of each mapped table, and has its rows filled in.
func (d *Decoder) changes(op schema.Op, fill func(*relation, *schema.Change) error, ids ...uint32) ([]*schema.Change, error) {
	var list []*schema.Change
	for _, id := range ids {
		rel, ok := d.relations[id]
		if !ok {
			return nil, fault.New("decode the stream", ErrDecode, "")
		}
		if rel.table == nil {
			d.warnOnce(rel.name, "table is published but not mapped: its rows are dropped")
			continue
		}
		c := &schema.Change{Op: op, Table: rel.table}
		if err := fill(rel, c); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

func (rel *relation) update(m *pglogrepl.UpdateMessage, c *schema.Change) (err error) {
	c.Row, err = rel.row(m.NewTuple)
	if err != nil || m.OldTuple == nil {
		return err
	}
	old, err := rel.row(m.OldTuple)
	if err != nil {
		return err
	}
	if m.OldTupleType == pglogrepl.UpdateMessageTupleTypeOld {
		fillUnchanged(c.Row, old)
	}
	if !rel.table.SameKey(old, c.Row) {
		c.Old = old
	}
	return nil
}

// fillUnchanged takes values that were not sent from the old row, which has them
// under REPLICA IDENTITY FULL.
func fillUnchanged(row, old []schema.Value) {
	for i := range row {
		if row[i].State == schema.Unchanged && (old[i].State == schema.Present || old[i].State == schema.Null) {
			row[i] = old[i]
		}
	}
}

// row copies a tuple's mapped columns.
func (rel *relation) row(tuple *pglogrepl.TupleData) ([]schema.Value, error) {
	if tuple == nil || len(tuple.Columns) != len(rel.index) {
		return nil, fault.New("decode a row of table "+rel.table.ID, ErrDecode, "")
	}
	row := make([]schema.Value, len(rel.table.Columns))
	for n, col := range tuple.Columns {
		i := rel.index[n]
		if i < 0 {
			continue
		}
		switch col.DataType {
		case pglogrepl.TupleDataTypeNull:
			row[i].State = schema.Null
		case pglogrepl.TupleDataTypeToast:
			row[i].State = schema.Unchanged
		case pglogrepl.TupleDataTypeText:
			row[i] = schema.Value{Text: rel.table.Columns[i].Read(col.Data), State: schema.Present}
		default:
			return nil, fault.New("decode a row of table "+rel.table.ID, ErrDecode, "")
		}
	}
	rel.table.Compose(row)
	return row, nil
}
