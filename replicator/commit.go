package replicator

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// committer takes items in order and writes them. Small transactions of the
// source share one transaction of the replica; a large one passes through an open
// transaction in groups, so that it is never in memory as a whole.
//
// Between marks (the ends of the source's transactions) nothing is committed: the
// replica shows no half transaction, and what a crash leaves behind is nothing.
type committer struct {
	*writer
	items     <-chan *item
	written   func(*item) // gives back an item's room
	slot      string
	groupRows int
	linger    time.Duration
	applied   *atomic.Uint64
	notify    func(position) // called after each commit

	tx     pgx.Tx   // nil: not open
	group  *group   // not written yet
	read   []*item  // of group
	rows   int      // in the transaction, those of group included
	pos    position // of the last mark
	dirty  bool     // there is something since the last commit
	whole  bool     // nothing came after the last mark
	due    *time.Timer
	armed  bool
	pinned []*patient // of items in the transaction

	rewrites chan *rewrite // batches of the rewriter; nil in the first copy
	handed   []*rewrite    // of the transaction
	since    streamed
	asks     chan struct{} // holds a token once something was queued to be read again
	stale    *atomic.Bool  // of the pass over all notes
	kept     *directory    // that the vault knows of; nil in the first copy
}

// groupBytes bounds what is written with one statement.
const groupBytes = 16 << 20

// run works until items is closed.
func (c *committer) run(ctx context.Context) error {
	c.group, c.whole = newGroup(), true
	c.due = time.NewTimer(time.Hour)
	defer c.due.Stop()
	defer func() {
		if c.tx != nil {
			rollback(c.tx)
		}
	}()
	for {
		it, ok, err := c.next(ctx)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := c.take(ctx, it); err != nil {
			return err
		}
	}
	if c.dirty && c.whole {
		return c.commit(ctx)
	}
	return nil
}

// next waits for an item and for its outcome. While it waits, what is there is
// committed when it is due, and batches of the rewriter are written.
func (c *committer) next(ctx context.Context) (*item, bool, error) {
	var it *item
	for it == nil {
		select {
		case next, ok := <-c.items:
			if !ok {
				return nil, false, ctx.Err()
			}
			it = next
		case <-c.due.C:
			if err := c.commitDue(ctx); err != nil {
				return nil, false, err
			}
		case b := <-c.rewrites:
			if err := c.takeRewrite(ctx, b); err != nil {
				return nil, false, err
			}
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	for {
		select {
		case <-it.done:
			return it, true, nil
		case <-c.due.C:
			if err := c.commitDue(ctx); err != nil {
				return nil, false, err
			}
		case b := <-c.rewrites:
			if err := c.takeRewrite(ctx, b); err != nil {
				return nil, false, err
			}
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

// commitDue commits what waited long enough. In the middle of a transaction it
// only writes, which makes room for the reader: without that, a reader with a
// large row in its hand and a committer that waits for more would wait for ever.
func (c *committer) commitDue(ctx context.Context) error {
	c.armed = false
	if c.whole {
		return c.commit(ctx)
	}
	return c.flushGroup(ctx)
}

func (c *committer) arm() {
	if !c.armed {
		c.due.Reset(c.linger)
		c.armed = true
	}
}

func (c *committer) take(ctx context.Context, it *item) error {
	c.dirty = true
	if it.change == nil {
		c.written(it)
		c.pos, c.whole = it.mark, true
		if c.rows >= c.groupRows {
			return c.commit(ctx)
		}
		c.arm()
		return nil
	}
	c.whole = false
	c.arm()
	c.since.add(it.change)
	if it.change.op == truncateOp {
		return c.truncate(ctx, it)
	}
	c.addTo(c.group, it)
	c.read = append(c.read, it)
	c.rows++
	if c.group.rows >= c.groupRows || c.group.bytes >= groupBytes {
		return c.flushGroup(ctx)
	}
	return nil
}

// open begins the transaction, unless it has begun.
func (c *committer) open(ctx context.Context) (err error) {
	if c.tx == nil {
		c.tx, err = c.begin(ctx)
	}
	return err
}

// flushGroup writes the group into the open transaction.
func (c *committer) flushGroup(ctx context.Context) error {
	if c.group.empty() {
		return nil
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	if err := c.flush(ctx, c.tx, c.group); err != nil {
		return err
	}
	for _, it := range c.read {
		if it.patient != nil {
			c.pinned = append(c.pinned, it.patient)
		}
		c.written(it)
	}
	c.group, c.read = newGroup(), c.read[:0]
	return nil
}

// takeRewrite writes a batch of the rewriter behind what the stream has brought so far.
// Rows that the stream has brought since they were read are passed over.
func (c *committer) takeRewrite(ctx context.Context, b *rewrite) error {
	if err := c.flushGroup(ctx); err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	g := newGroup()
	for _, it := range b.items {
		if c.since.has(it.change) {
			b.passedOver[it] = true
			continue
		}
		c.addTo(g, it)
	}
	if err := c.flush(ctx, c.tx, g); err != nil {
		return err
	}
	c.handed = append(c.handed, b)
	c.rows += g.rows
	c.dirty = true
	c.arm()
	return nil
}

// storeDirectory stores which directory notes are made with from now on, if it is another
// one than before.
func (c *committer) storeDirectory(ctx context.Context) error {
	site := c.deid.reg.site.Load()
	if c.kept == nil || site == c.kept {
		return nil
	}
	batch := &pgx.Batch{}
	site.queue(batch, c.slot)
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fault.New("store the state of the directory", err, "")
	}
	if site.label != c.kept.label {
		c.stale.Store(true)
	}
	c.kept = site
	return nil
}

// commit ends the transaction with the position of the last mark.
func (c *committer) commit(ctx context.Context) error {
	c.armed = false
	if !c.dirty {
		return nil
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	if err := c.flushGroup(ctx); err != nil {
		return err
	}
	if err := c.storeDirectory(ctx); err != nil {
		return err
	}
	if err := c.storePosition(ctx); err != nil {
		return err
	}
	if err := c.tx.Commit(ctx); err != nil {
		return fault.New("commit to the replica", connect.Lost(c.conn, err), "")
	}
	c.committed()
	return nil
}

// committed tells everybody that the transaction is durable.
func (c *committer) committed() {
	for _, p := range c.pinned {
		c.deid.reg.cache.unpin(p)
	}
	c.tx, c.rows, c.dirty, c.pinned = nil, 0, false, c.pinned[:0]
	if c.pos.lsn != 0 {
		c.applied.Store(uint64(c.pos.lsn))
	}
	for _, b := range c.handed {
		close(b.done)
	}
	c.handed = nil
	if c.asked {
		c.asked = false
		select {
		case c.asks <- struct{}{}:
		default: // it knows already
		}
	}
	c.metrics.commits.Inc()
	if !c.pos.committed.IsZero() {
		c.metrics.lagSeconds.Set(c.now().Sub(c.pos.committed).Seconds())
	}
	if c.notify != nil {
		c.notify(c.pos)
	}
}

func (c *committer) storePosition(ctx context.Context) error {
	if c.pos.cursor != nil {
		return c.storeCursor(ctx, c.tx, c.pos.cursor)
	}
	tag, err := c.tx.Exec(ctx, updateProgress, c.slot, c.pos.lsn.String())
	if err == nil && tag.RowsAffected() != 1 {
		err = errPosition
	}
	return fault.New("store the position", connect.Lost(c.conn, err), "stop the other process that uses slot "+c.slot)
}

// truncate empties a table, with what the vault has of it.
func (c *committer) truncate(ctx context.Context, it *item) error {
	if err := c.flushGroup(ctx); err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	t := it.change.table
	batch := &pgx.Batch{}
	if len(t.publish) > 0 {
		batch.Queue("delete from " + t.rows())
		if t.sql.release != nil {
			for _, sql := range t.sql.release.truncate {
				batch.Queue(sql)
			}
		}
	}
	batch.Queue("delete from deid.note_provenance where table_name = $1", t.id)
	batch.Queue("delete from deid.quarantine where table_name = $1", t.id)
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fault.New("empty table "+t.id+" of the replica", err, "")
	}
	c.metrics.rows.WithLabelValues(opTruncate).Inc()
	c.rows++
	c.written(it)
	return nil
}

var errPosition = errors.New("another process moved the position")
