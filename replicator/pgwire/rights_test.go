package pgwire

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/replicator/sandbox"
)

// oneOfEach has a question for each table.
var oneOfEach = map[string]string{
	"deidentify":       one,
	"deidentify_batch": "select deid_notes from deidentify_batch where patient_ids = '{1}' and notes = '{Jo}'",
	"detect":           "explain select detectors from detect where patient_id = '1' and note = 'Jo 3/5'",
	"inbox":            "insert into inbox (job, item, patient_id, note) values ('j', 1, '1', 'Jo') returning deid_note",
	"outbox":           "select deid_note from outbox where job = 'j'",
	"note_deid":        "select deid_note from note_deid where note_id = '5'",
}

// Each table needs its right, in any form of a statement; a line without rights has the least.
func TestRightsByTable(t *testing.T) {
	t.Parallel()
	for line, may := range map[string][]string{
		"":                         {"deidentify"},
		" tables=detect":           {"detect"},
		" tables=note_deid,outbox": {"note_deid", "outbox"},
		" steward":                 {"deidentify"},
		everything:                 testNames.Known,
	} {
		s := serve(t, func(o *Options) { o.Users = usersFrom(t, "staging:"+verifierOf(t, testPassword)+line) })
		conn := s.connect(t, "")
		for table, question := range oneOfEach {
			_, simple := conn.PgConn().Exec(t.Context(), question).ReadAll()
			extended := conn.PgConn().ExecParams(t.Context(), question, nil, nil, nil, nil).Read().Err
			for _, err := range []error{simple, extended} {
				if slices.Contains(may, table) {
					if err != nil {
						t.Errorf("%q: %s: %v", line, table, err)
					}
				} else if e := wantState(t, err, stateNoRight); !strings.Contains(e.Hint, "tables="+table) {
					t.Errorf("%q: %s: hint %q", line, table, e.Hint)
				}
			}
		}
	}
}

// A right that is taken back is gone for sessions that are open, with their prepared statements.
func TestRightsOfOpenSessions(t *testing.T) {
	t.Parallel()
	path := writeUsers(t, "staging:"+verifierOf(t, testPassword))
	users, err := login.Load(path, testSecret, testNames.Parse)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, func(o *Options) { o.Users = users })
	conn := s.connect(t, "")
	if _, err := conn.PgConn().Prepare(t.Context(), "p", one, nil); err != nil {
		t.Fatal(err)
	}
	again := func() error { return conn.PgConn().ExecPrepared(t.Context(), "p", nil, nil, nil).Read().Err }
	for _, line := range []string{"staging:" + verifierOf(t, testPassword) + " tables=detect", "other:" + verifierOf(t, "x")} {
		if err := again(); err != nil {
			t.Fatal(err)
		}
		for _, now := range []string{line, "staging:" + verifierOf(t, testPassword)} {
			if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := s.server.Reload(); err != nil {
				t.Fatal(err)
			}
			if now == line {
				wantState(t, again(), stateNoRight)
			}
		}
	}
}

// The desk learns who asks, with the rights of the moment.
func TestWhoAsks(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) {
		o.Limits = login.Limits{Patients: 1, Notes: 2, Spans: 3}
		o.Users = usersFrom(t, "staging:"+verifierOf(t, testPassword)+" steward notes=7")
	})
	if got := ask(t, s.connect(t, ""), one); got != "1:A <SELECT 1>" {
		t.Fatal(got)
	}
	q := s.desk.queries[0]
	if want := (Who{User: "staging", Steward: true, Limits: login.Limits{Patients: 1, Notes: 7, Spans: 3}}); q.Who != want {
		t.Errorf("%+v", q.Who)
	}
	if fmt.Sprint(q.Wants) != "[false false true false]" || q.Table != "deidentify" || len(q.Inputs) != 1 || q.Inputs[0][1].Text != "a" {
		t.Errorf("%+v", q)
	}
}

// The audit log says who asked for how much about whom, once for a transaction, in lines of bounded length.
func TestAudit(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	conn := s.connect(t, "application_name=nightly")
	do(t, conn, "begin")
	for _, note := range []string{"Smith", "x"} {
		if got := ask(t, conn, "select deid_note from deidentify where patient_id = '1' and note = '"+note+"'"); !strings.HasPrefix(got, "1:") {
			t.Fatal(got)
		}
	}
	do(t, conn, "commit")
	log := s.log.String()
	for _, w := range []string{"user=staging", "application=nightly", "table=deidentify", "notes=2", "bytes=6", "refused=0", "patients=[p1]"} {
		if !strings.Contains(log, w) {
			t.Errorf("%q is not in the log: %s", w, log)
		}
	}
	if strings.Contains(log, "Smith") || strings.Count(log, "msg=asked") != 1 {
		t.Errorf("the log: %s", log)
	}
	if got := ask(t, conn, "select deid_note from deidentify where patient_id = '1' and note = 'leak'"); got != "PD001" {
		t.Error(got)
	}
	if got := ask(t, conn, "select note_id from note_deid where note_id = any ('{"+manyNumbers(250)+"x}')"); !strings.HasSuffix(got, "<SELECT 251>") {
		t.Error(got)
	}
	awaitTrue(t, "the questions are not in the log", func() bool { return strings.Count(s.log.String(), "msg=asked") == 5 })
	if !strings.Contains(s.log.String(), "refused=1") || !strings.Contains(s.log.String(), " p249") {
		t.Errorf("the log: %s", s.log.String())
	}
}

// A client that fills all places with connections that say nothing keeps no other out.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) { o.Pending = 8; o.FirstTime, o.LoginTime = time.Hour, time.Hour })
	silent := make([]*raw, 4) // as many as one address may have
	for i := range silent {
		silent[i] = s.dial(t)
	}
	time.Sleep(1100 * time.Millisecond) // they keep their places for a second
	s.connect(t, "")
	gone := 0
	for _, c := range silent {
		_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := c.Read(make([]byte, 1)); !isTimeout(err) {
			gone++
		}
	}
	if gone != 1 {
		t.Errorf("%d silent connections went", gone)
	}
}

// Guesses over many connections are checked four at a time: the others wait for the refusals before them.
func TestGuessesTakeTurns(t *testing.T) {
	t.Parallel()
	s := serve(t, func(o *Options) {
		o.RefusalTime, o.LoginTime = time.Hour, time.Hour
		o.Users = usersFrom(t, "staging:"+verifierOf(t, testPassword), "other:"+verifierOf(t, testPassword))
	})
	ctx, cancel := context.WithCancel(t.Context())
	g := &errgroup.Group{}
	for range 20 {
		g.Go(func() error {
			if conn, err := pgx.Connect(ctx, strings.Replace(s.dsn(""), testPassword, "wrong", 1)); err == nil {
				_ = conn.Close(ctx)
				t.Error("a guess got in")
			}
			return nil
		})
	}
	awaitTrue(t, "not as many guesses as there are turns", func() bool { return strings.Count(s.log.String(), "login refused") == 4 })
	other, err := pgx.Connect(t.Context(), strings.Replace(s.dsn(""), "user=staging", "user=other", 1)) // a name of its own
	if err != nil {
		t.Errorf("another user: %v", err)
	} else {
		_ = other.Close(t.Context())
	}
	if n := strings.Count(s.log.String(), "login refused"); n != 4 {
		t.Errorf("%d guesses were checked", n)
	}
	cancel()
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

// psql's simple questions are answered, and others refused with a hint.
func TestPsql(t *testing.T) {
	t.Parallel()
	bin, err := sandbox.FindBinDir()
	if err != nil {
		t.Skip("no psql to test with: ", err)
	}
	psql := filepath.Join(bin, "psql")
	if _, err := os.Stat(psql); err != nil {
		t.Skip("no psql to test with: ", err)
	}
	s := serve(t, nil)
	host, port, _ := strings.Cut(s.addr, ":")
	for command, want := range map[string]string{
		"select deid_note from deidentify where patient_id = '1' and note = 'it''s';": "1:IT'S",
		"\\x\nselect * from detect where patient_id = '1' and note = 'x';":            `{"names","a \"b\""}`,
		`\conninfo`:         "staging",
		`\dt`:               "pgdeid migrate engine",
		"select version();": "pgdeid migrate engine",
	} {
		cmd := exec.Command(psql, "-X", "-h", host, "-p", port, "-U", "staging", "pgdeid")
		cmd.Env = append(os.Environ(), "PGPASSWORD="+testPassword)
		cmd.Stdin = strings.NewReader(command + "\n")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}
