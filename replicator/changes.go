package replicator

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// changes makes items of what the stream brings, and puts them into the pipeline.
type changes struct {
	decode *source.Decoder
	copies map[*schema.Table]*source.Coverage // what copies have that are newer than the stream's start
	put    func(context.Context, *deid.Item) error
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
	list, err := c.decode.Rows(m)
	if err != nil {
		return err
	}
	for _, ch := range list {
		ch.LSN, ch.XID = of.Commit, of.XID
		if ch.Covered = c.copies[ch.Table].Has(of.XID, of.Commit); ch.Covered && ch.Op == schema.TruncateOp {
			continue
		}
		if err := c.put(ctx, deid.RowItem(ch)); err != nil {
			return err
		}
	}
	return nil
}
