package bench

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// withSession opens a session into a copy of the replica where everything but notes is.
func (l *lab) withSession(ctx context.Context, f func(*session.Session) error) error {
	return l.withClone(ctx, readyDB, func(name string, _ *pgx.Conn) error {
		o, err := l.session(in(l.cfg, readyDB, name), l.rules).WithDefaults()
		if err != nil {
			return err
		}
		s, err := session.New(ctx, &o)
		if err != nil {
			return err
		}
		defer s.Close()
		return f(s)
	})
}

// counter is a sink that decodes rows and counts them.
type counter struct {
	decode *source.Decoder
	rows   int
	until  int
	done   func()
}

// Relation implements [source.Sink].
func (c *counter) Relation(m *pglogrepl.RelationMessage) error { return c.decode.Relation(m) }

// Row implements [source.Sink].
func (c *counter) Row(_ context.Context, m pglogrepl.Message, _ source.Transaction) error {
	list, err := c.decode.Rows(m)
	c.rows += len(list)
	return err
}

// Position implements [source.Sink].
func (c *counter) Position(context.Context, pglogrepl.LSN, time.Time) error {
	if c.rows >= c.until {
		c.done()
	}
	return nil
}

// Passed implements [source.Sink].
func (c *counter) Passed(context.Context, string) error { return nil }

// decode receives and decodes the stream of the notes as pgdeid does.
func (l *lab) decode(ctx context.Context) (s sample, err error) {
	const slot = "decode"
	err = l.withSession(ctx, func(opened *session.Session) error {
		return l.withSlot(ctx, readyDB, slot, func() error {
			conn, err := connect.Replication(ctx, l.cfg)
			if err != nil {
				return err
			}
			defer connect.Close(conn)
			run, cancel := context.WithCancel(ctx)
			defer cancel()
			sink := &counter{decode: source.NewDecoder(opened.Plan, l.log, func() {}), until: l.Notes, done: cancel}
			stream := source.NewStream(source.Options{Conn: conn, Sink: sink, Applied: &atomic.Uint64{}, Heard: &atomic.Int64{}})
			begun := l.begin()
			if err := stream.Start(ctx, slot, l.cfg.Source.Publication); err != nil {
				return err
			}
			var g errgroup.Group
			g.Go(func() error { return stream.Receive(run, ctx, nil, time.Minute, time.Minute) })
			g.Go(func() error { return stream.Decode(run) })
			err = g.Wait()
			s = l.end(begun, sink.rows)
			if errors.Is(err, context.Canceled) && ctx.Err() == nil {
				return nil
			}
			return err
		})
	})
	return s, err
}

// readSource reads the notes in pages, as a copy does.
func (l *lab) readSource(ctx context.Context) (s sample, err error) {
	err = l.withSession(ctx, func(opened *session.Session) error {
		begun, notes := l.begin(), 0
		err := eachNote(ctx, opened, func([]schema.Value) error { notes++; return nil })
		s = l.end(begun, notes)
		return err
	})
	return s, err
}

// eachNote reads all notes of the source.
func eachNote(ctx context.Context, s *session.Session, each func([]schema.Value) error) error {
	t := s.Plan.ByID["ehr.note"]
	var after []string
	for {
		n := 0
		err := t.ReadAmong(ctx, s.Source, schema.Among{}, after, replicator.PageRows, func(row []schema.Value) error {
			n++
			after, _ = t.KeyTexts(row)
			return each(row)
		})
		if err != nil || n < replicator.PageRows {
			return fault.New("read the notes", err, "")
		}
	}
}

// write writes rows that were made before, with all that belongs to them: surrogates, provenance,
// the position. Source transactions are as large as the stream's.
func (l *lab) write(ctx context.Context) (s sample, err error) {
	err = l.withSession(ctx, func(opened *session.Session) error {
		items, err := l.makeAll(ctx, opened)
		if err != nil {
			return err
		}
		w, err := opened.NewWriter(ctx)
		if err != nil {
			return err
		}
		in := make(chan *deid.Item, len(items))
		for _, it := range items {
			in <- it
		}
		close(in)
		c := &apply.Committer{
			Writer: w, Items: in, Written: func(*deid.Item) {}, Slot: l.cfg.Source.Slot, GroupRows: l.cfg.Limits.GroupRows,
			Linger: l.cfg.Limits.Linger, Applied: &atomic.Uint64{},
		}
		begun := l.begin()
		err = c.Run(ctx)
		s = l.end(begun, l.Notes)
		return err
	})
	return s, err
}

// makeAll de-identifies all notes and returns their items, with marks of the source's transactions.
func (l *lab) makeAll(ctx context.Context, s *session.Session) ([]*deid.Item, error) {
	look, err := s.NewLookups(ctx)
	if err != nil {
		return nil, err
	}
	end, err := pglogrepl.ParseLSN(l.all)
	if err != nil {
		return nil, err
	}
	const room = 1 << 40
	p := deid.NewPipeline(s.Deid, s.Workers(), room)
	var items []*deid.Item
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(p.In)
		n := 0
		return eachNote(ctx, s, func(row []schema.Value) error {
			n++
			change := &schema.Change{Op: schema.InsertOp, Table: s.Plan.ByID["ehr.note"], Row: row, LSN: end}
			if err := p.Put(ctx, deid.RowItem(change)); err != nil || n%transactionNotes > 0 && n < l.Notes {
				return err
			}
			return p.Put(ctx, deid.MarkItem(deid.Position{LSN: end}))
		})
	})
	g.Go(func() error { return p.Run(ctx, s.NewResolver(look, false)) })
	g.Go(func() error {
		for it := range p.Ordered {
			select {
			case <-it.Done:
			case <-ctx.Done():
				return ctx.Err()
			}
			items = append(items, it)
		}
		return nil
	})
	return items, g.Wait()
}

// detect searches notes with everything that is known of their patients, on all cores.
func (l *lab) detect(ctx context.Context) (s sample, err error) {
	known := map[int64]*record.Gazetteer{}
	staff := record.NewGazetteer(l.hospital.Directory())
	notes := make(chan *ensemble.Note, l.Notes)
	for i := range l.Notes {
		d := l.hospital.Note(i)
		if known[d.Patient.ID] == nil {
			known[d.Patient.ID] = record.NewGazetteer(d.Patient.Record())
		}
		notes <- &ensemble.Note{Text: d.Text, Patient: known[d.Patient.ID], Directory: staff}
	}
	close(notes)
	begun := l.begin()
	g, ctx := errgroup.WithContext(ctx)
	for range cores() {
		g.Go(func() error {
			for n := range notes {
				if _, err := l.rules.Detect(ctx, n); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = g.Wait()
	return l.end(begun, l.Notes), err
}

// copyWhole makes a first copy of all tables, as "pgdeid snapshot" does.
func (l *lab) copyWhole(ctx context.Context) (s sample, err error) {
	err = l.withClone(ctx, emptyDB, func(name string, _ *pgx.Conn) error {
		begun := l.begin()
		err := replicator.Snapshot(ctx, l.session(in(l.cfg, readyDB, name), l.rules), false)
		s = l.end(begun, l.Notes)
		return errors.Join(err, l.dropSlot(context.WithoutCancel(ctx), l.cfg.Source.Slot))
	})
	return s, err
}

// follow has pgdeid follow the stream until so many notes are in the replica, and calls after with it.
func (l *lab) follow(ctx context.Context, cfg *config.Config, base string, d deid.Detector, notes int, until string,
	after func(context.Context, *pgx.Conn) error,
) (s sample, err error) {
	err = l.withSlot(ctx, base, cfg.Source.Slot, func() error {
		return l.withClone(ctx, base, func(name string, conn *pgx.Conn) error {
			running, stop := context.WithCancel(ctx)
			defer stop()
			begun := l.begin()
			g, gctx := errgroup.WithContext(running)
			g.Go(func() error {
				defer stop()
				return replicator.Run(gctx, l.session(in(cfg, base, name), d))
			})
			g.Go(func() (err error) {
				defer stop()
				s, err = l.timed(gctx, begun, cfg.Source.Slot, notes, func() (there bool, err error) {
					err = conn.QueryRow(gctx, "select coalesce(bool_and(lsn >= $1::text::pg_lsn), false) from deid.progress", until).Scan(&there)
					return there, err
				})
				return err
			})
			if err := g.Wait(); err != nil || after == nil {
				return err
			}
			return after(ctx, conn)
		})
	})
	return s, err
}
