package apply

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
)

// Remaker makes rows anew for a command that runs beside the process of the stream, with what the databases hold
// at that moment.
type Remaker struct {
	*Writer
	Look    *deid.Resolver
	Workers int
}

// remake puts items through resolve and detection at once, and adds them to g.
func (m *Remaker) remake(ctx context.Context, items []*deid.Item, g *Group) error {
	if err := m.Look.ResolveEach(ctx, items); err != nil {
		return err
	}
	defer func() {
		for _, it := range items {
			it.Release(m.Reg)
		}
	}()
	// A row that the replica does not have yet comes in the stream, and its surrogates are
	// chosen in the stream's order.
	there := slices.DeleteFunc(slices.Clone(items), func(it *deid.Item) bool { return it.Absent })
	if err := m.deidentifyAll(ctx, there); err != nil {
		return err
	}
	for _, it := range there {
		m.addTo(g, it)
	}
	return nil
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
	m.Reg.Cache.Clear()
	if err := m.Reg.ReadMerges(ctx, m.Conn); err != nil {
		return err
	}
	return m.Look.RefreshDirectory(ctx)
}

// made reads rows and de-identifies them, with nothing of what was known before.
func (m *Remaker) made(ctx context.Context, read func(context.Context) ([]*deid.Item, error)) (*Group, error) {
	if err := m.refresh(ctx); err != nil {
		return nil, err
	}
	items, err := read(ctx)
	if err != nil {
		return nil, err
	}
	g := NewGroup()
	return g, m.remake(ctx, items, g)
}

// Try reads and de-identifies rows without waiting for our turn, lets look see what would be written, and
// writes nothing.
func (m *Remaker) Try(ctx context.Context, read func(context.Context) ([]*deid.Item, error), look func(context.Context, *Group) error) error {
	tx, err := m.Conn.Begin(ctx)
	if err != nil {
		return fault.New("begin a transaction in the replica", connect.Lost(m.Conn, err), "")
	}
	defer Rollback(tx)
	g, err := m.made(ctx, read)
	if err != nil {
		return err
	}
	return look(ctx, g)
}

// Remake reads, de-identifies and writes rows in a transaction of their own;
// after, if not nil, adds to it. read runs when it is our turn to write.
func (m *Remaker) Remake(ctx context.Context, read func(context.Context) ([]*deid.Item, error),
	after func(context.Context, pgx.Tx) error,
) error {
	tx, err := m.Begin(ctx)
	if err != nil {
		return err
	}
	defer Rollback(tx)
	g, err := m.made(ctx, read)
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
