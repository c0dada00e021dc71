package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/scram"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
	"github.com/pgdeid/pgdeid/replicator/tables"
	"github.com/pgdeid/pgdeid/sql/attach"
)

// labDB is the database that asks the engine, on the source's server.
const labDB = "lab"

// ask attaches the engine to a database, as "pgdeid serve" and "pgdeid migrate engine up" do,
// and asks it in SQL. The engine answers until the demo ends.
func (w *world) ask(ctx context.Context, res *Result) error {
	if err := w.source.CreateDatabase(ctx, labDB); err != nil {
		return err
	}
	conn, err := w.source.Conn(ctx, labDB)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	w.say.step("Ask in SQL")
	var able bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_available_extensions where name = 'postgres_fdw')").Scan(&able); err != nil {
		return fault.New("look for postgres_fdw", err, "")
	}
	if !able {
		w.say.line("left out: the server has no postgres_fdw, which distributions pack with PostgreSQL's contrib modules")
		w.stay(ctx)
		return nil
	}
	return w.withEngine(ctx, func(ctx context.Context, addr, password string) error {
		if err := w.attach(ctx, addr, password); err != nil {
			return err
		}
		w.attached = true
		if err := w.askNote(ctx, conn, res); err != nil {
			return err
		}
		w.stay(ctx)
		return nil
	})
}

// withEngine serves SQL until drive is done.
func (w *world) withEngine(ctx context.Context, drive func(ctx context.Context, addr, password string) error) error {
	answers, err := desk.Open(ctx, w.replication())
	if err != nil {
		return err
	}
	defer answers.Close()
	password := rand.Text()
	users, err := w.engineUsers(password)
	if err != nil {
		return err
	}
	asked := tables.New(answers, 1)
	server, err := pgwire.NewServer(pgwire.Options{Desk: asked, Users: users, Log: w.log, Grace: time.Second})
	if err != nil {
		return err
	}
	l, err := server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	work, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	serving, stop := context.WithCancel(ctx)
	defer stop()
	g, gctx := errgroup.WithContext(serving)
	g.Go(func() error { return asked.Run(work) })
	g.Go(func() error {
		defer end() // the tables answer until the last client is gone
		return server.Serve(gctx, l)
	})
	g.Go(func() error {
		defer stop()
		return drive(gctx, l.Addr().String(), password)
	})
	return g.Wait()
}

// engineUsers lets in the one login of the database that asks, which may ask everything.
func (w *world) engineUsers(password string) (*login.Users[login.Rights], error) {
	known := tables.Names()
	verifier, err := scram.Generate(password)
	if err != nil {
		return nil, err
	}
	rights, err := login.Words(known, known.Known, true)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(w.dir, "secrets", "users")
	if err := os.WriteFile(path, []byte(labDB+":"+verifier+" "+rights+"\n"), 0o600); err != nil {
		return nil, err
	}
	return login.Load(path, w.key.HMAC("mock users"), known.Parse)
}

func (w *world) attach(ctx context.Context, addr, password string) error {
	conf, err := w.source.Config(labDB)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	a := attach.Engine{Host: host, Port: port, User: labDB, Password: password}
	if err := attach.Up(ctx, conf, a, w.log); err != nil {
		return err
	}
	w.say.line("engine  %s  attached to database %s of the source's server", addr, labDB)
	return nil
}

// askNote asks about a note that is in no table, and for one that the replica has.
func (w *world) askNote(ctx context.Context, conn *pgx.Conn, res *Result) error {
	query := askQuery(&w.hospital.Patients[0])
	if err := conn.QueryRow(ctx, query).Scan(&res.Answer); err != nil {
		return fault.New("ask the engine", err, "")
	}
	w.say.line("%s", query)
	w.say.line("-> %s", res.Answer)
	replica, err := w.replica.Conn(ctx, replicaDB)
	if err != nil {
		return err
	}
	defer replica.Close(context.WithoutCancel(ctx))
	d := w.hospital.Note(1)
	want, _, err := w.published(ctx, replica, &d)
	if err != nil {
		return err
	}
	query = fmt.Sprintf("select deid_note from deid.pull('{%d}', 'ehr.note', 'body')", d.ID)
	var text *string // nil where the note was set aside
	if err := conn.QueryRow(ctx, query).Scan(&text); err != nil {
		return fault.New("ask the engine for a note of the source", err, "")
	}
	w.say.line("%s", query)
	if text == nil {
		w.say.line("-> set aside, as in the replica")
		return nil
	}
	same := map[bool]string{true: "as", false: "not as"}[*text == want]
	w.say.verdict(*text == want, "-> %d characters, %s the replica has them", utf8.RuneCountInString(*text), same)
	return nil
}

// askQuery asks about a made-up note of a patient.
func askQuery(p *synth.Patient) string {
	note := fmt.Sprintf("Seen with %s on 3/4/2021, phone %s.", p.Name.Full(), p.Phone)
	return fmt.Sprintf("select deid.deidentify(%d, '%s')", p.ID, strings.ReplaceAll(note, "'", "''"))
}

// sayEngine prints how to ask the engine with psql.
func (w *world) sayEngine() {
	p := &w.hospital.Patients[0]
	w.say.line("engine:  PGPASSWORD=%s psql '%s'", w.source.Password(), w.source.DSN(w.source.Superuser(), labDB))
	w.say.line("try with the engine: %s;", askQuery(p))
	w.say.line("                     select * from deid.preview(%d, 'Seen by Dr. Ostermann on 3/4/2021.');", p.ID)
}
