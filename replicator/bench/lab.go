package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/demo"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Databases: of the source, and those of the replica that runs get copies of.
const (
	sourceDB = "ehr"
	emptyDB  = "empty"  // migrated
	readyDB  = "ready"  // the tables but notes are copied
	keptDB   = "kept"   // likewise, with a mapping that publishes notes as they are
	nativeDB = "native" // tables for a native subscription
)

// copySuffix is of the slot that was left where a replica's copy ended. Runs read through copies of it.
const copySuffix = "_base"

// transactionNotes is how many notes a transaction of the source inserts.
const transactionNotes = 50

// lab is two servers with a hospital, whose notes came after everything else was copied.
type lab struct {
	Options

	dir      string
	site     *demo.Site
	cfg      *config.Config // for readyDB
	kept     *config.Config // for keptDB
	key      *surrogate.Key
	hospital *synth.Hospital
	rules    *ensemble.Ensemble
	log      *slog.Logger
	source   *pgx.Conn // of the superuser
	rows     []byte    // the notes' published columns as COPY writes them
	columns  []string
	all      string // where the WAL of the notes ends
	wal      float64
	runs     int
}

func newLab(ctx context.Context, o Options) (_ *lab, err error) {
	l := &lab{Options: o, log: slog.New(slog.DiscardHandler)}
	if l.rules, err = ensemble.Default(); err != nil {
		return nil, err
	}
	if l.hospital, err = synth.NewHospital(1, synth.Options{Patients: o.Patients, Notes: o.Notes}); err != nil {
		return nil, err
	}
	if l.dir, err = sandbox.MkdirTemp("pgdeid-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	for _, step := range []func(context.Context) error{l.start, l.fill, l.prepare, l.insert, l.readRows, l.makeNative} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *lab) close() error {
	var errs []error
	if l.site != nil {
		for _, s := range []*sandbox.Server{l.site.Replica, l.site.Source} {
			if s != nil {
				errs = append(errs, s.Kill())
			}
		}
	}
	return errors.Join(append(errs, os.RemoveAll(l.dir))...)
}

func (l *lab) start(ctx context.Context) (err error) {
	l.site = &demo.Site{Dir: l.dir, SourceDB: sourceDB, ReplicaDB: readyDB}
	if l.site.Source, err = sandbox.Start(ctx, filepath.Join(l.dir, "source"), sandbox.Options{Settings: l.settings}); err != nil {
		return err
	}
	// The worker of a subscription starts at once.
	settings := map[string]string{"wal_retrieve_retry_interval": "20ms"}
	maps.Copy(settings, l.settings)
	if l.site.Replica, err = sandbox.Start(ctx, filepath.Join(l.dir, "replica"), sandbox.Options{Settings: settings}); err != nil {
		return err
	}
	for _, name := range []string{readyDB, keptDB, nativeDB} {
		if err := l.site.Replica.CreateDatabase(ctx, name); err != nil {
			return err
		}
	}
	if err := l.site.Source.CreateDatabase(ctx, sourceDB); err != nil {
		return err
	}
	l.source, err = l.site.Source.Conn(ctx, sourceDB)
	return err
}

func (l *lab) fill(ctx context.Context) error {
	if err := sandbox.CreateEHR(ctx, l.source); err != nil {
		return err
	}
	return sandbox.Fill(ctx, l.source, l.hospital)
}

// prepare copies everything but notes, once for each mapping, and leaves a slot where the stream goes on.
func (l *lab) prepare(ctx context.Context) (err error) {
	if l.cfg, l.key, err = l.site.Configure(); err != nil {
		return err
	}
	if l.kept, err = l.keepTexts(); err != nil {
		return err
	}
	for _, cfg := range []*config.Config{l.cfg, l.kept} {
		for _, target := range []migrations.Target{migrations.Source, migrations.Replica} {
			if err := sql.Up(ctx, cfg, target, sql.Options{Log: l.log}); err != nil {
				return err
			}
		}
	}
	if err := l.cloneAs(ctx, readyDB, emptyDB); err != nil {
		return err
	}
	for name, cfg := range map[string]*config.Config{readyDB: l.cfg, keptDB: l.kept} {
		if err := replicator.Snapshot(ctx, l.session(cfg, l.rules), false); err != nil {
			return err
		}
		if err := l.copySlot(ctx, cfg.Source.Slot, name+copySuffix); err != nil {
			return err
		}
		if err := l.dropSlot(ctx, cfg.Source.Slot); err != nil {
			return err
		}
	}
	return nil
}

// keepTexts writes the mapping again, with notes published as they are: what is left is
// what pgdeid does besides de-identification. A mapping has to have a text somewhere.
func (l *lab) keepTexts() (*config.Config, error) {
	text, err := os.ReadFile(l.site.Mapping())
	if err != nil {
		return nil, err
	}
	kept := strings.NewReplacer(": text\n", ": keep\n", "reason: keep", "reason: text", "/"+readyDB+"?", "/"+keptDB+"?").Replace(string(text))
	path := filepath.Join(l.dir, "kept.yaml")
	if err := os.WriteFile(path, []byte(kept), 0o600); err != nil {
		return nil, err
	}
	return config.Load(path)
}

func (l *lab) session(cfg *config.Config, d deid.Detector) session.Options {
	return session.Options{Config: cfg, Key: l.key, Detector: d, Version: l.Version, Log: l.log, Grace: 5 * time.Second}
}

func (l *lab) copySlot(ctx context.Context, from, to string) error {
	_, err := l.source.Exec(ctx, "select pg_copy_logical_replication_slot($1, $2)", from, to)
	return fault.New("copy slot "+from, err, "")
}

// dropSlot drops a slot, once it is not streamed from any more.
func (l *lab) dropSlot(ctx context.Context, name string) error {
	for {
		_, err := l.source.Exec(ctx, "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1", name)
		if fault.State(err) != "55006" { // object in use
			return fault.New("drop slot "+name, err, "")
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// cloneAs copies a database of the replica's server.
func (l *lab) cloneAs(ctx context.Context, from, to string) error {
	conn, err := l.site.Replica.Conn(ctx, "postgres")
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for {
		_, err := conn.Exec(ctx, fmt.Sprintf("create database %s template %s", pgx.Identifier{to}.Sanitize(), pgx.Identifier{from}.Sanitize()))
		if fault.State(err) != "55006" { // a session that has not left yet
			return fault.New("copy database "+from, err, "")
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// insert inserts the notes.
func (l *lab) insert(ctx context.Context) error {
	var before string
	if err := l.source.QueryRow(ctx, "select pg_current_wal_lsn()::text").Scan(&before); err != nil {
		return err
	}
	for i := 0; i < l.Notes; i += transactionNotes {
		err := pgx.BeginFunc(ctx, l.source, func(pgx.Tx) error {
			for n := i; n < min(i+transactionNotes, l.Notes); n++ {
				d := l.hospital.Note(n)
				if err := sandbox.InsertNote(ctx, l.source, &d); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var err error
	if l.all, err = l.walEnd(ctx); err != nil {
		return err
	}
	return l.source.QueryRow(ctx, "select $1::text::pg_lsn - $2::text::pg_lsn", l.all, before).Scan(&l.wal)
}

// walEnd returns where the WAL of what is committed ends. A transaction comes after it, so that streams pass it.
func (l *lab) walEnd(ctx context.Context) (lsn string, err error) {
	if err = l.source.QueryRow(ctx, "select pg_current_wal_lsn()::text").Scan(&lsn); err == nil {
		_, err = l.source.Exec(ctx, "select pg_logical_emit_message(true, 'bench', '')")
	}
	return lsn, fault.New("read the end of the source's WAL", err, "")
}

// readRows reads what is published of the notes, for COPY and for what natively subscribes.
func (l *lab) readRows(ctx context.Context) error {
	for i := range l.cfg.Tables {
		if t := &l.cfg.Tables[i]; t.FullName() == "ehr.note" {
			for _, c := range t.Columns {
				l.columns = append(l.columns, c.Name)
			}
		}
	}
	var b bytes.Buffer
	_, err := l.source.PgConn().CopyTo(ctx, &b, fmt.Sprintf("copy (select %s from ehr.note) to stdout", l.columnList()))
	l.rows = b.Bytes()
	return fault.New("read the notes", err, "")
}

func (l *lab) columnList() string {
	quoted := make([]string, len(l.columns))
	for i, c := range l.columns {
		quoted[i] = pgx.Identifier{c}.Sanitize()
	}
	return strings.Join(quoted, ", ")
}

// makeNative makes the published tables with the columns that are published, as a subscription needs them.
func (l *lab) makeNative(ctx context.Context) error {
	rows, err := l.source.Query(ctx, `
		select format('create schema if not exists %I; create table %I.%I (%s, primary key (%s))', schemaname, schemaname, tablename,
			(select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum) from pg_attribute
				where attrelid = c.oid and attnum > 0 and not attisdropped and coalesce(to_jsonb(p) -> 'attnames' ? attname, true)),
			(select string_agg(quote_ident(attname), ', ') from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
				where indrelid = c.oid and indisprimary))
		from pg_publication_tables p join pg_class c on c.oid = format('%I.%I', schemaname, tablename)::regclass
		where pubname = $1`, l.cfg.Source.Publication)
	if err != nil {
		return fault.New("read the publication", err, "")
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fault.New("read the publication", err, "")
	}
	conn, err := l.site.Replica.Conn(ctx, nativeDB)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, statement := range list {
		if _, err := conn.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fault.New("make tables for a subscription", err, "")
		}
	}
	return nil
}

// withClone calls f with a copy of a database of the replica's server, which goes away afterwards.
func (l *lab) withClone(ctx context.Context, from string, f func(name string, conn *pgx.Conn) error) error {
	l.runs++
	name := fmt.Sprintf("%s_%d", from, l.runs)
	if err := l.cloneAs(ctx, from, name); err != nil {
		return err
	}
	conn, err := l.site.Replica.Conn(ctx, name)
	if err != nil {
		return err
	}
	err = f(name, conn)
	return errors.Join(err, conn.Close(context.WithoutCancel(ctx)), l.site.Replica.DropDatabase(context.WithoutCancel(ctx), name))
}

// withSlot calls f while there is a slot of that name, a copy of the one where a replica's copy ended.
func (l *lab) withSlot(ctx context.Context, base, name string, f func() error) error {
	if err := l.copySlot(ctx, base+copySuffix, name); err != nil {
		return err
	}
	return errors.Join(f(), l.dropSlot(context.WithoutCancel(ctx), name))
}

// in returns the configuration for another database of the replica's server.
func in(cfg *config.Config, database, now string) *config.Config {
	c := *cfg
	c.Replica.DSN = strings.Replace(c.Replica.DSN, "/"+database+"?", "/"+now+"?", 1)
	c.Replica.AdminDSN = strings.Replace(c.Replica.AdminDSN, "/"+database+"?", "/"+now+"?", 1)
	return &c
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// reader returns the notes as COPY writes them.
func (l *lab) reader() io.Reader { return bytes.NewReader(l.rows) }
