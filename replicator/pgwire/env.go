package pgwire

import (
	"log/slog"
	"time"
)

// env is what the statements of one session see. It belongs to one goroutine.
type env struct {
	engine   Engine
	tables   []*table
	user     string
	account  *account
	addr     string // of the client
	database string
	version  string // of the program
	pid      uint32
	settings settings
	inbox    inbox
	budget   *sessionBudget
	// statementSize is what the text of the statement that runs comes to: a cursor keeps it.
	statementSize int64
	metrics       *Metrics
	log           *slog.Logger
	tally         map[*table]*counts // since the last line of the audit log
	now           func() time.Time
}
