package sandbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Backup copies the running cluster as it is now into dir, which must be empty or not
// exist, and returns the copy as a server that is stopped: [Server.Restart] starts it,
// on a port of its own, as the same cluster restored from a backup.
func (s *Server) Backup(ctx context.Context, dir string) (*Server, error) {
	return s.copyTo(ctx, dir, nil)
}

// Standby is Backup for a copy that follows this server through one of its physical
// slots, by name; settings are for the copy alone. [Server.Promote] makes it a primary.
func (s *Server) Standby(ctx context.Context, dir, slot string, settings map[string]string) (*Server, error) {
	own := map[string]string{
		"primary_conninfo":  fmt.Sprintf("host=127.0.0.1 port=%d user=%s password=%s dbname=postgres", s.opts.Port, s.opts.Superuser, s.password),
		"primary_slot_name": slot, "hot_standby": "on", "hot_standby_feedback": "on",
	}
	maps.Copy(own, settings)
	c, err := s.copyTo(ctx, dir, own)
	if err != nil {
		return nil, err
	}
	signal := filepath.Join(c.data(), "standby.signal")
	return c, errors.Join(os.WriteFile(signal, nil, 0o600), c.account.give(signal))
}

// Promote ends a standby's recovery and waits until it takes writes.
func (s *Server) Promote(ctx context.Context) error {
	return s.exec(ctx, "promote the standby", "select pg_promote(true, 60)")
}

func (s *Server) copyTo(ctx context.Context, dir string, settings map[string]string) (*Server, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Server{dir: dir, opts: s.opts, account: s.account, password: s.password, version: s.version}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := errors.Join(c.account.give(dir), c.account.reach(dir)); err != nil {
		return nil, err
	}
	cmd := c.account.command(dir, filepath.Join(c.opts.BinDir, "pg_basebackup"),
		"--pgdata="+c.data(), "--host=127.0.0.1", "--port="+strconv.Itoa(s.opts.Port), "--username="+s.opts.Superuser,
		"--checkpoint=fast", "--wal-method=stream", "--no-sync", "--no-password")
	cmd.Env = append(cmd.Env, "PGPASSWORD="+s.password)
	if err := runToEnd(ctx, cmd); err != nil {
		return nil, fault.New("copy the cluster", err, "the server's log is "+s.Log())
	}
	generated, err := os.ReadFile(c.confFile())
	if err != nil {
		return nil, err
	}
	if c.opts.Port, err = freePort(); err != nil {
		return nil, err
	}
	c.opts.Settings = maps.Clone(s.opts.Settings)
	maps.Copy(c.opts.Settings, settings)
	return c, os.WriteFile(c.confFile(), append(generated, c.settings()...), 0o600)
}
