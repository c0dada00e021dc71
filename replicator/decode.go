package replicator

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// decoder turns pgoutput's messages into changes of mapped tables. Columns are
// matched by name at every relation message: what the mapping does not name never
// gets further than here.
type decoder struct {
	plan      *plan
	relations map[uint32]*relation
	log       *slog.Logger
	warned    map[string]bool // columns and tables that were named in the log already
	dropped   func()          // counts columns that are not published
}

func newDecoder(p *plan, log *slog.Logger, dropped func()) *decoder {
	return &decoder{plan: p, relations: map[uint32]*relation{}, log: log, warned: map[string]bool{}, dropped: dropped}
}

// relation is a source table as the stream describes it at one moment.
type relation struct {
	table *table // nil: the mapping does not name it
	name  string
	index []int // of the message's columns in table.columns; -1: not mapped
}

// relation takes in a relation message. A mapped column that is gone or has
// another type is an error: the mapping does not say what to do with such rows.
func (d *decoder) relation(m *pglogrepl.RelationMessage) error {
	name := m.Namespace + "." + m.RelationName
	t := d.plan.byID[name]
	rel := &relation{table: t, name: name}
	d.relations[m.RelationID] = rel
	if t == nil { // a partition is announced with its table, whose rows follow
		return nil
	}
	seen := make([]bool, len(t.columns))
	for _, col := range m.Columns {
		i := t.columnIndex(col.Name)
		rel.index = append(rel.index, i)
		if i < 0 {
			d.dropped()
			d.warnOnce(t.id+"."+col.Name, "column is not in the mapping: it is not published")
			continue
		}
		if seen[i] = true; col.DataType != t.columns[i].oid {
			return drift(t, col.Name, "has another type in the stream")
		}
	}
	for i, col := range t.columns {
		if !seen[i] && t.needs(i) {
			return drift(t, col.Name, "is not in the stream (dropped, renamed, or not in the publication)")
		}
	}
	return checkStreamKey(t, m)
}

// checkStreamKey makes sure that a deleted row can be found: the stream sends the columns of
// the source's key of that moment, and the replica's rows have the one that it was
// migrated with.
func checkStreamKey(t *table, m *pglogrepl.RelationMessage) error {
	if m.ReplicaIdentity != 'd' && m.ReplicaIdentity != 'i' {
		return nil
	}
	var inStream, planned []string
	for _, col := range m.Columns {
		if col.Flags&1 != 0 {
			inStream = append(inStream, col.Name)
		}
	}
	for _, k := range t.key {
		planned = append(planned, t.columns[k].Name)
	}
	slices.Sort(inStream)
	slices.Sort(planned)
	if slices.Equal(inStream, planned) {
		return nil
	}
	return fault.New("follow table "+t.id, errors.New("it has another primary key in the stream"),
		"'pgdeid migrate up --yes' makes this table anew, and 'pgdeid run' then copies it; if this comes again, "+source.ResyncHint)
}

// needs reports whether rows can't be published without column i. Columns that
// have a role and are not published are read from the source when they are wanted.
func (t *table) needs(i int) bool {
	for _, k := range t.key {
		if k == i {
			return true
		}
	}
	return t.columns[i].Publish != config.Drop || i == t.via || slices.Contains(t.lookups, i)
}

func drift(t *table, col, what string) error {
	return fault.New("follow table "+t.id, fmt.Errorf("column %s %s", col, what),
		"bring the mapping in line with the source, run 'pgdeid migrate up', then "+source.ResyncHint[len("run "):])
}

func (d *decoder) warnOnce(name, text string) {
	if !d.warned[name] {
		d.warned[name] = true
		d.log.Warn(text, "name", name)
	}
}

func (d *decoder) lookup(id uint32) (*relation, error) {
	rel, ok := d.relations[id]
	if !ok {
		return nil, fault.New("decode the stream", source.ErrDecode, "")
	}
	if rel.table == nil {
		d.warnOnce(rel.name, "table is published but not mapped: its rows are dropped")
	}
	return rel, nil
}

// rows returns the changes of a message: none for a table that is not mapped, several for
// a truncate of several tables.
func (d *decoder) rows(msg pglogrepl.Message) ([]*change, error) {
	var c *change
	var err error
	switch m := msg.(type) {
	case *pglogrepl.InsertMessage:
		c, err = d.insert(m)
	case *pglogrepl.UpdateMessage:
		c, err = d.update(m)
	case *pglogrepl.DeleteMessage:
		c, err = d.delete(m)
	case *pglogrepl.TruncateMessage:
		return d.truncate(m)
	default:
		err = fault.New("decode the stream", source.ErrDecode, "")
	}
	if c == nil || err != nil {
		return nil, err
	}
	return []*change{c}, nil
}

// insert returns nil for a table that is not mapped; so do the others.
func (d *decoder) insert(m *pglogrepl.InsertMessage) (*change, error) {
	rel, err := d.lookup(m.RelationID)
	if err != nil || rel.table == nil {
		return nil, err
	}
	row, err := rel.row(m.Tuple)
	return &change{op: insertOp, table: rel.table, row: row}, err
}

func (d *decoder) update(m *pglogrepl.UpdateMessage) (*change, error) {
	rel, err := d.lookup(m.RelationID)
	if err != nil || rel.table == nil {
		return nil, err
	}
	row, err := rel.row(m.NewTuple)
	if err != nil {
		return nil, err
	}
	c := &change{op: updateOp, table: rel.table, row: row}
	if m.OldTuple == nil {
		return c, nil
	}
	old, err := rel.row(m.OldTuple)
	if err != nil {
		return nil, err
	}
	if m.OldTupleType == pglogrepl.UpdateMessageTupleTypeOld {
		fillUnchanged(row, old)
	}
	if !rel.table.sameKey(old, row) {
		c.old = old
	}
	return c, nil
}

// fillUnchanged takes values that were not sent from the old row, which has them
// under REPLICA IDENTITY FULL.
func fillUnchanged(row, old []value) {
	for i := range row {
		if row[i].state == unchanged && (old[i].state == present || old[i].state == null) {
			row[i] = old[i]
		}
	}
}

func (t *table) sameKey(a, b []value) bool {
	for _, k := range t.key {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

func (d *decoder) delete(m *pglogrepl.DeleteMessage) (*change, error) {
	rel, err := d.lookup(m.RelationID)
	if err != nil || rel.table == nil {
		return nil, err
	}
	old, err := rel.row(m.OldTuple)
	return &change{op: deleteOp, table: rel.table, old: old}, err
}

func (d *decoder) truncate(m *pglogrepl.TruncateMessage) ([]*change, error) {
	var changes []*change
	for _, id := range m.RelationIDs {
		rel, err := d.lookup(id)
		if err != nil {
			return nil, err
		}
		if rel.table != nil {
			changes = append(changes, &change{op: truncateOp, table: rel.table})
		}
	}
	return changes, nil
}

// row copies a tuple's mapped columns.
func (rel *relation) row(tuple *pglogrepl.TupleData) ([]value, error) {
	if tuple == nil || len(tuple.Columns) != len(rel.index) {
		return nil, fault.New("decode a row of table "+rel.table.id, source.ErrDecode, "")
	}
	row := make([]value, len(rel.table.columns))
	for n, col := range tuple.Columns {
		i := rel.index[n]
		if i < 0 {
			continue
		}
		switch col.DataType {
		case pglogrepl.TupleDataTypeNull:
			row[i].state = null
		case pglogrepl.TupleDataTypeToast:
			row[i].state = unchanged
		case pglogrepl.TupleDataTypeText:
			row[i] = value{string(col.Data), present}
		default:
			return nil, fault.New("decode a row of table "+rel.table.id, source.ErrDecode, "")
		}
	}
	return row, nil
}
