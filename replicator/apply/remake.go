package apply

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Remaker makes rows anew for a command that runs while another process follows the stream, with what the databases hold
// at that moment.
type Remaker struct {
	phi.Redacted

	*Writer
	Look    *deid.Resolver
	Workers int
}

// remake puts items through resolve and detection at once, and adds them to g.
func (m *Remaker) remake(ctx context.Context, items []*deid.Item, g *Group) error {
	defer m.release(items)
	if err := m.make(ctx, items); err != nil {
		return err
	}
	m.addThere(g, items)
	return nil
}

// make finds out what the rows alone do not say, and makes what is published of them.
func (m *Remaker) make(ctx context.Context, items []*deid.Item) error {
	if err := m.Look.ResolveEach(ctx, items); err != nil {
		return err
	}
	return m.deidentifyAll(ctx, there(items))
}

// there returns the items of rows that are to be written. A row that the replica does not have yet comes in the stream, and
// its surrogates are chosen in the stream's order.
func there(items []*deid.Item) []*deid.Item {
	return slices.DeleteFunc(slices.Clone(items), func(it *deid.Item) bool { return it.Absent })
}

func (m *Remaker) addThere(g *Group, items []*deid.Item) {
	for _, it := range there(items) {
		m.addTo(g, it)
	}
}

func (m *Remaker) release(items []*deid.Item) {
	for _, it := range items {
		it.Release(m.Reg)
	}
}

// deidentifyAll works on items in parallel, those of one patient in order.
func (m *Remaker) deidentifyAll(ctx context.Context, items []*deid.Item) error {
	byPatient := map[*patient.Patient][]*deid.Item{}
	var order []*patient.Patient
	for _, it := range items {
		if byPatient[it.Patient] == nil {
			order = append(order, it.Patient)
		}
		byPatient[it.Patient] = append(byPatient[it.Patient], it)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(m.Workers)
	for _, p := range order {
		g.Go(func() error {
			for _, it := range byPatient[p] {
				m.Look.Deid.Deidentify(ctx, it)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

// refresh forgets what was read before: the stream is another process's, which does not say what changes.
func (m *Remaker) refresh(ctx context.Context) error {
	m.Look.ForgetAll()
	if err := m.Reg.ReadMerges(ctx, m.Conn); err != nil {
		return err
	}
	return m.Look.RefreshDirectory(ctx)
}

// reading reads the rows that are to be made anew.
type reading func(context.Context) ([]*deid.Item, error)

// without reads all rows but those in done.
func (read reading) without(done map[string]bool) reading {
	return func(ctx context.Context) ([]*deid.Item, error) {
		items, err := read(ctx)
		return slices.DeleteFunc(slices.Clone(items), func(it *deid.Item) bool { return done[it.Unit()] }), err
	}
}

// fresh reads rows with nothing of what was known or chosen before.
func (m *Remaker) fresh(ctx context.Context, read reading) ([]*deid.Item, error) {
	m.Reg.Cache.Clear()
	if err := m.refresh(ctx); err != nil {
		return nil, err
	}
	return read(ctx)
}

// anew reads and de-identifies rows, and returns what is to be written.
func (m *Remaker) anew(ctx context.Context, read reading) (*Group, error) {
	items, err := m.fresh(ctx, read)
	if err != nil {
		return nil, err
	}
	g := NewGroup()
	return g, m.remake(ctx, items, g)
}

// Try reads and de-identifies rows without waiting for our turn, lets look see what would be written, and
// writes nothing.
func (m *Remaker) Try(ctx context.Context, read reading, look func(context.Context, *Group) error) error {
	tx, err := m.Conn.Begin(ctx)
	if err != nil {
		return fault.New("begin a transaction in the replica", connect.Lost(m.Conn, err), "")
	}
	defer Rollback(tx)
	g, err := m.anew(ctx, read)
	if err != nil {
		return err
	}
	return look(ctx, g)
}

// attempts is how often rows are made without the write lock. The stream can change what they are made of each time: what is
// left then is made while the stream waits.
const attempts = 3

// Remake reads, de-identifies and writes rows; after, if not nil, adds to each of its transactions. The stream does
// not wait for detectors: rows are made without the write lock. With it they are read and resolved again, and those are
// written that would be made of the same now. The others are made again.
func (m *Remaker) Remake(ctx context.Context, read reading, after func(context.Context, pgx.Tx) error) error {
	done := map[string]bool{}
	for n := range attempts {
		left, err := m.remakeFree(ctx, read.without(done), done, after)
		if err != nil && !errors.Is(err, vault.ErrStale) || err == nil && left == 0 {
			return err
		}
		m.Log.Debug("rows changed while they were made anew", "rows", left, "attempt", n+1)
	}
	return m.write(ctx, func() (*Group, error) { return m.anew(ctx, read.without(done)) }, after)
}

// remakeFree makes rows without the write lock, and writes those that are still so with it. It adds these to done and
// returns how many are left.
func (m *Remaker) remakeFree(ctx context.Context, read reading, done map[string]bool, after func(context.Context, pgx.Tx) error) (left int, err error) {
	made, site, err := m.makeFree(ctx, read)
	defer m.release(made)
	if err != nil {
		return 0, err
	}
	var kept []*deid.Item
	err = m.write(ctx, func() (*Group, error) {
		if err := m.refresh(ctx); err != nil {
			return nil, err
		}
		now, err := read(ctx)
		if err != nil {
			return nil, err
		}
		defer m.release(now)
		if err := m.Look.ResolveEach(ctx, now); err != nil {
			return nil, err
		}
		if m.Reg.Site.Load().Label == site {
			kept = deid.Unchanged(made, now)
		}
		g := NewGroup()
		m.addThere(g, kept)
		return g, nil
	}, after)
	if err != nil {
		return 0, err
	}
	for _, it := range kept {
		done[it.Unit()] = true
	}
	return len(made) - len(kept), nil
}

// makeFree makes rows in a transaction of which nothing stays, and returns the label of the directory that they are made with.
func (m *Remaker) makeFree(ctx context.Context, read reading) (made []*deid.Item, site string, err error) {
	tx, err := m.Conn.Begin(ctx)
	if err != nil {
		return nil, "", fault.New("begin a transaction in the replica", connect.Lost(m.Conn, err), "")
	}
	defer Rollback(tx)
	if made, err = m.fresh(ctx, read); err != nil {
		return nil, "", err
	}
	return made, m.Reg.Site.Load().Label, m.make(ctx, made)
}

// write writes a group, which it asks for when it is our turn, in a transaction of its own.
func (m *Remaker) write(ctx context.Context, group func() (*Group, error), after func(context.Context, pgx.Tx) error) error {
	tx, err := m.Begin(ctx)
	if err != nil {
		return err
	}
	defer Rollback(tx)
	g, err := group()
	if err != nil {
		return err
	}
	if err := m.flush(ctx, tx, g); err != nil {
		return err
	}
	if after != nil {
		if err := after(ctx, tx); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fault.New("commit to the replica", connect.Lost(m.Conn, err), "")
	}
	m.forgetChanged()
	return nil
}

// Count adds to d how items differ from what the replica has. Nothing is written; items are to be read
// [deid.ForCount].
func (m *Remaker) Count(ctx context.Context, items []*deid.Item, d *Differences) error {
	m.Reg.Cache.Clear()
	if err := m.refresh(ctx); err != nil {
		return err
	}
	g := NewGroup()
	if err := m.remake(ctx, items, g); err != nil {
		return err
	}
	if err := m.endNotes(ctx, g); err != nil {
		return err
	}
	tx, err := m.Conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return fault.New("compare rows with the replica's", connect.Lost(m.Conn, err), "")
	}
	defer Rollback(tx)
	there, err := m.lookUp(ctx, tx, g)
	if err != nil {
		return err
	}
	for _, v := range g.Order {
		if there[v] == nothing && !v.Remove {
			aside, err := m.isAside(ctx, tx, v)
			if err != nil {
				return err
			}
			if aside {
				d.Aside++
				continue
			}
		}
		d.count(v, there[v])
	}
	return nil
}
