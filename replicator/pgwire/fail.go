package pgwire

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
)

// failure is an error as a client sees it. Its words are this package's own and
// quote nothing that a client sent but names of tables, columns and settings.
type failure struct {
	state   string // SQLSTATE
	message string
	hint    string
	at      int // byte offset in the statement, from 1; 0: none
	fatal   bool
}

func (f *failure) Error() string { return f.message + " (SQLSTATE " + f.state + ")" }

// The SQLSTATEs in use (PostgreSQL documentation, appendix A).
const (
	stateConnection      = "08006"
	stateProtocol        = "08P01"
	stateUnsupported     = "0A000"
	stateArrayMismatch   = "2202E"
	stateBadEncoding     = "22021"
	stateBadText         = "22P02"
	stateBadBinary       = "22P03"
	stateBadValue        = "22023"
	stateActiveTx        = "25001"
	stateNoTx            = "25P01"
	stateFailedTx        = "25P02"
	stateIdleInTx        = "25P03"
	stateNoStatement     = "26000"
	stateBadAuth         = "28000"
	stateBadPassword     = "28P01"
	stateNoDatabase      = "3D000"
	stateNoSavepoint     = "3B001"
	stateNoCursor        = "34000"
	stateDuplicateCursor = "42P03"
	stateDuplicateStmt   = "42P05"
	stateSyntax          = "42601"
	stateLongName        = "42622"
	stateNoColumn        = "42703"
	stateNoFunction      = "42883"
	stateNoTable         = "42P01"
	stateNoRight         = "42501"
	stateNoParameter     = "42P02"
	stateNoSetting       = "42704"
	stateReadOnly        = "42809"
	stateFixedSetting    = "55P02"
	stateTooMany         = "53300"
	stateNoMemory        = "53200"
	stateLimit           = "53400"
	stateTooLarge        = "54000"
	stateCursorState     = "55000"
	stateCanceled        = "57014"
	stateShutdown        = "57P01"
	stateIdleSession     = "57P05"
	stateEngine          = "58000"
	stateInternal        = "XX000"
	// stateNote tells that one note can't be de-identified: a class of this
	// program's own, as SQL leaves those from I to Z to implementations.
	stateNote = "PD001"
)

func failf(state, format string, args ...any) *failure {
	return &failure{state: state, message: fmt.Sprintf(format, args...)}
}

// hinted returns f with a hint.
func (f *failure) hinted(format string, args ...any) *failure {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// near returns f with the place of a token.
func (f *failure) near(t token) *failure {
	f.at = t.pos + 1
	return f
}

// failureOf returns err as a client may see it. An error of the engine's is told by
// its kind alone, as it may come from another server.
func failureOf(ctx context.Context, err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	if cause := context.Cause(ctx); cause != nil && errors.As(cause, &f) {
		return f
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return failf(stateCanceled, "canceling statement due to user request")
	}
	var refused *replicator.Refusal
	if errors.As(err, &refused) {
		return failf(stateBadValue, "%s", refused.Message).hinted("%s", refused.Hint)
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return failf(stateEngine, "the engine can't answer: %s", known.Op).hinted("the log of pgdeid says why; try again later")
	}
	return failf(stateInternal, "the engine can't answer").hinted("the log of pgdeid says why")
}

// response writes f as a message; query is the statement that it points into.
func (f *failure) response(query string) *pgproto3.ErrorResponse {
	severity := "ERROR"
	if f.fatal {
		severity = "FATAL"
	}
	r := &pgproto3.ErrorResponse{
		Severity: severity, SeverityUnlocalized: severity, Code: f.state, Message: f.message, Hint: f.hint,
	}
	if f.at > 0 && f.at <= len(query)+1 {
		r.Position = int32(utf8.RuneCountInString(query[:f.at-1])) + 1 //nolint:gosec // bounded by the size of messages
	}
	return r
}

// shown returns a name as messages may quote it: an identifier of ordinary length,
// or a word for it, since what stands between wrong quotes may be anything.
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
