package rewrite

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Names that join the staff may be in notes that are published already, and only the source
// knows in which. So after an addition to the directory all notes are gone through, when
// no patient waits. That is dear: changes are
// gathered, and a pass begins limits.directory_interval after the one before at the
// earliest. Until it has come to a note, that note is as old as it says in the status.

// Pass is a pass over all notes, if one is under way or to come.
type Pass struct {
	phi.Redacted

	slot     string
	interval time.Duration
	Stale    atomic.Bool     // the directory has grown since the last pass began
	begun    time.Time       // the last pass
	tables   []*schema.Table // still to be gone through; none: no pass is under way
	after    []string        // the last key in the first of them
}

// LoadPass reads how far the last pass has come.
func LoadPass(ctx context.Context, conn *pgx.Conn, reg *patient.Register) (*Pass, error) {
	cfg := reg.Plan.Config
	p := &Pass{slot: cfg.Source.Slot, interval: cfg.Limits.DirectoryInterval}
	var stale bool
	var begun *time.Time
	var name *string
	var sealed []byte
	err := conn.QueryRow(ctx, `select stale_since is not null, pass_begun, pass_table, pass_key from deid.directory where slot = $1`,
		p.slot).Scan(&stale, &begun, &name, &sealed)
	if err != nil {
		return nil, fault.New("read the state of the directory", connect.Lost(conn, err), "run 'pgdeid migrate up'")
	}
	p.Stale.Store(stale)
	if begun != nil {
		p.begun = *begun
	}
	if name != nil {
		p.tables = reg.Plan.NotesFrom(*name)
	}
	if sealed != nil {
		p.after, err = reg.Seals.OpenKey("pass "+*name, sealed)
	}
	return p, fault.New("read the state of the directory", err, "")
}

// due reports whether there is something to do.
func (p *Pass) due(now time.Time) bool {
	return len(p.tables) > 0 || p.Stale.Load() && !now.Before(p.begun.Add(p.interval))
}

// page reads the next notes, and begins a pass if one is due.
func (p *Pass) page(ctx context.Context, w *Rewriter) (*page, error) {
	if len(p.tables) == 0 {
		p.begun, p.after = w.store.Now(), nil
		p.Stale.Store(false)
		p.tables = w.reg.Plan.NotesFrom("")
		if err := p.store(ctx, w.conn, w.reg.Seals, true); err != nil {
			return nil, err
		}
		w.store.Log.Info("the directory has grown: all notes are gone through")
	}
	tables, after := p.tables, p.after
	items, err := p.read(ctx, w.rows.Source, batchRows)
	return &page{
		items:  items,
		finish: func(ctx context.Context) error { return p.store(ctx, w.conn, w.reg.Seals, false) },
		back:   func() { p.tables, p.after = tables, after },
	}, err
}

func (p *Pass) read(ctx context.Context, source *pgx.Conn, limit int) ([]*deid.Item, error) {
	if len(p.tables) == 0 {
		return nil, nil
	}
	t := p.tables[0]
	next, err := deid.ReadPage(ctx, source, t, p.after, deid.Request{Only: true, Background: true}, limit)
	if err != nil {
		return nil, err
	}
	if p.after = next.After; next.Done {
		p.tables, p.after = p.tables[1:], nil
	}
	return next.Items, nil
}

// store stores how far the pass has come.
func (p *Pass) store(ctx context.Context, db *pgx.Conn, seals vault.Seals, begins bool) error {
	var name *string
	var sealed []byte
	if len(p.tables) > 0 {
		name = &p.tables[0].ID
		if p.after != nil {
			sealed = seals.SealKey("pass "+*name, p.after)
		}
	}
	_, err := db.Exec(ctx, `
		update deid.directory set pass_table = $2, pass_key = $3,
			pass_begun = case when $4 then now() else pass_begun end,
			stale_since = case when $4 then null else stale_since end,
			pass_done = case when $2::text is null then now() else pass_done end
		where slot = $1`, p.slot, name, sealed, begins)
	return fault.New("store how far the notes were gone through", err, "")
}
