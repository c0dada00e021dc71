package pgwire

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Error is an error as a client sees it. Its words quote nothing that a client sent but names.
type Error struct {
	State   string // SQLSTATE
	Message string
	Hint    string

	at    int // byte offset in the statement, from 1; 0: none
	fatal bool
}

func (f *Error) Error() string { return f.Message + " (SQLSTATE " + f.State + ")" }

// The SQLSTATEs in use (PostgreSQL documentation, appendix A).
const (
	stateConnection      = "08006"
	stateProtocol        = "08P01"
	stateUnsupported     = "0A000"
	stateBadEncoding     = "22021"
	stateBadText         = "22P02"
	stateActiveTx        = "25001"
	stateNoTx            = "25P01"
	stateFailedTx        = "25P02"
	stateIdleInTx        = "25P03"
	stateNoStatement     = "26000"
	stateBadAuth         = "28000"
	stateBadPassword     = "28P01"
	stateNoSavepoint     = "3B001"
	stateNoCursor        = "34000"
	stateDuplicateCursor = "42P03"
	stateDuplicateStmt   = "42P05"
	stateNoColumn        = "42703"
	stateNoTable         = "42P01"
	stateNoRight         = "42501"
	stateReadOnly        = "42809"
	stateTooMany         = "53300"
	stateNoMemory        = "53200"
	stateTooLarge        = "54000"
	stateCanceled        = "57014"
	stateShutdown        = "57P01"
	stateIdleSession     = "57P05"
	stateInternal        = "XX000"
)

func failf(state, format string, args ...any) *Error {
	return &Error{State: state, Message: fmt.Sprintf(format, args...)}
}

// hinted returns f with a hint.
func (f *Error) hinted(format string, args ...any) *Error {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// near returns f with a place in the statement.
func (f *Error) near(pos int) *Error {
	f.at = pos + 1
	return f
}

// elsewhere says where everything works that this server refuses.
const elsewhere = "this server understands what postgres_fdw sends: connect to a PostgreSQL database with the engine attached " +
	"('pgdeid migrate engine'), and ask there"

// unsupported refuses what is not understood.
func unsupported(what string, pos int) *Error {
	return failf(stateUnsupported, "%s is not supported", what).near(pos).hinted(elsewhere)
}

// failureOf returns err as a client may see it.
func failureOf(ctx context.Context, err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	if cause := context.Cause(ctx); cause != nil && errors.As(cause, &f) {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errUserCancel
	}
	return failf(stateInternal, "the engine can't answer").hinted("the log of pgdeid says why")
}

var errUserCancel = failf(stateCanceled, "canceling statement due to user request")

// response writes f as a message; query is the statement that it points into.
func (f *Error) response(query string) *pgproto3.ErrorResponse {
	severity := "ERROR"
	if f.fatal {
		severity = "FATAL"
	}
	r := &pgproto3.ErrorResponse{Severity: severity, SeverityUnlocalized: severity, Code: f.State, Message: f.Message, Hint: f.Hint}
	if f.at > 0 && f.at <= len(query)+1 {
		r.Position = int32(utf8.RuneCountInString(query[:f.at-1])) + 1 //nolint:gosec // bounded by the size of messages
	}
	return r
}

// shown returns a name as messages may quote it: an identifier of ordinary length, or a question mark, since what is between wrong quotes
// may be anything.
func shown(name string) string {
	if name == "" || len(name) > 63 {
		return "?"
	}
	for _, r := range name {
		if r != '_' && r != '.' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return "?"
		}
	}
	return name
}
