package fault

// A server that refuses something refuses it either because of what a row holds, and then
// it will always refuse that row, or because of the state that the server, its schema or
// its privileges are in. The first costs the row, the second costs the session: to end a
// session for a row means that the next one ends at the same row, and that the source
// keeps its WAL meanwhile.

// rowClasses lists the SQLSTATE classes that values can bring about (PostgreSQL
// documentation, appendix A). Triggers, generated columns, index expressions and
// constraints that a site adds to its research tables run with each row, so what
// functions raise is among them.
var rowClasses = map[string]bool{
	"09": true, // triggered action exception
	"0A": true, // feature not supported
	"20": true, // case not found
	"21": true, // cardinality violation: two keys that the replica takes for one
	"22": true, // data exception
	"23": true, // integrity constraint violation
	"27": true, // triggered data change violation
	"38": true, // external routine exception
	"39": true, // external routine invocation exception
	"44": true, // WITH CHECK OPTION violation
	"54": true, // program limit exceeded: an index entry, a row, a tsvector that is too large
	"P0": true, // raised by PL/pgSQL
}

const (
	// internalError is also what a value beyond 1 GB in some representation comes to.
	internalError = "XX000"
	// outOfMemory may be what many rows at a time come to.
	outOfMemory = "53200"
)

// BlamesRow reports whether a server's error can be due to the values of a row.
func BlamesRow(err error) bool {
	state := State(err)
	return len(state) == 5 && (rowClasses[state[:2]] || state == internalError)
}

// SmallerMayDo reports whether a batch that failed with err may succeed in smaller parts.
func SmallerMayDo(err error) bool { return BlamesRow(err) || State(err) == outOfMemory }
