package replicator

import (
	"context"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/surrogate"
)

// run is one session: connections, and what was read through them. After an error
// it is thrown away with all its caches.
type run struct {
	plan    *plan
	key     *surrogate.Key
	seals   vault.Seals
	now     func() time.Time
	metrics *Metrics
	reg     *register
	deid    *deidentifier
	store   *store
	cfg     *config.Config
	opts    *Options
	log     *slog.Logger
	health  *health
	source  *pgx.Conn // for looking things up, one goroutine at a time
	control *pgx.Conn // to the replica, likewise
	conns   []interface{ Close(context.Context) error }
	applied atomic.Uint64
	named   map[string]bool  // columns that the log has named as new
	restart pglogrepl.LSN    // of the slot at the last heartbeat
	busy    []orderedPlace   // what is to be put in order once nobody reads it
	members *sql.Publication // how the tables were published when they were last compared
}

func newRun(ctx context.Context, o *Options, h *health) (_ *run, err error) {
	r := &run{
		cfg: o.Config, opts: o, log: o.Log, health: h, named: map[string]bool{},
		key: o.Key, seals: vault.NewSeals(o.Key), now: o.Now, metrics: o.Metrics,
	}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	if err = r.connect(ctx); err != nil {
		return nil, err
	}
	if err = sql.KeyCheck(ctx, r.control, o.Key.Check()); err != nil {
		return nil, err
	}
	maker, err := surrogate.New(o.Key, o.Config.Surrogates)
	if err != nil {
		return nil, fault.New("make surrogates", err, "correct the configuration's surrogates")
	}
	p, err := newPlan(ctx, o.Config, r.source, r.control)
	if err != nil {
		return nil, err
	}
	site, err := r.readSite(ctx, p)
	if err != nil {
		return nil, err
	}
	known, err := readDirectoryState(ctx, r.control, o.Config.Source.Slot)
	if err != nil {
		return nil, err
	}
	if r.reg, err = newRegister(p, o.Key, maker, newDirectory(o.Key, site, nil, known)); err != nil {
		return nil, err
	}
	r.plan, r.deid, r.store = p, newDeidentifier(r.reg, o), newStore(p, o)
	if err := r.checkRelease(ctx); err != nil {
		return nil, err
	}
	r.store.anyAside.Store(true)
	return r, r.storeDetectors(ctx)
}

// storeDetectors names the detectors behind the bits of deid.note_provenance.
func (r *run) storeDetectors(ctx context.Context) error {
	named, ok := r.deid.detector.(interface {
		Names(v phi.Votes) []string
	})
	if !ok {
		return nil
	}
	var bits []int16
	var names []string
	for bit := range int16(32) {
		for _, name := range named.Names(1 << bit) {
			bits, names = append(bits, bit), append(names, name)
		}
	}
	if err := r.noteNewDetectors(ctx); err != nil {
		return err
	}
	_, err := r.control.Exec(ctx, `
		insert into deid.detector (config_hash, bit, name) select $1, * from unnest($2::smallint[], $3::text[])
		on conflict (config_hash, bit) do update set name = excluded.name`, r.deid.made, bits, names)
	return fault.New("store the names of the detectors", connect.Lost(r.control, err), "")
}

// noteNewDetectors says so when the replica has notes that other detectors or another
// configuration made, the first time that these ones start.
func (r *run) noteNewDetectors(ctx context.Context) error {
	var others bool
	err := r.control.QueryRow(ctx, `
		select exists (select from deid.detector) and not exists (select from deid.detector where config_hash = $1)`,
		r.deid.made).Scan(&others)
	if others {
		r.log.Info("notes were made with another configuration or other models: 'pgdeid reprocess' brings them up to date")
	}
	return fault.New("read the names of the detectors", connect.Lost(r.control, err), "run 'pgdeid migrate up'")
}

// connect opens what a run looks things up with, and refuses a replica of another
// version.
func (r *run) connect(ctx context.Context) (err error) {
	if r.source, err = r.openSource(ctx, config.Service); err != nil {
		return err
	}
	if err := source.RefuseStandby(r.source); err != nil {
		return err
	}
	if r.control, err = r.openReplica(ctx); err != nil {
		return err
	}
	if err = sql.CheckReplica(ctx, r.control); err != nil {
		return err
	}
	return sql.CheckMadeFor(ctx, r.control, r.cfg)
}

// readSite reads what the tables say of the site's staff and places.
func (r *run) readSite(ctx context.Context, p *plan) (record.Record, error) {
	conn := r.control
	if r.cfg.Gazetteers == config.Direct {
		var err error
		if conn, err = connect.Source(ctx, r.cfg, config.Reader); err != nil {
			return nil, err
		}
		defer connect.Close(conn)
	}
	return siteTables{conn, gazetteersAt(r.cfg), p.tables}.read(ctx)
}

func (r *run) openSource(ctx context.Context, login config.Login) (*pgx.Conn, error) {
	conn, err := connect.Source(ctx, r.cfg, login)
	if err == nil {
		r.conns = append(r.conns, conn)
	}
	return conn, err
}

func (r *run) openReplica(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect.Replica(ctx, r.cfg)
	if err == nil {
		r.conns = append(r.conns, conn)
	}
	return conn, err
}

func (r *run) close() { r.closeFrom(0) }

// closeFrom closes the connections that were opened after the first n.
func (r *run) closeFrom(n int) {
	for _, conn := range r.conns[n:] {
		connect.Close(conn)
	}
	r.conns = r.conns[:n]
}

// newLookups opens the connections of one goroutine's lookups, which are closed with
// the run.
func (r *run) newLookups(ctx context.Context) (*lookups, error) {
	l, err := openLookups(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, conn := range l.conns() {
		r.conns = append(r.conns, conn)
	}
	return l, nil
}

func (r *run) newWriter(ctx context.Context) (*writer, error) {
	look, err := r.newLookups(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := r.openReplica(ctx)
	if err != nil {
		return nil, err
	}
	look.replica = conn // it must see what the open transaction has written
	return &writer{store: r.store, deid: r.deid, conn: conn, look: r.newResolver(look, true), workers: r.workers()}, nil
}

// newResolver returns a resolver that looks things up with look. compare asks for what is
// published already.
func (r *run) newResolver(look *lookups, compare bool) *resolver {
	return &resolver{lookups: look, deid: r.deid, log: r.log, compare: compare}
}

// workers returns how many goroutines detect.
func (r *run) workers() int {
	if n := r.cfg.Limits.Workers; n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
