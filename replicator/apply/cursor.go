package apply

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
)

const opCursor = "store how far the first copy has come"

// storeCursor stores how far the copy of a table has come, in tx.
func (c *Committer) storeCursor(ctx context.Context, tx pgx.Tx, at *deid.Cursor) error {
	if at.Chunk > 0 {
		return c.storeChunk(ctx, tx, at)
	}
	var sealed []byte
	if at.Key != nil {
		sealed = c.seals.SealKey("cursor", at.Key, at.Table.ID)
	}
	if at.Done {
		if err := c.endFilters(ctx, tx, at.Table, false); err != nil {
			return err
		}
	}
	if err := c.storeDifferences(ctx, tx, at.Table.ID); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `update deid.snapshot set last_key = $3, rows = rows + $4, done = $5,
		again = case when not $5 then again end where slot = $1 and table_name = $2`,
		c.Slot, at.Table.ID, sealed, at.Rows, at.Done)
	return fault.New(opCursor, connect.Lost(c.Conn, err), "")
}

// ErrReplanned means that a part of a table is no part of the copy any more, or was made with another
// directory than the vault knows of: what was made of it is thrown away.
var ErrReplanned = errors.New("the copy was planned anew, or staff or sites were added")

// storeChunk stores how far the copy of a part of a table has come, in tx. That all pages are
// made with the directory that the vault knows of is what has a later addition be noticed:
// a process that stores another one takes its turn to write as well.
func (c *Committer) storeChunk(ctx context.Context, tx pgx.Tx, at *deid.Cursor) error {
	var sealed []byte
	if at.Key != nil {
		sealed = c.seals.SealKey("chunk", at.Key, at.Table.ID, strconv.Itoa(at.Chunk))
	}
	tag, err := tx.Exec(ctx, `update deid.copy_chunk set last_key = $4, rows = rows + $5, done = $6
		where slot = $1 and table_name = $2 and chunk = $3 and not done
			and exists (select from deid.directory d where d.slot = $1 and d.label = $7)`,
		c.Slot, at.Table.ID, at.Chunk, sealed, at.Rows, at.Done, []byte(c.Reg.Site.Load().Label))
	if err == nil && tag.RowsAffected() != 1 {
		err = ErrReplanned
	}
	return fault.New(opCursor, connect.Lost(c.Conn, err), "it is done again by itself")
}
