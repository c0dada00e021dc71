package session

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/research"
	"github.com/pgdeid/pgdeid/surrogate"
)

// OpenLookups opens the connections of one goroutine's lookups; the run does not know
// of them.
func OpenLookups(ctx context.Context, r *Session) (_ *patient.Lookups, err error) {
	l := &patient.Lookups{Register: r.Reg}
	defer func() {
		if err != nil {
			l.Close()
		}
	}()
	if l.Source, err = connect.Source(ctx, r.Cfg, config.Service); err != nil {
		return nil, err
	}
	if l.Replica, err = connect.Replica(ctx, r.Cfg); err != nil {
		return nil, err
	}
	l.Tables = l.Replica
	if r.Cfg.Gazetteers == "direct" {
		l.Tables, err = connect.Source(ctx, r.Cfg, config.Reader)
	}
	return l, err
}

// checkRelease makes sure that the replica was set up for the mapping's mode.
func (s *Session) checkRelease(ctx context.Context) error {
	var mode config.ReleaseMode
	err := s.Control.QueryRow(ctx, "select mode from deid.release").Scan(&mode)
	if err == nil && mode != s.Cfg.Release.Mode {
		err = fmt.Errorf("the replica releases rows %s, the configuration says %s", mode, s.Cfg.Release.Mode)
	}
	return fault.New("look how rows are released", connect.Lost(s.Control, err), "run 'pgdeid migrate up'")
}

// Session is connections, and what was read through them. After an error it is thrown away
// with all its caches.
type Session struct {
	Plan    *schema.Plan
	Key     *surrogate.Key
	Seals   vault.Seals
	Now     func() time.Time
	Metrics *metrics.Metrics
	Reg     *patient.Register
	Deid    *deid.Deidentifier
	Store   *apply.Store
	Cfg     *config.Config
	Opts    *Options
	Log     *slog.Logger
	Source  *pgx.Conn // for looking things up, one goroutine at a time
	Control *pgx.Conn // to the replica, likewise
	Conns   []interface{ Close(context.Context) error }
}

// New opens the connections of a session, makes sure that the replica is the configuration's and takes the
// key, and reads what the session works with.
func New(ctx context.Context, o *Options) (_ *Session, err error) {
	s := &Session{
		Cfg: o.Config, Opts: o, Log: o.Log,
		Key: o.Key, Seals: vault.NewSeals(o.Key), Now: o.Now, Metrics: o.Metrics,
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if err = s.Connect(ctx); err != nil {
		return nil, err
	}
	rotating, err := checkKeys(ctx, s.Control, o)
	if err = Refuse(metrics.WrongKey, err); err != nil {
		return nil, err
	}
	maker, err := surrogate.New(o.Key, o.Config.Surrogates)
	if err != nil {
		return nil, fault.New("make surrogates", err, "correct the configuration's surrogates")
	}
	p, err := schema.NewPlan(ctx, o.Config, s.Source, s.Control)
	if err != nil {
		return nil, Refuse(metrics.OtherMapping, err)
	}
	site, err := s.ReadSite(ctx, p)
	if err != nil {
		return nil, err
	}
	known, err := patient.ReadDirectoryState(ctx, s.Control, o.Config.Source.Slot)
	if err != nil {
		return nil, err
	}
	if s.Reg, err = patient.NewRegister(p, o.Key, maker, patient.NewDirectory(o.Key, site, nil, known)); err != nil {
		return nil, err
	}
	if rotating {
		s.Reg.Before = patient.NewBefore(o.OldKey)
		if err = s.Reg.Before.ReadSite(ctx, s.Control); err != nil {
			return nil, err
		}
	}
	if s.Reg.Purged, err = patient.ReadPurged(ctx, s.Control); err != nil {
		return nil, err
	}
	if err = s.Reg.ReadMerges(ctx, s.Control); err != nil {
		return nil, err
	}
	s.Plan, s.Deid, s.Store = p, deid.New(s.Reg, o.settings()), apply.NewStore(s.Reg, o.settings())
	if err := s.checkRelease(ctx); err != nil {
		return nil, err
	}
	s.Store.AnyAside.Store(true)
	s.Store.PurgeChanges = s.Reg.Purged.Changes
	return s, s.storeDetectors(ctx)
}

// storeDetectors names the detectors behind the bits of deid.note_provenance.
func (s *Session) storeDetectors(ctx context.Context) error {
	named, ok := s.Deid.Detector.(interface {
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
	_, err := s.Control.Exec(ctx, `
		insert into deid.detector (config_hash, bit, name) select $1, * from unnest($2::smallint[], $3::text[])
		on conflict (config_hash, bit) do update set name = excluded.name`, s.Deid.Made, bits, names)
	return fault.New("store the names of the detectors", connect.Lost(s.Control, err), "")
}

// noteNewDetectors says so when the replica has notes that other detectors or another
// configuration made, the first time that these ones start.
func (s *Session) noteNewDetectors(ctx context.Context) error {
	var others bool
	err := s.Control.QueryRow(ctx, `
		select exists (select from deid.detector) and not exists (select from deid.detector where config_hash = $1)`,
		s.Deid.Made).Scan(&others)
	if others {
		s.Log.Info("notes were made with another configuration or other models: 'pgdeid reprocess' brings them up to date")
	}
	return fault.New("read the names of the detectors", connect.Lost(s.Control, err), "run 'pgdeid migrate up'")
}

// Connect opens what a run looks things up with, and refuses a replica of another
// version.
func (s *Session) Connect(ctx context.Context) (err error) {
	if s.Source, err = s.OpenSource(ctx, config.Service); err != nil {
		return err
	}
	if err := source.RefuseStandby(s.Source); err != nil {
		return err
	}
	if s.Control, err = s.openReplica(ctx); err != nil {
		return err
	}
	if err = migrations.CheckReplica(ctx, s.Control); err != nil {
		return Refuse(metrics.OtherMapping, err)
	}
	return Refuse(metrics.OtherMapping, research.CheckMapping(ctx, s.Control, s.Cfg))
}

// ReadSite reads what the tables say of the site's staff and places.
func (s *Session) ReadSite(ctx context.Context, p *schema.Plan) (record.Record, error) {
	conn := s.Control
	if s.Cfg.Gazetteers == config.Direct {
		var err error
		if conn, err = connect.Source(ctx, s.Cfg, config.Reader); err != nil {
			return nil, err
		}
		defer connect.Close(conn)
	}
	return patient.ReadSite(ctx, conn, patient.GazetteersAt(s.Cfg), p.Tables)
}

// OpenSource opens a connection to the source, which is closed with the session.
func (s *Session) OpenSource(ctx context.Context, login config.Login) (*pgx.Conn, error) {
	conn, err := connect.Source(ctx, s.Cfg, login)
	if err == nil {
		s.Conns = append(s.Conns, conn)
	}
	return conn, err
}

func (s *Session) openReplica(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect.Replica(ctx, s.Cfg)
	if err == nil {
		s.Conns = append(s.Conns, conn)
	}
	return conn, err
}

// Close closes all connections.
func (s *Session) Close() { s.CloseFrom(0) }

// CloseFrom closes the connections that were opened after the first n.
func (s *Session) CloseFrom(n int) {
	for _, conn := range s.Conns[n:] {
		connect.Close(conn)
	}
	s.Conns = s.Conns[:n]
}

// NewLookups opens the connections of one goroutine's lookups, which are closed with
// the run.
func (s *Session) NewLookups(ctx context.Context) (*patient.Lookups, error) {
	l, err := OpenLookups(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, conn := range l.Conns() {
		s.Conns = append(s.Conns, conn)
	}
	return l, nil
}

// NewWriter returns a writer with a connection of its own, which is closed with the session.
func (s *Session) NewWriter(ctx context.Context) (*apply.Writer, error) {
	conn, err := s.openReplica(ctx)
	return &apply.Writer{Store: s.Store, Conn: conn}, err
}

// NewRemaker returns what makes rows anew while the stream runs, with connections of its own, which are closed with the session.
func (s *Session) NewRemaker(ctx context.Context) (*apply.Remaker, error) {
	look, err := s.NewLookups(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.NewWriter(ctx)
	if err != nil {
		return nil, err
	}
	look.Replica = w.Conn // it must see what the open transaction has written
	return &apply.Remaker{Writer: w, Look: s.NewResolver(look, true), Workers: s.Workers()}, nil
}

// NewResolver returns a resolver that looks things up with look. compare asks for what is
// published already.
func (s *Session) NewResolver(look *patient.Lookups, compare bool) *deid.Resolver {
	return &deid.Resolver{Lookups: look, Deid: s.Deid, Log: s.Log, Compare: compare}
}

// Workers returns how many notes are searched at a time: some for each core, as those that wait for networks need none, and
// more for each machine that runs the networks.
func (s *Session) Workers() int {
	if n := s.Cfg.Limits.Workers; n > 0 {
		return n
	}
	return corpus.PerCore*runtime.GOMAXPROCS(0) + notesAway*len(s.Cfg.Detect.Workers.Addresses)
}

// notesAway is how many notes wait for a detection worker at a time: more than it has cores, so that each of them has work.
const notesAway = 32

// Estimate returns how many rows a table has, by the source's statistics; 0 if they do not say.
func (s *Session) Estimate(ctx context.Context, t *schema.Table) int64 {
	var n float64
	if err := s.Source.QueryRow(ctx, "select reltuples from pg_class where oid = $1::regclass", t.Source()).Scan(&n); err != nil || n < 0 {
		return 0
	}
	return int64(n)
}
