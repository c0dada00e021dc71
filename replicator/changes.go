package replicator

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/replicator/source"
)

// changes makes items of what the stream brings, and puts them into the pipeline.
type changes struct {
	decode *decoder
	copies map[*table]*source.Coverage // what copies have that are newer than the stream's start
	put    func(context.Context, *item) error
}

// Relation implements [source.Sink].
func (c *changes) Relation(m *pglogrepl.RelationMessage) error { return c.decode.relation(m) }

// Position implements [source.Sink].
func (c *changes) Position(ctx context.Context, lsn pglogrepl.LSN, committed time.Time) error {
	return c.put(ctx, markItem(position{lsn: lsn, committed: committed}))
}

// Row implements [source.Sink]. Rows of tables that are not mapped are dropped.
func (c *changes) Row(ctx context.Context, m pglogrepl.Message, of source.Transaction) error {
	list, err := c.decode.rows(m)
	if err != nil {
		return err
	}
	for _, ch := range list {
		ch.lsn, ch.xid = of.Commit, of.XID
		if ch.covered = c.copies[ch.table].Has(of.XID, of.Commit); ch.covered && ch.op == truncateOp {
			continue
		}
		if err := c.put(ctx, rowItem(ch)); err != nil {
			return err
		}
	}
	return nil
}
