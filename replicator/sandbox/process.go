package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Mode says how a server stops; see the documentation of pg_ctl.
type Mode syscall.Signal

// The three modes of PostgreSQL, and none.
const (
	Smart     = Mode(syscall.SIGTERM) // waits for all clients to leave
	Fast      = Mode(syscall.SIGINT)  // ends their sessions, stops in order
	Immediate = Mode(syscall.SIGQUIT) // leaves at once; the next start recovers
)

var errExited = errors.New("the server ended at once")

// process is a running postgres.
type process struct {
	cmd   *exec.Cmd
	group errgroup.Group
	gone  chan struct{} // closed once it was waited for
}

// begin starts postgres with its output appended to a log file.
func begin(cmd *exec.Cmd, logPath string) (*process, error) {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	dieWithUs(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, gone: make(chan struct{})}
	p.group.Go(func() error {
		defer close(p.gone)
		return cmd.Wait()
	})
	return p, nil
}

// end sends a signal and waits for the process to leave. When the context ends
// first the process is killed.
func (p *process) end(ctx context.Context, signal syscall.Signal) error {
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.gone:
		return nil
	case <-ctx.Done():
		_ = p.cmd.Process.Kill() // fails only if it has just gone
		<-p.gone
		return ctx.Err()
	}
}

// launch starts postgres and waits until it answers.
func (s *Server) launch(ctx context.Context) error {
	p, err := begin(s.account.command(s.dir, filepath.Join(s.opts.BinDir, "postgres"), "-D", s.data()), s.Log())
	if err != nil {
		return err
	}
	if err := s.awaitReady(ctx, p); err != nil {
		return errors.Join(err, p.end(context.WithoutCancel(ctx), syscall.SIGQUIT))
	}
	s.process = p
	return nil
}

// awaitReady asks until the server answers, ends or the context does.
func (s *Server) awaitReady(ctx context.Context, p *process) error {
	for {
		err := s.ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.gone:
			return fault.New("wait for PostgreSQL", errExited, "its log is "+s.Log())
		case <-ctx.Done():
			return fault.New("wait for PostgreSQL", errors.Join(ctx.Err(), err), "its log is "+s.Log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ask connects once and notes the version. It does not wait long: a stranger that
// holds the port may accept and stay mute.
func (s *Server) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := s.Conn(ctx, "postgres")
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return conn.QueryRow(ctx, "show server_version").Scan(&s.version)
}

// Stop stops the server and waits until it is gone. A stopped server stays stopped.
// When the context ends first the server is killed, and the context's error returned.
func (s *Server) Stop(ctx context.Context, mode Mode) error {
	p := s.process
	if p == nil {
		return nil
	}
	s.process = nil
	return p.end(ctx, syscall.Signal(mode))
}

// Kill ends the server as a crash would (SIGKILL). Its backends notice within moments.
func (s *Server) Kill() error {
	p := s.process
	if p == nil {
		return nil
	}
	s.process = nil
	return p.end(context.Background(), syscall.SIGKILL)
}

// Restart stops the server if it runs (fast) and starts it on the same port. After
// [Server.Kill] it waits for the last backend of the dead server to leave.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.Stop(ctx, Fast); err != nil {
		return err
	}
	for {
		err := s.launch(ctx)
		// A backend of a killed postmaster still holds the shared memory.
		if err == nil || !errors.Is(err, errExited) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("restart PostgreSQL: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// runToEnd runs a program and returns what it said if it failed.
func runToEnd(ctx context.Context, cmd *exec.Cmd) error {
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, bytes.TrimSpace(output.Bytes()))
	}
	return ctx.Err()
}
