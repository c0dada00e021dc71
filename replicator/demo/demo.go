package demo

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Options say how large the demo is and where it shows itself.
type Options struct {
	Patients int       // default 300
	Notes    int       // default 1500
	Live     int       // notes inserted while the stream runs; default 50
	Seed     uint64    // of the hospital
	Keep     bool      // leave the servers running until the context is done, and the files behind
	Show     int       // notes to show before and after; default 3, below 0 for none
	Out      io.Writer // the results
	Bars     io.Writer // progress bars, or nil for none
	Width    int       // columns of Out; default 100
	Version  string    // of the program
	// Detector is the ensemble that finds PHI; default: all built-in members. Models
	// stands for its neural members, as in [replicator.Options].
	Detector *ensemble.Ensemble
	Models   string
}

func (o Options) withDefaults() Options {
	set := func(n *int, fallback int) {
		if *n <= 0 {
			*n = fallback
		}
	}
	set(&o.Patients, 300)
	set(&o.Notes, 1500)
	set(&o.Live, 50)
	if o.Show == 0 {
		o.Show = 3
	}
	set(&o.Width, 100)
	if o.Bars == nil {
		o.Bars = io.Discard
	}
	return o
}

// Result is what the demo measured.
type Result struct {
	Notes       int // published
	Quarantined int
	Lost        int
	Copy        time.Duration // the first copy
	CopyRows    int64
	CopyNotes   int
	Live        time.Duration // from the last commit of a live change to its appearance
	Scan        Scan
	Agreement   Agreement
	Answer      string // of the engine, about a note of its first patient
}

// OK reports whether nothing leaked or was lost, and every row was moved alike.
func (r Result) OK() bool {
	return len(r.Scan.Leaks) == 0 && r.Lost == 0 && r.Agreement.Shifts == r.Agreement.ShiftsAgree
}

// Run shows the demo. When the context is done, and at its end, it stops its servers
// and removes its files, unless they are to be kept.
func Run(ctx context.Context, o Options) (res Result, err error) {
	o = o.withDefaults()
	w, err := newWorld(o)
	if err != nil {
		return res, err
	}
	defer func() {
		if e := w.close(context.WithoutCancel(ctx)); err == nil {
			err = e
		}
	}()
	for _, step := range []func(context.Context, *Result) error{
		w.start, w.fill, w.prepare, w.replicate, w.compare, w.measure, w.ask,
	} {
		if err := step(ctx, &res); err != nil {
			return res, err
		}
	}
	return res, nil
}

// world is the demo while it runs.
type world struct {
	Options
	say      *speaker
	dir      string
	source   *sandbox.Server
	replica  *sandbox.Server
	hospital *synth.Hospital
	cfg      *config.Config
	key      *surrogate.Key
	detector *ensemble.Ensemble
	log      *slog.Logger
	logFile  *os.File
	metrics  *metrics.Metrics
	extra    []synth.Document // notes as they stand after the live changes
	attached bool             // the engine answers in SQL
}

const (
	sourceDB  = "ehr"
	replicaDB = "research"
)

func newWorld(o Options) (*world, error) {
	hospital, err := synth.NewHospital(o.Seed, synth.Options{Patients: o.Patients, Notes: o.Notes})
	if err != nil {
		return nil, err
	}
	detector := o.Detector
	if detector == nil {
		if detector, err = ensemble.Default(); err != nil {
			return nil, err
		}
	}
	dir, err := sandbox.MkdirTemp("pgdeid-demo-")
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "pgdeid.log"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return &world{
		Options: o, say: newSpeaker(o), dir: dir, hospital: hospital, detector: detector,
		metrics: metrics.New(), logFile: file, log: slog.New(slog.NewTextHandler(file, nil)),
	}, nil
}

// start makes and starts both servers at once.
func (w *world) start(ctx context.Context, _ *Result) error {
	w.say.step("Two PostgreSQL servers on this machine")
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { w.source, err = startServer(gctx, w.dir, "source", sourceDB); return err })
	g.Go(func() (err error) { w.replica, err = startServer(gctx, w.dir, "replica", replicaDB); return err })
	if err := g.Wait(); err != nil {
		return err
	}
	w.say.line("source  %s  PostgreSQL %s, database %s", w.source.Addr(), w.source.Version(), sourceDB)
	w.say.line("replica %s  PostgreSQL %s, database %s", w.replica.Addr(), w.replica.Version(), replicaDB)
	return nil
}

func startServer(ctx context.Context, dir, name, database string) (*sandbox.Server, error) {
	s, err := sandbox.Start(ctx, filepath.Join(dir, name), sandbox.Options{})
	if err != nil {
		return nil, err
	}
	return s, s.CreateDatabase(ctx, database)
}

// fill makes the EHR and copies the hospital into it.
func (w *world) fill(ctx context.Context, _ *Result) error {
	w.say.step("A made-up hospital in the source")
	conn, err := w.source.Conn(ctx, sourceDB)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := sandbox.CreateEHR(ctx, conn); err != nil {
		return err
	}
	if err := sandbox.Fill(ctx, conn, w.hospital); err != nil {
		return err
	}
	bar := w.say.bar("notes", w.Notes)
	if err := sandbox.FillNotes(ctx, conn, w.hospital, 0, w.Notes, bar.tick); err != nil {
		return err
	}
	bar.done()
	h := w.hospital
	w.say.line("%d patients, %d staff, %d sites, %d encounters, %d notes of %d kinds (seed %d)",
		len(h.Patients), len(h.Providers), len(h.Sites), len(h.Encounters), w.Notes, len(synth.Kinds()), w.Seed)
	return nil
}

// stay keeps the servers until the context is done, where that was asked for.
func (w *world) stay(ctx context.Context) {
	if !w.Keep {
		w.say.step("Done")
		w.say.line("servers stopped and files removed; 'pgdeid demo --keep' leaves them to look at")
		return
	}
	w.say.step("Look around (Ctrl-C ends it)")
	w.say.line("source:  PGPASSWORD=%s psql '%s'", w.source.Password(), w.source.DSN(w.source.Superuser(), sourceDB))
	w.say.line("replica: PGPASSWORD=%s psql '%s'", w.replica.Password(), w.replica.DSN(w.replica.Superuser(), replicaDB))
	w.say.line("mapping: %s", w.site().Mapping())
	if w.attached {
		w.sayEngine()
	}
	w.say.line("try in the replica: select note_type, body from ehr.note limit 3; select * from deid_info.column_policy;")
	<-ctx.Done()
}

// close stops the servers and removes the files.
func (w *world) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	var first error
	for _, s := range []*sandbox.Server{w.replica, w.source} {
		if s == nil {
			continue
		}
		if err := s.Stop(ctx, sandbox.Fast); err != nil && first == nil {
			first = err
		}
	}
	w.logFile.Close()
	if w.Keep {
		w.say.line("files left in %s", w.dir)
		return first
	}
	if err := os.RemoveAll(w.dir); err != nil && first == nil {
		first = fmt.Errorf("remove the demo's files: %w", err)
	}
	return first
}
