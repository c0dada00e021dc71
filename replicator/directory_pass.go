package replicator

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Names that join the staff may be in notes that are published already, and only the source
// knows in which. So after an addition to the directory all notes are gone through, when
// no patient waits. That is dear: changes are
// gathered, and a pass begins limits.directory_interval after the one before at the
// earliest. Until it has come to a note, that note is as old as it says in the status.

// pass is a pass over all notes, if one is under way or to come.
type pass struct {
	slot     string
	interval time.Duration
	stale    atomic.Bool // the directory has grown since the last pass began
	begun    time.Time   // the last pass
	tables   []*table    // still to be gone through; none: no pass is under way
	after    []string    // the last key in the first of them
}

// keepDirectory stores which directory notes are made with from now on.
const keepDirectory = `
	insert into deid.directory as d (slot, content, label, stale_since)
	values ($1, $2, $3, case when exists (select from deid.note_provenance) then now() end)
	on conflict (slot) do update set content = excluded.content, label = excluded.label,
		stale_since = case when d.label = excluded.label then d.stale_since else coalesce(d.stale_since, now()) end`

const keepDirectoryWords = `
	insert into deid.directory_word (slot, hash) select $1, unnest($2::bytea[]) on conflict do nothing`

func (d *directory) queue(batch *pgx.Batch, slot string) {
	hashes := make([][]byte, 0, len(d.words))
	for hash := range d.words {
		hashes = append(hashes, []byte(hash))
	}
	batch.Queue(keepDirectory, slot, []byte(d.content), []byte(d.label))
	batch.Queue(keepDirectoryWords, slot, hashes)
}

// keep stores the directory before anything is made with it.
func (r *run) keep(ctx context.Context, d *directory) error {
	if d.stored {
		return nil
	}
	batch := &pgx.Batch{}
	d.queue(batch, r.cfg.Source.Slot)
	return fault.New("store the state of the directory", connect.Lost(r.control, r.control.SendBatch(ctx, batch).Close()), "run 'pgdeid migrate up'")
}

// loadPass reads how far the last pass has come.
func loadPass(ctx context.Context, conn *pgx.Conn, reg *register) (*pass, error) {
	cfg := reg.plan.config
	p := &pass{slot: cfg.Source.Slot, interval: cfg.Limits.DirectoryInterval}
	var stale bool
	var begun *time.Time
	var name *string
	var sealed []byte
	err := conn.QueryRow(ctx, `select stale_since is not null, pass_begun, pass_table, pass_key from deid.directory where slot = $1`,
		p.slot).Scan(&stale, &begun, &name, &sealed)
	if err != nil {
		return nil, fault.New("read the state of the directory", connect.Lost(conn, err), "run 'pgdeid migrate up'")
	}
	p.stale.Store(stale)
	if begun != nil {
		p.begun = *begun
	}
	if name != nil {
		p.tables = reg.plan.notesFrom(*name)
	}
	if sealed != nil {
		p.after, err = reg.seals.OpenKey("pass "+*name, sealed)
	}
	return p, fault.New("read the state of the directory", err, "")
}

// notesFrom returns the tables with notes of patients, from the named one on.
func (p *plan) notesFrom(name string) []*table {
	var list []*table
	for _, t := range p.tables {
		if t.isNote() && t.HasPatient() && (len(list) > 0 || name == "" || t.id == name) {
			list = append(list, t)
		}
	}
	return list
}

// due reports whether there is something to do.
func (p *pass) due(now time.Time) bool {
	return len(p.tables) > 0 || p.stale.Load() && !now.Before(p.begun.Add(p.interval))
}

// page reads the next notes, and begins a pass if one is due.
func (p *pass) page(ctx context.Context, w *rewriter) (*page, error) {
	if len(p.tables) == 0 {
		p.begun, p.after = w.store.now(), nil
		p.stale.Store(false)
		p.tables = w.reg.plan.notesFrom("")
		if err := p.store(ctx, w.conn, w.reg.seals, true); err != nil {
			return nil, err
		}
		w.store.log.Info("the directory has grown: all notes are gone through")
	}
	tables, after := p.tables, p.after
	items, err := p.read(ctx, w.rows.source, batchRows)
	return &page{
		items:  items,
		finish: func(ctx context.Context) error { return p.store(ctx, w.conn, w.reg.seals, false) },
		back:   func() { p.tables, p.after = tables, after },
	}, err
}

func (p *pass) read(ctx context.Context, source *pgx.Conn, limit int) ([]*item, error) {
	if len(p.tables) == 0 {
		return nil, nil
	}
	t := p.tables[0]
	items, err := readPage(ctx, source, t, p.after, false, limit)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		it.background = true
	}
	if len(items) < limit {
		p.tables, p.after = p.tables[1:], nil
	} else {
		p.after, _ = t.keyTexts(items[len(items)-1].change.row)
	}
	return items, nil
}

// store stores how far the pass has come.
func (p *pass) store(ctx context.Context, db *pgx.Conn, seals vault.Seals, begins bool) error {
	var name *string
	var sealed []byte
	if len(p.tables) > 0 {
		name = &p.tables[0].id
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
