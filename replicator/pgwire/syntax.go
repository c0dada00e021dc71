package pgwire

// A statement is what the parser makes of one SQL statement: one of the types below.
type statement any

type (
	emptyStmt  struct{}
	beginStmt  struct{ modes []token }
	commitStmt struct{}
	// rollbackStmt has the savepoint to go back to, or "".
	rollbackStmt  struct{ to string }
	savepointStmt struct{ name string }
	releaseStmt   struct{ name string }

	// setStmt sets name to value; unset where it goes back to its default, name ""
	// for all of them.
	setStmt struct {
		name, value string
		local       bool
		unset       bool
	}
	// showStmt shows a setting; "all" shows all of them.
	showStmt struct{ name string }

	declareStmt struct {
		cursor string
		binary bool
		query  *selectStmt
	}
	fetchStmt struct {
		cursor string
		count  int // negative: all
		move   bool
		rewind bool // back to the start
	}
	// closeStmt closes a cursor; "" closes all of them.
	closeStmt struct{ cursor string }
	// deallocateStmt forgets a prepared statement; "" forgets all of them.
	deallocateStmt struct{ name string }
	discardStmt    struct{}
	// explainStmt asks what a statement costs; nil if it is one that can't be answered.
	explainStmt struct{ of statement }

	selectStmt struct {
		items     []item
		from      *tableName // nil: a row of constants
		where     []condition
		order     []ordering
		limit     *expr
		offset    *expr
		catalogue *catalogueQuery // asks for PostgreSQL's own tables
		params    []paramUse
	}
	insertStmt struct {
		into      tableName
		columns   []token // empty: all
		rows      [][]expr
		returning []item // nil: none
		params    []paramUse
	}
	deleteStmt struct {
		from   tableName
		where  []condition
		params []paramUse
	}
)

// tableName names a table, with the name that columns may be qualified with.
type tableName struct {
	schema, name, alias string
	at                  token
}

// exprKind says what an expression is made of.
type exprKind uint8

const (
	nullExpr exprKind = iota
	textExpr
	numberExpr
	boolExpr
	paramExpr
	columnExpr
	arrayExpr
	callExpr
	defaultExpr // of INSERT
)

// expr is an expression: a constant, a parameter, a column, an array or a call.
type expr struct {
	kind exprKind
	text string // the literal, the number, the name of a column or a function
	n    int    // of a parameter, from 1
	args []expr // of an array or a call
	star bool   // the call is count(*)
	cast uint32 // OID of the outermost type that it is cast to; 0: none
	at   token
}

// item is what a query returns: an expression with its name, or all columns.
type item struct {
	expr
	name string
	all  bool
}

// condition is "column op value", one of those that AND joins.
type condition struct {
	column string
	op     string // "=", "<>", "<", "<=", ">", ">=", "any", "null", "not null"
	value  expr
	cast   uint32 // of the column; 0: none
	at     token
}

// ordering is a column of ORDER BY.
type ordering struct {
	column     string
	number     int // of the item, from 1, where the column is named so
	descending bool
	nullsFirst bool
	at         token
}

// paramUse is where a parameter is used: with a type, a column, or neither.
type paramUse struct {
	n      int
	typ    uint32 // 0: unknown
	column string // whose value it is; "" if none
	list   bool   // it is a list of such values
}
