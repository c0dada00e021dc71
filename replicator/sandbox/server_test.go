package sandbox

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// testContext bounds what must not hang.
func testContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Minute)
}

// start makes a server for a test.
func start(t *testing.T, o Options) *Server {
	t.Helper()
	tmp, err := MkdirTemp("pgdeid-sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	ctx, cancel := testContext()
	defer cancel()
	if o.Settings == nil {
		o.Settings = FastSettings()
	}
	s, err := Start(ctx, filepath.Join(tmp, "pg"), o)
	if err != nil {
		t.Fatalf("%v (hint: %s)", err, fault.Hint(err))
	}
	t.Cleanup(func() { _ = s.Kill() })
	return s
}

func queryText(t *testing.T, s *Server, database, query string) string {
	t.Helper()
	conn, err := s.Conn(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	var text string
	if err := conn.QueryRow(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestServerLife(t *testing.T) {
	s := start(t, Options{Settings: map[string]string{"fsync": "off", "application_name": "it's"}})
	for setting, want := range map[string]string{
		"wal_level": "logical", "server_encoding": "UTF8", "listen_addresses": "127.0.0.1", "application_name": "it's",
	} {
		if got := queryText(t, s, "postgres", "show "+setting); got != want {
			t.Errorf("%s = %q, want %q", setting, got, want)
		}
	}
	if !strings.HasPrefix(queryText(t, s, "postgres", "show server_version"), s.Version()) || s.Version() == "" {
		t.Errorf("Version = %q", s.Version())
	}
	if err := s.CreateDatabase(t.Context(), "a b"); err != nil {
		t.Fatal(err)
	}
	if err := s.exec(t.Context(), "fill", "create table kept as select 1"); err != nil {
		t.Fatal(err)
	}
	for _, stop := range map[string]func() error{
		"fast":      func() error { return s.Stop(t.Context(), Fast) },
		"immediate": func() error { return s.Stop(t.Context(), Immediate) },
		"kill":      s.Kill,
		"none":      func() error { return nil },
	} {
		port := s.Port()
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s.Port() != port {
			t.Errorf("port moved from %d to %d", port, s.Port())
		}
		if got := queryText(t, s, "postgres", "select count(*)::text from kept"); got != "1" {
			t.Errorf("rows after the restart: %s", got)
		}
	}
	if err := s.Stop(t.Context(), Fast); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(t.Context(), Fast); err != nil {
		t.Errorf("second Stop: %v", err)
	}
	if _, err := s.Conn(t.Context(), "postgres"); err == nil {
		t.Error("a stopped server answered")
	}
}

func TestServerWantsPassword(t *testing.T) {
	s := start(t, Options{Superuser: "dba"})
	cfg, err := s.Config("postgres")
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{cfg.Host}
	if s.SocketDir() != "" {
		hosts = append(hosts, s.SocketDir())
	}
	for _, host := range hosts {
		cfg.Host, cfg.Password = host, s.Password()
		conn, err := pgx.ConnectConfig(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close(t.Context())
		cfg.Password = "wrong"
		_, err = pgx.ConnectConfig(t.Context(), cfg)
		if fault.State(err) != "28P01" {
			t.Errorf("wrong password at %s: %v", host, err)
		}
	}
}

func TestDropDatabaseWithActiveSlot(t *testing.T) {
	s := start(t, Options{})
	if err := s.CreateDatabase(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	queryText(t, s, "gone", "select slot_name::text from pg_create_logical_replication_slot('idle', 'pgoutput')")
	if err := s.DropDatabase(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	if got := queryText(t, s, "postgres", "select count(*)::text from pg_replication_slots"); got != "0" {
		t.Errorf("%s slots are left", got)
	}
}

func TestStartRefusals(t *testing.T) {
	tmp := t.TempDir()
	if err := os.WriteFile(filepath.Join(tmp, "precious"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	free, err := MkdirTemp("pgdeid-sandbox-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(free)
	ctx, cancel := testContext()
	defer cancel()
	for name, c := range map[string]struct {
		dir  string
		o    Options
		want error
	}{
		"folder in use":   {tmp, Options{}, nil},
		"no programs":     {filepath.Join(free, "1"), Options{BinDir: free}, os.ErrNotExist},
		"port taken":      {filepath.Join(free, "2"), Options{Port: l.Addr().(*net.TCPAddr).Port}, errExited},
		"unknown setting": {filepath.Join(free, "3"), Options{Settings: map[string]string{"no_such": "1"}}, errExited},
	} {
		_, err := Start(ctx, c.dir, c.o)
		if err == nil {
			t.Errorf("%s: started", name)
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestFindBinDirByEnvironment(t *testing.T) {
	t.Setenv(BinDirEnv, t.TempDir())
	if _, err := FindBinDir(); !errors.Is(err, errNoServer) || !strings.Contains(fault.Hint(err), BinDirEnv) {
		t.Errorf("%v, hint %q", err, fault.Hint(err))
	}
	t.Setenv(BinDirEnv, "")
	dir, err := FindBinDir()
	if err != nil {
		t.Fatal(err)
	}
	if !hasServer(dir) {
		t.Errorf("no server in %s", dir)
	}
}

func TestMajorOf(t *testing.T) {
	for dir, want := range map[string]int{
		"/usr/lib/postgresql/15/bin": 15, "/usr/pgsql-9/bin": 9, "/opt/homebrew/opt/postgresql@17/bin": 17, "/usr/bin": 0,
	} {
		if got := majorOf(dir); got != want {
			t.Errorf("majorOf(%s) = %d, want %d", dir, got, want)
		}
	}
}
