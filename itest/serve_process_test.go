package itest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// freeAddr returns an address of this machine that nobody listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// passwd prints the line that lets a user log in.
func passwd(t *testing.T, user, password string, more ...string) string {
	t.Helper()
	cmd := prepare(t, nil, append([]string{"serve", "passwd", user}, more...))
	cmd.Stdin = strings.NewReader(password + "\n")
	out, err := cmd.Output()
	if err != nil || strings.Contains(string(out), password) || !strings.HasPrefix(string(out), user+":SCRAM-SHA-256$4096:") {
		t.Fatalf("passwd: %q, %v", out, err)
	}
	return string(out)
}

// The program as people run it: users, a note, its health, other users, the end.
func TestServeProcess(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	do(t, r.src, patients)
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte(passwd(t, "staging", "a first word or two")), 0o600); err != nil {
		t.Fatal(err)
	}
	addr, web := freeAddr(t), freeAddr(t)
	d := startPgdeid(t, nil, "serve", "--config", r.cfg.Path, "--users", users, "--listen", addr, "--http", web)
	host, port, _ := strings.Cut(addr, ":")
	connect := func(user, password string) (*pgx.Conn, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		return pgx.Connect(ctx, fmt.Sprintf("host=%s port=%s user=%s password='%s' dbname=x sslmode=disable application_name=nightly", host, port, user, password))
	}
	var conn *pgx.Conn
	eventually(t, "it listens", func() (ok bool) {
		var err error
		conn, err = connect("staging", "a first word or two")
		return err == nil
	})
	const sql = "select deid_note from deidentify where patient_id = '1' and note = 'Mr. Quarkstein was seen on 3/4/2021.'"
	text := one(t, conn, sql)
	if strings.Contains(text, "Quarkstein") || strings.Contains(text, "3/4/2021") || !strings.Contains(text, "was seen") {
		t.Errorf("%q", text)
	}
	if code, body := get(t, "http://"+web+"/metrics"); code != http.StatusOK || !strings.Contains(body, `pgdeid_sql_notes_total{outcome="answered",table="deidentify"} 1`) ||
		!strings.Contains(body, "pgdeid_notes_total 1") {
		t.Errorf("metrics: %d\n%s", code, tail(body, 200))
	}
	if err := os.WriteFile(users, []byte(passwd(t, "other", "a second word or two")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the users are read again", func() bool {
		c, err := connect("other", "a second word or two")
		if err == nil {
			_ = c.Close(t.Context())
		}
		return err == nil
	})
	if _, err := connect("staging", "a first word or two"); err == nil {
		t.Error("a user that is gone gets in")
	}
	refused(t, conn, "42501", sql) // a session that is open loses its rights too
	if code := d.terminate(t); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if log := d.output(t); strings.Contains(log, "Quarkstein") || strings.Contains(log, "a first word or two") || !strings.Contains(log, "application=nightly") {
		t.Errorf("the log: %s", log)
	}
}

// What the program says where it can't start.
func TestServeComplains(t *testing.T) {
	t.Parallel()
	r := newReplication(t, newPair(t))
	open := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(open, []byte("a:b"), 0o644); err != nil {
		t.Fatal(err)
	}
	complains(t, 1, []string{"serve", "--config", r.cfg.Path, "--users", open}, "may be read by others", "chmod 600")
	complains(t, 1, []string{"serve", "--config", r.cfg.Path, "--users", open + "2"}, "read users", "serve passwd")
	complains(t, 2, []string{"serve", "--config", r.cfg.Path, "--users", open, "--tls-cert", "x"}, "go together")
	if err := os.WriteFile(open+"3", []byte(passwd(t, "a", "a word or two more")), 0o600); err != nil {
		t.Fatal(err)
	}
	complains(t, 1, []string{"serve", "--config", r.cfg.Path, "--users", open + "3", "--listen", "0.0.0.0:0", "--http", ""}, "in the clear", "--tls-cert")
}
