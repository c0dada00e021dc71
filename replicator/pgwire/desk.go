package pgwire

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/login"
	"github.com/pgdeid/pgdeid/internal/value"
)

// Desk makes the rows that clients ask for. It is safe for concurrent use.
type Desk interface {
	// Tables lists the tables. It returns the same ones each time.
	Tables() []Table
	// Rows answers rows of inputs, in their order. The counts of an answer are valid with an error too. An [Error] is shown to the client as
	// it is; of any other, the client learns nothing.
	Rows(ctx context.Context, q *Query) (Answer, error)
}

// Table is what a client can name in FROM.
type Table struct {
	Name    string
	Columns []Column
	Kind    Kind
	Hint    string  // what a query that leaves out an input should say
	Rows    float64 // about how many rows one row of inputs has, for planners
}

// Kind says where the inputs of a table come from.
type Kind byte

// The kinds of tables.
const (
	Asked  Kind = iota // a query's conditions
	Inbox              // INSERT, which keeps them until the transaction ends
	Outbox             // the rows that the transaction put into the inbox
)

// Column is a column of a table.
type Column struct {
	Name string
	Type value.Type
	Role Role
}

// Role says whether a query names a column's values.
type Role byte

// The roles of columns.
const (
	Output   Role = iota // the desk makes the value
	Needed               // a query has to say the value
	Optional             // a query may say the value; NULL where it does not
)

// Datum is a value in the text form of PostgreSQL.
type Datum = value.Datum

// Row has a value for each column of a table.
type Row = value.Row

// Query asks about some rows of inputs.
type Query struct {
	phi.Redacted

	Who    Who
	Table  string
	Wants  []bool // by column: the client asks for its value
	Inputs []Row  // of the table's columns; of the inbox's for the outbox
	// Room takes memory for rows before they are made, where they may be many more than the inputs.
	Room func(bytes int64) error
}

// Who is the user that asks, with the rights of this moment.
type Who struct {
	User    string
	Steward bool
	Limits  login.Limits
}

// Answer is what became of a query.
type Answer struct {
	phi.Redacted

	Rows []Row
	Counts
}

// Counts are what the log says of an answer. Patients are pseudonyms.
type Counts struct {
	phi.Redacted

	Notes, Bytes, Refused, OverLimit int64
	Patients                         []string
}

func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}
