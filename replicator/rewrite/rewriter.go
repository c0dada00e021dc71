package rewrite

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// Rewriter goes through the rows that must be read again, while the stream runs: those that a
// changed row leads to their patient, those of patients whose record changed, and all
// notes after the directory has grown. What waits is in the vault; only a batch is in
// memory. The stream's workers de-identify the batch when they have nothing else to do,
// and the committer writes it, less what the stream has brought meanwhile (see
// [streamed]), between two groups of the stream. New notes are made with the new record
// at once; old ones stay as they are until their turn.
type Rewriter struct {
	reg    *patient.Register
	store  *apply.Store
	rows   *deid.Resolver
	conn   *pgx.Conn // to the replica
	pipe   *deid.Pipeline
	out    chan<- *apply.Batch
	since  *apply.Streamed
	wake   <-chan struct{} // the queues in the vault may hold more
	active []*request      // in the order of their turns
	more   bool            // the queues in the vault may hold others
	look   time.Time       // when to look there in any case
	pass   *Pass
}

// page is a part of a batch that one request asked for.
type page struct {
	items []*deid.Item
	// finish stores that the rows are written. back makes them be read again.
	finish func(context.Context) error
	back   func()
}

// Bounds of a batch. It is committed as a whole, in one statement for each table.
const (
	batchRows  = 100
	batchBytes = 16 << 20
	// pageRows bounds the rows of one request in a batch, so that a patient with very many
	// rows does not hold up the others.
	pageRows = 25
	// requestsAtOnce is how many requests are taken in hand together.
	requestsAtOnce = 50
)

// queueLook is how often the queue is looked at for what other processes put there, and
// idlePoll how often it is asked whether that time or the next pass has come.
const (
	queueLook = 15 * time.Second
	idlePoll  = time.Second
)

// New returns a rewriter that looks rows up with rows, which must ask for what is
// published already, and that has the connections of rows for itself.
func New(rows *deid.Resolver, p *deid.Pipeline, c *apply.Committer, pass *Pass) *Rewriter {
	return &Rewriter{
		reg: rows.Register, store: c.Store, rows: rows, conn: rows.Replica, pipe: p,
		out: c.Rewrites, since: &c.Since, wake: c.Asks, more: true, pass: pass,
	}
}

// Run works until ctx is done.
func (w *Rewriter) Run(ctx context.Context) error {
	tick := time.NewTicker(idlePoll)
	defer tick.Stop()
	for ctx.Err() == nil {
		worked, err := w.batch(ctx)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if worked {
			continue
		}
		select {
		case <-w.wake:
			w.more = true
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// batch reads, de-identifies and hands over a batch, and reports whether there was one.
func (w *Rewriter) batch(ctx context.Context) (bool, error) {
	if err := w.fill(ctx); err != nil {
		return false, err
	}
	if len(w.active) == 0 && !w.pass.due(w.store.Now()) {
		return false, nil
	}
	w.since.Begin()
	defer w.since.End()
	pages, err := w.read(ctx)
	if err != nil {
		return false, err
	}
	items := itemsOf(pages)
	w.since.Narrow(items)
	if err := w.await(ctx); err != nil {
		return false, err
	}
	done, err := w.rewrite(ctx, items)
	if err != nil {
		return false, err
	}
	for _, p := range pages {
		if newer(done, p) {
			p.back()
			continue
		}
		if err := p.finish(ctx); err != nil {
			return false, err
		}
	}
	return true, nil
}

// await waits until every transaction that was seen in what was read has come in the stream
// and is committed. Rows can be newer than the stream, and have a name that the record as
// it was read for the stream lacks: once the stream has come so far, it is read anew. And
// whose a row was is read from the replica, which has to know of every move so far.
func (w *Rewriter) await(ctx context.Context) error {
	mark := source.NewMark()
	passed := w.pipe.Expect(mark)
	if err := source.Mark(ctx, w.rows.Source, mark); err != nil {
		return err
	}
	select {
	case <-passed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newer reports whether the stream has brought a newer version of one of a page's rows.
func newer(b *apply.Batch, p *page) bool {
	for _, it := range p.items {
		if b.PassedOver[it] {
			return true
		}
	}
	return false
}

// fill takes requests from the vault when there are none in hand.
func (w *Rewriter) fill(ctx context.Context) error {
	now := w.store.Now()
	if len(w.active) > 0 || !w.more && now.Before(w.look) {
		return nil
	}
	list, err := w.requests(ctx, requestsAtOnce)
	w.active, w.more, w.look = list, len(list) == requestsAtOnce, now.Add(queueLook)
	return err
}

// requests reads what waits longest. Rows that may be with the wrong patient come first.
func (w *Rewriter) requests(ctx context.Context, limit int) ([]*request, error) {
	list, err := w.pathRequests(ctx, limit)
	if err != nil || len(list) == limit {
		return list, fault.New("read which rows lead to other patients now", connect.Lost(w.conn, err), "")
	}
	patients, err := w.patientRequests(ctx, limit-len(list))
	return append(list, patients...), fault.New("read the patients whose record changed", connect.Lost(w.conn, err), "")
}

// read reads the rows of a batch: a page of each request in turn or, where there are none,
// one of the pass over all notes.
func (w *Rewriter) read(ctx context.Context) ([]*page, error) {
	if len(w.active) == 0 {
		p, err := w.pass.page(ctx, w)
		return []*page{p}, err
	}
	var pages []*page
	var left []*request
	rows, bytes := 0, int64(0)
	for n, e := range w.active {
		if rows >= batchRows || bytes >= batchBytes {
			left = append(w.active[n:len(w.active):len(w.active)], left...)
			break
		}
		p, err := e.page(ctx, w, pageRows)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
		for _, it := range p.items {
			rows, bytes = rows+1, bytes+it.Held
		}
		if !e.done() {
			left = append(left, e)
		}
	}
	w.active = left
	return pages, nil
}

func itemsOf(pages []*page) (items []*deid.Item) {
	for _, p := range pages {
		items = append(items, p.items...)
	}
	return items
}

// rewrite de-identifies rows and waits until they are committed.
func (w *Rewriter) rewrite(ctx context.Context, items []*deid.Item) (*apply.Batch, error) {
	b := &apply.Batch{Done: make(chan struct{}), PassedOver: map[*deid.Item]bool{}}
	defer func() {
		for _, it := range items {
			it.Release(w.reg)
		}
	}()
	if err := w.rows.ResolveEach(ctx, items); err != nil {
		return nil, err
	}
	for _, it := range items {
		if it.Absent || it.Ends != nil && it.Ends.Absent() { // a row that the replica does not have yet comes in the stream
			continue
		}
		b.Items = append(b.Items, it)
	}
	if len(b.Items) == 0 {
		return b, nil
	}
	if err := w.pipe.Rewrite(ctx, b.Items); err != nil {
		return nil, err
	}
	select {
	case w.out <- b:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-b.Done:
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
