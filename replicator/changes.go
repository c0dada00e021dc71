package replicator

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/trace"
)

// changes makes items of what the stream brings, and puts them into the pipeline.
type changes struct {
	decode *source.Decoder
	copies map[*schema.Table]*source.Coverage // what copies have that are newer than the stream's start
	put    func(context.Context, *deid.Item) error
	trace  *trace.Tracer
}

// Relation implements [source.Sink].
func (c *changes) Relation(m *pglogrepl.RelationMessage) error { return c.decode.Relation(m) }

// Position implements [source.Sink].
func (c *changes) Position(ctx context.Context, lsn pglogrepl.LSN, committed time.Time) error {
	return c.put(ctx, deid.MarkItem(deid.Position{LSN: lsn, Committed: committed}))
}

// Passed implements [source.Sink].
func (c *changes) Passed(ctx context.Context, mark string) error {
	return c.put(ctx, deid.PassedItem(mark))
}

// Row implements [source.Sink]. Rows of tables that are not mapped are dropped.
func (c *changes) Row(ctx context.Context, m pglogrepl.Message, of source.Transaction) error {
	var began time.Time
	if c.trace.On() {
		began = time.Now()
	}
	list, err := c.decode.Rows(m)
	if err != nil {
		return err
	}
	for _, ch := range list {
		ch.LSN, ch.XID = of.Commit, of.XID
		if ch.Covered = c.copies[ch.Table].Has(of.XID, of.Commit); ch.Covered && ch.Op == schema.TruncateOp {
			continue
		}
		it := deid.RowItem(ch)
		if c.trace.On() && ch.Row != nil && ch.Table.IsNote() && ch.Table.Lines == nil {
			it.Trace = c.begin(it, of.Sent, began)
		}
		if err := c.put(ctx, it); err != nil {
			return err
		}
	}
	return nil
}

// begin begins the trace of a note that was sent and decoded.
func (c *changes) begin(it *deid.Item, sent, began time.Time) *trace.Note {
	if sent.IsZero() || sent.After(began) { // the clocks of two machines
		sent = began
	}
	n := c.trace.Begin(it.Change.Table.ID, it.Change.Size, sent)
	n.Took("receive", sent, began)
	n.Took("decode", began, time.Now())
	return n
}
