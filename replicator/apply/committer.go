package apply

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Committer takes items in order and writes them. Small transactions of the
// source share one transaction of the replica; a large one passes through an open
// transaction in groups, so that it is never in memory as a whole.
//
// Between marks (the ends of the source's transactions) nothing is committed: the
// replica shows no half transaction, and what a crash leaves behind is nothing.
type Committer struct {
	phi.Redacted

	*Writer
	Items     <-chan *deid.Item
	Written   func(*deid.Item) // gives back an item's room
	Slot      string
	GroupRows int
	Linger    time.Duration
	Applied   *atomic.Uint64
	Notify    func(deid.Position) // called after each commit
	// Hold is how many bytes of a page wait for its end before they are written, so that the turn to write is
	// others' meanwhile; each page is then committed by itself. 0: nothing waits.
	Hold int64

	tx        pgx.Tx        // nil: not open
	group     *Group        // not written yet
	read      []*deid.Item  // of group
	rows      int           // in the transaction, those of group included
	Pos       deid.Position // of the last mark
	dirty     bool          // there is something since the last commit
	whole     bool          // nothing came after the last mark
	due       *time.Timer
	armed     bool
	pinned    []*patient.Patient   // of items in the transaction
	heldWords []*patient.HeldWords // that the cache keeps for items in the transaction
	traced    []func()             // end the traces of items in the transaction

	Rewrites chan *Batch // batches of the rewriter; nil in the first copy
	handed   []*Batch    // of the transaction
	passed   []string    // marks of the stream before which not all is committed
	Announce func(mark string)
	Since    Streamed
	Asks     chan struct{}      // holds a token once something was queued to be read again
	Stale    *atomic.Bool       // of the pass over all notes
	Kept     *patient.Directory // that the vault knows of; nil in the first copy
}

// groupBytes bounds what is written with one statement.
const groupBytes = 16 << 20

// Run works until items is closed.
func (c *Committer) Run(ctx context.Context) error {
	c.group, c.whole = NewGroup(), true
	c.due = time.NewTimer(time.Hour)
	defer c.due.Stop()
	defer func() {
		if c.tx != nil {
			Rollback(c.tx)
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
func (c *Committer) next(ctx context.Context) (*deid.Item, bool, error) {
	var it *deid.Item
	for it == nil {
		select {
		case next, ok := <-c.Items:
			if !ok {
				return nil, false, ctx.Err()
			}
			it = next
		case <-c.due.C:
			if err := c.commitDue(ctx); err != nil {
				return nil, false, err
			}
		case b := <-c.Rewrites:
			if err := c.takeRewrite(ctx, b); err != nil {
				return nil, false, err
			}
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	for {
		select {
		case <-it.Done:
			return it, true, nil
		case <-c.due.C:
			if err := c.commitDue(ctx); err != nil {
				return nil, false, err
			}
		case b := <-c.Rewrites:
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
func (c *Committer) commitDue(ctx context.Context) error {
	c.armed = false
	if c.whole {
		return c.commit(ctx)
	}
	if c.group.bytes < c.Hold {
		return nil
	}
	return c.flushGroup(ctx)
}

func (c *Committer) arm() {
	if !c.armed {
		c.due.Reset(c.Linger)
		c.armed = true
	}
}

func (c *Committer) take(ctx context.Context, it *deid.Item) error {
	if it.Passed != "" {
		c.Written(it)
		c.passed = append(c.passed, it.Passed)
		if !c.dirty {
			c.announceAll()
		}
		return nil
	}
	c.dirty = true
	if it.Change == nil {
		c.Written(it)
		c.Pos, c.whole = it.Mark, true
		if c.rows >= c.GroupRows || c.Hold > 0 {
			return c.commit(ctx)
		}
		c.arm()
		return nil
	}
	c.whole = false
	c.arm()
	c.Since.add(it)
	if it.Change.Op == schema.TruncateOp {
		return c.truncate(ctx, it)
	}
	c.addFilters(c.group, it)
	c.addTo(c.group, it)
	c.read = append(c.read, it)
	c.follow(it)
	c.rows++
	if c.group.rows >= c.GroupRows || c.group.bytes >= groupBytes {
		return c.flushGroup(ctx)
	}
	return nil
}

// follow notes, of a row that is traced, that it waits to be committed.
func (c *Committer) follow(it *deid.Item) {
	if it.Trace == nil {
		return
	}
	note, end, aside := it.Trace, it.Trace.Step("commit"), string(it.Out.Reason)
	c.traced = append(c.traced, func() {
		end()
		note.End(aside)
	})
}

// open begins the transaction, unless it has begun.
func (c *Committer) open(ctx context.Context) (err error) {
	if c.tx == nil {
		c.tx, err = c.Begin(ctx)
	}
	return err
}

// flushGroup writes the group into the open transaction.
func (c *Committer) flushGroup(ctx context.Context) error {
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
		if it.Patient != nil {
			c.pinned = append(c.pinned, it.Patient)
		}
		if it.HeldWords != nil {
			c.heldWords = append(c.heldWords, it.HeldWords)
		}
		c.Written(it)
	}
	c.group, c.read = NewGroup(), c.read[:0]
	return nil
}

// announceAll announces the marks before which everything is committed now.
func (c *Committer) announceAll() {
	for _, mark := range c.passed {
		c.Announce(mark)
	}
	c.passed = c.passed[:0]
}

// takeRewrite writes a batch of the rewriter behind what the stream has brought so far.
// Rows of which the stream has brought a newer text since they were read are passed over, and those that were
// made with what is void.
func (c *Committer) takeRewrite(ctx context.Context, b *Batch) error {
	if err := c.flushGroup(ctx); err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	g := NewGroup()
	for _, it := range b.Items {
		last, ok := c.Since.since(it)
		if !ok || it.Patient != nil && it.Patient.Void() {
			b.PassedOver[it] = true
			continue
		}
		c.addTo(g, it)
		if last != nil {
			g.carry(last)
		}
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
func (c *Committer) storeDirectory(ctx context.Context) error {
	site := c.Reg.Site.Load()
	if c.Kept == nil || site == c.Kept {
		return nil
	}
	batch := &pgx.Batch{}
	site.Queue(batch, c.Slot)
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fault.New("store the state of the directory", err, "")
	}
	if site.Label != c.Kept.Label {
		c.Stale.Store(true)
	}
	c.Kept = site
	return nil
}

// commit ends the transaction with the position of the last mark.
func (c *Committer) commit(ctx context.Context) error {
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
		return fault.New("commit to the replica", connect.Lost(c.Conn, err), "")
	}
	c.committed()
	return nil
}

// committed lets the others know that the transaction is durable.
func (c *Committer) committed() {
	for _, p := range c.pinned {
		c.Reg.Cache.Unpin(p)
	}
	for _, h := range c.heldWords {
		c.Reg.Cache.WordsStored(h)
	}
	c.tx, c.rows, c.dirty, c.pinned, c.heldWords = nil, 0, false, c.pinned[:0], c.heldWords[:0]
	if c.Pos.LSN != 0 {
		c.Applied.Store(uint64(c.Pos.LSN))
	}
	if len(c.gone) > 0 {
		c.Since.forgetUpdates()
	}
	c.forgetChanged()
	c.announceAll()
	for _, end := range c.traced {
		end()
	}
	c.traced = c.traced[:0]
	for _, b := range c.handed {
		close(b.Done)
	}
	c.handed = nil
	if c.asked {
		c.asked = false
		select {
		case c.Asks <- struct{}{}:
		default: // it knows already
		}
	}
	c.Metrics.Commits.Inc()
	if !c.Pos.Committed.IsZero() {
		c.Metrics.Applied(c.Pos.Committed, c.Now())
	}
	if c.Notify != nil {
		c.Notify(c.Pos)
	}
}

func (c *Committer) storePosition(ctx context.Context) error {
	if c.Pos.Cursor != nil {
		return c.storeCursor(ctx, c.tx, c.Pos.Cursor)
	}
	tag, err := c.tx.Exec(ctx, source.UpdateProgress, c.Slot, c.Pos.LSN.String())
	if err == nil && tag.RowsAffected() != 1 {
		err = ErrPosition
	}
	return fault.New("store the position", connect.Lost(c.Conn, err), "stop the other process that uses slot "+c.Slot)
}

// truncate empties a table, with what the vault has of it.
func (c *Committer) truncate(ctx context.Context, it *deid.Item) error {
	if err := c.flushGroup(ctx); err != nil {
		return err
	}
	if err := c.open(ctx); err != nil {
		return err
	}
	t := it.Change.Table
	batch := &pgx.Batch{}
	if len(t.Publish) > 0 {
		batch.Queue("delete from " + t.Rows())
		if t.SQL.Release != nil {
			for _, sql := range t.SQL.Release.Truncate {
				batch.Queue(sql)
			}
		}
	}
	batch.Queue("delete from deid.note_provenance where table_name = $1", t.ID)
	batch.Queue("delete from deid.quarantine where table_name = $1", t.ID)
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fault.New("empty table "+t.ID+" of the replica", err, "")
	}
	if err := c.endFilters(ctx, c.tx, t, true); err != nil {
		return err
	}
	c.Metrics.Rows.WithLabelValues(metrics.OpTruncate).Inc()
	c.rows++
	c.Written(it)
	return nil
}

// ErrPosition means that the position in the replica is not where this process left it.
var ErrPosition = errors.New("another process moved the position")

// Batch is a batch of rows that were made anew, on its way to the committer.
type Batch struct {
	Items []*deid.Item
	Done  chan struct{} // closed when the batch is committed
	// PassedOver has the items that were not written, as the stream has brought newer rows.
	PassedOver map[*deid.Item]bool
}
