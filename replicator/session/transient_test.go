package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/source"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

func TestPanicOfAGoroutineIsAnError(t *testing.T) {
	var log bytes.Buffer
	err := guard.Func(slog.New(slog.NewTextHandler(&log, nil)), "the committer", func() error { panic("Quarkstein") })()
	if !errors.As(err, new(*ensemble.Broken)) || Transient(err) || strings.Contains(err.Error()+log.String(), "Quarkstein") {
		t.Errorf("error %v, log %s", err, log.String())
	}
}

// unsent is what pgx says of a connection that was closed before it was used.
type unsent struct{}

func (unsent) Error() string     { return "conn closed" }
func (unsent) SafeToRetry() bool { return true }

func TestTransient(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{&pgconn.PgError{Code: "57P01"}, true},
		{&pgconn.PgError{Code: "53100"}, true},
		{&pgconn.PgError{Code: "40001"}, true},
		{&pgconn.PgError{Code: "55006"}, true},
		{&pgconn.PgError{Code: "08006"}, true},
		{&pgconn.PgError{Code: "42501"}, false},
		{&pgconn.PgError{Code: "42P01"}, false},
		{&pgconn.PgError{Code: "28P01"}, false},
		{&pgconn.PgError{Code: "55000"}, false},
		{io.ErrUnexpectedEOF, true},
		{&net.OpError{Op: "read", Err: errors.New("reset")}, true},
		{vault.ErrStale, true},
		{source.ErrSilent, true},
		{ErrNotAlone, true},
		{errors.Join(connect.ErrGone, errors.New("closed")), true},
		{unsent{}, true},
		{source.ErrDecode, false},
		{apply.ErrPosition, false},
		{context.Canceled, false},
	} {
		for _, err := range []error{c.err, fault.New("op", c.err, "hint"), fault.New("outer", fault.New("op", c.err, ""), "")} {
			if Transient(err) != c.want {
				t.Errorf("%T %v: %v", err, err, !c.want)
			}
		}
	}
	if Transient(fmt.Errorf("plain")) {
		t.Error("any error is transient")
	}
}
