package pgwire

import (
	"context"
	"io"
	"slices"
)

// column is a column of a table.
type column struct {
	name    string
	typ     uint32
	input   bool // a query says its value; the table has none of its own
	comment string
}

// row holds a value for each column of a table.
type row []datum

// source makes the rows of one scan. next returns some of them, about as many as
// are wanted, and io.EOF with the last ones or after them.
type source interface {
	next(ctx context.Context, want int) ([]row, error)
}

// table is what a client can read from. Its rows come into being when a query says
// what its inputs are.
type table struct {
	oid     uint32 // made up, for psql
	name    string
	comment string
	columns []column
	needs   []string // inputs without which there are no rows
	how     string   // the hint for a query without them
	rows    float64  // about how many rows a query with them has, for planners
	open    func(q *query) (source, *failure)
}

func (t *table) column(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

// query is a scan of a table, with what its inputs are.
type query struct {
	*env
	table *table
	wants []bool             // by column: something asks for its value
	bound map[string][]datum // by input: the values that it may have, none of them NULL
	held  *int64             // of the budget, by the scan
}

// input returns the values of an input, or nil if the query does not say.
func (q *query) input(name string) []datum { return q.bound[name] }

func (q *query) wanted(name string) bool { return q.wants[q.table.column(name)] }

// fixed is a source with all its rows at hand.
type fixed struct{ rows []row }

func (f *fixed) next(_ context.Context, want int) ([]row, error) {
	n := min(max(want, 1), len(f.rows))
	out := f.rows[:n]
	if f.rows = f.rows[n:]; len(f.rows) == 0 {
		return out, io.EOF
	}
	return out, nil
}

// Names of columns that several tables have.
const (
	colPatient = "patient_id"
	colNote    = "note"
	colText    = "deid_note"
	colReason  = "reason"
	colJob     = "job"
	colItem    = "item"
)

var (
	patientColumn = column{colPatient, oidText, true, "patient key as the source has it, in text form"}
	noteColumn    = column{colNote, oidText, true, "identified text"}
	textColumn    = column{colText, oidText, false, "the text with surrogates in"}
	reasonColumn  = column{colReason, oidText, false, "why deid_note is NULL although note is not; asking for it keeps one bad note from failing the statement"}
)

// tables are what clients see in schema deid.
func tables() []*table {
	list := []*table{deidentifyTable(), batchTable(), detectTable(), inboxTable(), outboxTable(), pullTable(), shiftTable(), vaultSpanTable()}
	for i, t := range list {
		t.oid = 16384 + uint32(i)
	}
	return list
}

// schemaName is the schema that the tables stand in.
const schemaName = "deid"

// lookUp finds a table by name, for a user who may ask it.
func (e *env) lookUp(n *tableName) (*table, *failure) {
	if n.schema == "" || n.schema == schemaName || n.schema == "public" {
		for _, t := range e.tables {
			if t.name != n.name {
				continue
			}
			if !e.account.may(t.name) {
				return nil, failf(stateNoRight, "permission denied for table %s", t.name).near(n.at).
					hinted("the user's line in the file of 'pgdeid serve --users' must name it: tables=%s", t.name)
			}
			return t, nil
		}
	}
	return nil, failf(stateNoTable, "relation \"%s\" does not exist", shown(n.name)).near(n.at).
		hinted("there are deidentify, deidentify_batch, detect, inbox, outbox, note_deid, vault_shift and vault_span in schema deid; " +
			"\\d shows them")
}
