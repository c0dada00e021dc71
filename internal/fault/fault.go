// Package fault makes errors that say what was done, what went wrong and what to
// do next, and that never carry a row's values.
package fault

import (
	"errors"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// Error holds the operation that failed, its cause, and a hint what to do about it.
type Error struct {
	Op    string // "create slot pgdeid"
	Cause error  // free of row values
	Hint  string // what to do next; may be empty
}

// Error returns "op: cause". The hint is printed by the command line.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Op, e.Cause) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New returns an Error. PostgreSQL errors in the chain are redacted: see [Redact].
func New(op string, cause error, hint string) error {
	if cause == nil {
		return nil
	}
	return &Error{Op: op, Cause: Redact(cause), Hint: hint}
}

// Hint returns the first hint in err's chain, or "".
func Hint(err error) string {
	var e *Error
	for errors.As(err, &e) {
		if e.Hint != "" {
			return e.Hint
		}
		err = e.Cause
	}
	return ""
}

// State returns the SQLSTATE in err's chain, or "".
func State(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code
	}
	var r *redacted
	if errors.As(err, &r) {
		return r.code
	}
	return ""
}

// redacted is a PostgreSQL error without its message and detail, which may quote
// values ("invalid input syntax for type integer: …", "Key (mrn)=(…)").
type redacted struct {
	code, text string
}

func (r *redacted) Error() string { return r.text }

// quoteFree lists the SQLSTATE classes whose messages name objects and settings
// but never values of rows (PostgreSQL documentation, appendix A).
var quoteFree = map[string]bool{
	"08": true, "25": true, "28": true, "2B": true, "3D": true, "3F": true, "40": true, "42": true,
	"53": true, "54": true, "55": true, "57": true, "58": true, "F0": true, "HV": true,
}

// Redact returns err, or, where a PostgreSQL error is in its chain, an error that
// keeps the SQLSTATE and the names of schema, table, column and constraint, and
// the message only where it can't quote a row's value.
//
// Of an error to connect it keeps what the network said, and leaves out the
// connection string, which pgconn quotes.
func Redact(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		var ce *pgconn.ConnectError
		if errors.As(err, &ce) && !errors.As(err, new(*unreachable)) {
			return &unreachable{err}
		}
		return err
	}
	text := "PostgreSQL error"
	if len(pg.Code) >= 2 && quoteFree[pg.Code[:2]] {
		text = pg.Message
	}
	for _, part := range []struct{ label, value string }{
		{"table", pg.TableName}, {"column", pg.ColumnName}, {"constraint", pg.ConstraintName}, {"type", pg.DataTypeName},
	} {
		if part.value != "" {
			text += fmt.Sprintf(", %s %s", part.label, part.value)
		}
	}
	return &redacted{code: pg.Code, text: fmt.Sprintf("%s (SQLSTATE %s)", text, pg.Code)}
}

// unreachable is an error to connect without the connection string.
type unreachable struct{ cause error }

func (u *unreachable) Error() string {
	var ne *net.OpError
	if errors.As(u.cause, &ne) {
		return ne.Error()
	}
	var dns *net.DNSError
	if errors.As(u.cause, &dns) {
		return dns.Error()
	}
	return "no connection: " + innermost(u.cause).Error()
}

func (u *unreachable) Unwrap() error { return u.cause }

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
