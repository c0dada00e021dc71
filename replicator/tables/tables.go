package tables

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// Engine does the work: a [replicator.Desk]. It is safe for concurrent use.
type Engine interface {
	// Pseudonym returns what the replica calls a patient, by the patient's key in the source, whether there is such a patient or not; ""
	// for what is no key.
	Pseudonym(patient string) string
	// Ask answers questions, in their order. A question that fails has an answer with a Reason; an error means that none was answered.
	// Answers that are [replicator.Busy] are asked for again.
	Ask(ctx context.Context, asked []desk.Question) ([]desk.Answer, error)
	// Pull reads notes from the source by their keys and de-identifies them. Keys that the source does not have are left out.
	Pull(ctx context.Context, from desk.NoteKeys) ([]desk.NoteAnswer, error)
}

// Tables implements [pgwire.Desk].
type Tables struct {
	engine  Engine
	collect *Collector
	quotas  *quotas
	metrics *Metrics
	list    []table
}

// table is a table with what makes its rows.
type table struct {
	pgwire.Table

	rows func(ctx context.Context, c *call) ([]value.Row, error)
}

// call is one query on its way to its rows.
type call struct {
	phi.Redacted

	*Tables
	*pgwire.Query

	table  *pgwire.Table
	counts pgwire.Counts
}

// New returns the tables of an engine, which is asked for so many batches at a time. [Tables.Run] has to run while they are asked.
func New(engine Engine, batches int) *Tables {
	m := newMetrics()
	return &Tables{engine: engine, collect: NewCollector(engine, batches, m), quotas: newQuotas(time.Now), metrics: m, list: list()}
}

// Run works on questions until ctx is done.
func (t *Tables) Run(ctx context.Context) error { return t.collect.Run(ctx) }

// Metrics returns what is counted.
func (t *Tables) Metrics() *Metrics { return t.metrics }

// list returns all tables.
func list() []table {
	return []table{
		deidentifyTable(), batchTable(), detectTable(), inboxTable(), outboxTable(), pullTable(), shiftTable(), vaultSpanTable(),
	}
}

// Tables implements [pgwire.Desk].
func (t *Tables) Tables() []pgwire.Table { return shapes(t.list) }

func shapes(list []table) []pgwire.Table {
	out := make([]pgwire.Table, len(list))
	for i := range list {
		out[i] = list[i].Table
	}
	return out
}

// Names are the names that a user's line may have.
func Names() login.Tables {
	names := login.Tables{Least: []string{"deidentify", "deidentify_batch", "inbox", "outbox"}} // what shows de-identified text and nothing else
	for _, t := range list() {
		names.Known = append(names.Known, t.Name)
	}
	return names
}

// Rows implements [pgwire.Desk].
func (t *Tables) Rows(ctx context.Context, q *pgwire.Query) (pgwire.Answer, error) {
	i := slices.IndexFunc(t.list, func(one table) bool { return one.Name == q.Table })
	if i < 0 || t.list[i].rows == nil {
		return pgwire.Answer{}, errNoTable
	}
	c := &call{Tables: t, Query: q, table: &t.list[i].Table}
	rows, err := t.list[i].rows(ctx, c)
	t.metrics.add(q.Table, &c.counts)
	return pgwire.Answer{Rows: rows, Counts: c.counts}, shownError(err)
}

var errNoTable = errors.New("no such table")

// wants reports whether the client asks for a column.
func (c *call) wants(name string) bool {
	return c.Wants[slices.IndexFunc(c.table.Columns, func(col pgwire.Column) bool { return col.Name == name })]
}

// shownError returns an error of the engine's as a client may see it: by its kind alone, as it may come from another server.
func shownError(err error) error {
	var refused *desk.Refusal
	var known *fault.Error
	switch {
	case errors.As(err, &refused):
		return &pgwire.Error{State: stateBadValue, Message: refused.Message, Hint: refused.Hint}
	case errors.As(err, &known):
		return &pgwire.Error{State: stateEngine, Message: "the engine can't answer: " + known.Op, Hint: "the log of pgdeid says why; try again later"}
	}
	return err
}

// The SQLSTATEs of tables.
const (
	stateArrayMismatch = "2202E"
	stateBadValue      = "22023"
	stateNoRight       = "42501"
	stateLimit         = "53400"
	stateTooLarge      = "54000"
	stateEngine        = "58000"
	stateInternal      = "XX000"
	// stateNote is for a note that can't be de-identified: a class of this program's own, as SQL leaves those from I to Z to
	// implementations.
	stateNote = "PD001"
)

// Names of columns that several tables have.
const (
	colPatient   = "patient_id"
	colNote      = "note"
	colText      = "deid_note"
	colReason    = "reason"
	colReasons   = "reasons"
	colJob       = "job"
	colItem      = "item"
	colPseudonym = "patient"
)

func text(s string) value.Datum { return value.Datum{Text: s} }
