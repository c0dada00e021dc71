// Package statement reads the statements that postgres_fdw of PostgreSQL 14 to 18 sends to the engine's tables, and refuses all others
// with an [Error]. It allocates nothing before it has asked for the room.
package statement

import "github.com/pgdeid/pgdeid/ensemble/phi"

// Verb is what a statement does.
type Verb byte

// The verbs.
const (
	Empty Verb = iota
	Select
	Declare
	Fetch
	Rewind
	Close
	Insert
	Delete
	Begin
	Commit
	Rollback
	Savepoint
	Release
	RollbackTo
	Set
	Explain
	ExplainUnknown // of what is not understood
	Deallocate     // one statement, or all of them for no name
	Discard
	TableSize // ANALYZE asks
	TableKind // ANALYZE asks
)

// Statement is one that was read.
type Statement struct {
	phi.Redacted

	Verb    Verb
	Name    string     // of a cursor, savepoint, prepared statement, setting or table
	Value   string     // of a setting
	Count   int64      // of rows to fetch
	From    *Selection // of a SELECT, a cursor or EXPLAIN; what an INSERT returns; what a DELETE takes
	Columns []Name     // of an INSERT
	Rows    [][]Value  // of an INSERT
	Params  int        // the highest number of a parameter
}

// Name is a name and its place, in bytes.
type Name struct {
	Text string
	Pos  int
}

// Selection is SELECT items FROM table WHERE conditions.
type Selection struct {
	phi.Redacted

	Table Name
	Items []Item
	Where []Condition
	Order []Ordering
	Limit *Value
}

// Item is what a selection returns.
type Item struct {
	Name

	Kind ItemKind
}

// ItemKind says what an item is.
type ItemKind byte

// The kinds of items.
const (
	Column ItemKind = iota
	All             // columns
	NullItem
	Count // of rows
)

// Condition compares a column with a value: by an operator, or "any", "null" and "not null".
type Condition struct {
	phi.Redacted

	Column Name
	Op     string
	Value  Value
}

// Ordering is a column to sort by.
type Ordering struct {
	Name

	Descending, NullsFirst bool
}

// Value is a constant, or a parameter that will be one.
type Value struct {
	phi.Redacted

	Pos   int
	Text  string
	Param int     // its number; 0: a constant
	List  []Value // of ARRAY[…] and IN (…)
	Kind  ValueKind
}

// ValueKind says what a value is.
type ValueKind byte

// The kinds of values.
const (
	Literal ValueKind = iota
	Null
	List
	Default
)

// valueBytes is what a value of a statement takes at most, besides its text.
const valueBytes = 128

// Error refuses a part of a statement. It quotes nothing.
type Error struct {
	What string
	Pos  int // in bytes
}

func (e *Error) Error() string { return e.What + " is not supported" }

func unsupported(what string, pos int) error { return &Error{what, pos} }
