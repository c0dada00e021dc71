package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Server is one throwaway PostgreSQL cluster. Its methods are not for several
// goroutines at once, except DSN, Config, Conn and the plain getters.
type Server struct {
	dir      string
	opts     Options
	account  *account
	password string
	socket   string   // folder of the Unix socket; "" where its path would be too long
	process  *process // nil while stopped
	version  string
}

// maxSocketPath is how long the path of a Unix socket may be (sun_path, less its NUL;
// macOS has the smallest).
const maxSocketPath = 103

// Start makes a new cluster in dir, which must be empty or not exist, starts it and
// waits until it answers. The context bounds the start, not the life of the server.
func Start(ctx context.Context, dir string, o Options) (*Server, error) {
	return create(ctx, dir, o, (*Server).initialise)
}

// create makes a cluster in dir by initialise and starts it.
func create(ctx context.Context, dir string, o Options, initialise func(*Server, context.Context) error) (*Server, error) {
	s, err := newServer(dir, o)
	if err != nil {
		return nil, err
	}
	if err := initialise(s, ctx); err != nil {
		return nil, fmt.Errorf("make a PostgreSQL cluster: %w", err)
	}
	if err := s.firstStart(ctx); err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	return s, nil
}

func newServer(dir string, o Options) (*Server, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	o, err = o.withDefaults()
	if err != nil {
		return nil, err
	}
	a, err := chooseAccount()
	if err != nil {
		return nil, err
	}
	return &Server{dir: dir, opts: o, account: a, password: newPassword()}, nil
}

// initialise runs initdb.
func (s *Server) initialise(ctx context.Context) error {
	if err := s.claim(); err != nil {
		return err
	}
	pwfile := filepath.Join(s.dir, "pw")
	if err := errors.Join(os.WriteFile(pwfile, []byte(s.password+"\n"), 0o600), s.account.give(pwfile)); err != nil {
		return err
	}
	defer os.Remove(pwfile)
	cmd := s.account.command(s.dir, filepath.Join(s.opts.BinDir, "initdb"),
		"--pgdata="+s.data(), "--username="+s.opts.Superuser, "--pwfile="+pwfile,
		"--encoding=UTF8", "--locale="+locale(), "--auth=scram-sha-256", "--no-sync", "--no-instructions")
	return runToEnd(ctx, cmd)
}

// claim makes the server's folder, which must be empty or not exist.
func (s *Server) claim() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fault.New("use "+s.dir, errors.New("the folder is not empty"), "name a new folder: a sandbox never takes over files")
	}
	return errors.Join(s.account.give(s.dir), s.account.reach(s.dir))
}

// firstStart writes the settings and starts the server; a free port that somebody
// else took in the meantime is replaced by another one.
func (s *Server) firstStart(ctx context.Context) error {
	generated, err := os.ReadFile(s.confFile())
	if err != nil {
		return err
	}
	wantPort := s.opts.Port
	for attempt := 1; ; attempt++ {
		if wantPort == 0 {
			if s.opts.Port, err = freePort(); err != nil {
				return err
			}
		}
		if err := os.WriteFile(s.confFile(), append(generated[:len(generated):len(generated)], s.settings()...), 0o600); err != nil {
			return err
		}
		err = s.launch(ctx)
		if err == nil || wantPort != 0 || attempt == 3 || !errors.Is(err, errExited) {
			return err
		}
	}
}

// settings returns what is appended to postgresql.conf.
func (s *Server) settings() string {
	s.socket = s.dir
	if len(filepath.Join(s.socket, ".s.PGSQL."+strconv.Itoa(s.opts.Port))) > maxSocketPath {
		s.socket = ""
	}
	return "\n" + conf(s.opts.Settings) + conf(map[string]string{
		"port": strconv.Itoa(s.opts.Port), "unix_socket_directories": s.socket,
	})
}

func (s *Server) data() string     { return filepath.Join(s.dir, "data") }
func (s *Server) confFile() string { return filepath.Join(s.data(), "postgresql.conf") }

// Log returns the path of the server's log file.
func (s *Server) Log() string { return filepath.Join(s.dir, "log") }

// Port returns the TCP port on 127.0.0.1.
func (s *Server) Port() int { return s.opts.Port }

// Addr returns host and port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.opts.Port)) }

// SocketDir returns the folder of the Unix socket, or "" if there is none.
func (s *Server) SocketDir() string { return s.socket }

// Superuser returns the name of the superuser.
func (s *Server) Superuser() string { return s.opts.Superuser }

// Password returns the superuser's password.
func (s *Server) Password() string { return s.password }

// Version returns the server's version as it says it itself, such as "15.18 (Debian 15.18-0+deb12u1)".
func (s *Server) Version() string { return s.version }

// DSN returns a connection URL without a password.
func (s *Server) DSN(user, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(user), Host: s.Addr(), Path: database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Config returns how the superuser connects to a database, password included.
func (s *Server) Config(database string) (*pgx.ConnConfig, error) {
	cfg, err := pgx.ParseConfig(s.DSN(s.opts.Superuser, database))
	if err != nil {
		return nil, fault.New("address PostgreSQL", err, "")
	}
	cfg.Password = s.password
	return cfg, nil
}

// Conn connects the superuser to a database.
func (s *Server) Conn(ctx context.Context, database string) (*pgx.Conn, error) {
	cfg, err := s.Config(database)
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, fault.New("connect to the sandbox server", err, "its log is "+s.Log())
	}
	return conn, nil
}
