package replicator

import (
	"context"
	"log/slog"
	"runtime"
	"time"

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

// session is connections, and what was read through them. After an error it is thrown away
// with all its caches.
type session struct {
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
	source  *pgx.Conn // for looking things up, one goroutine at a time
	control *pgx.Conn // to the replica, likewise
	conns   []interface{ Close(context.Context) error }
}

func newSession(ctx context.Context, o *Options) (_ *session, err error) {
	s := &session{
		cfg: o.Config, opts: o, log: o.Log,
		key: o.Key, seals: vault.NewSeals(o.Key), now: o.Now, metrics: o.Metrics,
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err = s.connect(ctx); err != nil {
		return nil, err
	}
	if err = sql.KeyCheck(ctx, s.control, o.Key.Check()); err != nil {
		return nil, err
	}
	maker, err := surrogate.New(o.Key, o.Config.Surrogates)
	if err != nil {
		return nil, fault.New("make surrogates", err, "correct the configuration's surrogates")
	}
	p, err := newPlan(ctx, o.Config, s.source, s.control)
	if err != nil {
		return nil, err
	}
	site, err := s.readSite(ctx, p)
	if err != nil {
		return nil, err
	}
	known, err := readDirectoryState(ctx, s.control, o.Config.Source.Slot)
	if err != nil {
		return nil, err
	}
	if s.reg, err = newRegister(p, o.Key, maker, newDirectory(o.Key, site, nil, known)); err != nil {
		return nil, err
	}
	s.plan, s.deid, s.store = p, newDeidentifier(s.reg, o.settings()), newStore(p, o.settings())
	if err := s.checkRelease(ctx); err != nil {
		return nil, err
	}
	s.store.anyAside.Store(true)
	return s, s.storeDetectors(ctx)
}

// storeDetectors names the detectors behind the bits of deid.note_provenance.
func (s *session) storeDetectors(ctx context.Context) error {
	named, ok := s.deid.detector.(interface {
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
	if err := s.noteNewDetectors(ctx); err != nil {
		return err
	}
	_, err := s.control.Exec(ctx, `
		insert into deid.detector (config_hash, bit, name) select $1, * from unnest($2::smallint[], $3::text[])
		on conflict (config_hash, bit) do update set name = excluded.name`, s.deid.made, bits, names)
	return fault.New("store the names of the detectors", connect.Lost(s.control, err), "")
}

// noteNewDetectors says so when the replica has notes that other detectors or another
// configuration made, the first time that these ones start.
func (s *session) noteNewDetectors(ctx context.Context) error {
	var others bool
	err := s.control.QueryRow(ctx, `
		select exists (select from deid.detector) and not exists (select from deid.detector where config_hash = $1)`,
		s.deid.made).Scan(&others)
	if others {
		s.log.Info("notes were made with another configuration or other models: 'pgdeid reprocess' brings them up to date")
	}
	return fault.New("read the names of the detectors", connect.Lost(s.control, err), "run 'pgdeid migrate up'")
}

// connect opens what a run looks things up with, and refuses a replica of another
// version.
func (s *session) connect(ctx context.Context) (err error) {
	if s.source, err = s.openSource(ctx, config.Service); err != nil {
		return err
	}
	if err := source.RefuseStandby(s.source); err != nil {
		return err
	}
	if s.control, err = s.openReplica(ctx); err != nil {
		return err
	}
	if err = sql.CheckReplica(ctx, s.control); err != nil {
		return err
	}
	return sql.CheckMadeFor(ctx, s.control, s.cfg)
}

// readSite reads what the tables say of the site's staff and places.
func (s *session) readSite(ctx context.Context, p *plan) (record.Record, error) {
	conn := s.control
	if s.cfg.Gazetteers == config.Direct {
		var err error
		if conn, err = connect.Source(ctx, s.cfg, config.Reader); err != nil {
			return nil, err
		}
		defer connect.Close(conn)
	}
	return siteTables{conn, gazetteersAt(s.cfg), p.tables}.read(ctx)
}

func (s *session) openSource(ctx context.Context, login config.Login) (*pgx.Conn, error) {
	conn, err := connect.Source(ctx, s.cfg, login)
	if err == nil {
		s.conns = append(s.conns, conn)
	}
	return conn, err
}

func (s *session) openReplica(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect.Replica(ctx, s.cfg)
	if err == nil {
		s.conns = append(s.conns, conn)
	}
	return conn, err
}

func (s *session) close() { s.closeFrom(0) }

// closeFrom closes the connections that were opened after the first n.
func (s *session) closeFrom(n int) {
	for _, conn := range s.conns[n:] {
		connect.Close(conn)
	}
	s.conns = s.conns[:n]
}

// newLookups opens the connections of one goroutine's lookups, which are closed with
// the run.
func (s *session) newLookups(ctx context.Context) (*lookups, error) {
	l, err := openLookups(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, conn := range l.conns() {
		s.conns = append(s.conns, conn)
	}
	return l, nil
}

func (s *session) newWriter(ctx context.Context) (*writer, error) {
	look, err := s.newLookups(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := s.openReplica(ctx)
	if err != nil {
		return nil, err
	}
	look.replica = conn // it must see what the open transaction has written
	return &writer{store: s.store, deid: s.deid, conn: conn, look: s.newResolver(look, true), workers: s.workers()}, nil
}

// newResolver returns a resolver that looks things up with look. compare asks for what is
// published already.
func (s *session) newResolver(look *lookups, compare bool) *resolver {
	return &resolver{lookups: look, deid: s.deid, log: s.log, compare: compare}
}

// workers returns how many goroutines detect.
func (s *session) workers() int {
	if n := s.cfg.Limits.Workers; n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
