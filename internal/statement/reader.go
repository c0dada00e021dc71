package statement

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// reader reads the statements of a text. After an error it has no more tokens, so that what reads on comes to its end:
// the error is looked at once, by [Read].
type reader struct {
	phi.Redacted

	lexer

	tok    token
	err    error // the first one
	params int
	depth  int
	room   func(int64) error // takes memory before it is allocated
}

// Read reads statements that semicolons part. What comes before an error is returned with it: it runs first.
func Read(text string, room func(int64) error) ([]*Statement, error) {
	r := &reader{lexer: lexer{text: text}, room: room}
	var list []*Statement
	r.advance()
	for {
		for r.is(";") {
			r.advance()
		}
		if r.tok.kind == endToken {
			return list, r.err
		}
		r.reserve()
		r.params = 0
		st := r.statement()
		if r.tok.kind != endToken && !r.is(";") {
			r.unexpected()
		}
		if r.err != nil {
			return list, r.err
		}
		st.Params = r.params
		list = append(list, st)
	}
}

// fail ends the reading, unless it has failed before.
func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err, r.tok = err, token{}
	}
}

func (r *reader) refuse(what string, pos int) { r.fail(unsupported(what, pos)) }

func (r *reader) unexpected() { r.refuse("this statement, from here on,", r.tok.pos) }

// reserve takes the memory of one more value.
func (r *reader) reserve() {
	if r.err == nil {
		r.fail(r.room(valueBytes))
	}
}

func (r *reader) advance() {
	if r.err == nil {
		tok, err := r.next()
		r.tok = tok
		r.fail(err)
	}
}

// is reports whether the next token is a word or sign.
func (r *reader) is(text string) bool {
	return (r.tok.kind == wordToken || r.tok.kind == signToken) && r.tok.text == text
}

// skip takes a word or sign if it is next.
func (r *reader) skip(text string) bool {
	found := r.is(text)
	if found {
		r.advance()
	}
	return found
}

// expect takes words and signs, parted by spaces.
func (r *reader) expect(texts string) {
	for text := range strings.FieldsSeq(texts) {
		if !r.skip(text) {
			r.unexpected()
		}
	}
}

// oneOf takes a token of one of some kinds.
func (r *reader) oneOf(kinds ...tokenKind) string {
	text := r.tok.text
	if !slices.Contains(kinds, r.tok.kind) {
		r.unexpected()
	}
	r.advance()
	return text
}

// name takes a name.
func (r *reader) name() Name {
	at := r.tok.pos
	return Name{r.oneOf(wordToken, nameToken), at}
}

// named makes a statement of a verb and the name that comes next.
func (r *reader) named(v Verb) *Statement { return &Statement{Verb: v, Name: r.name().Text} }

// statement reads one statement.
func (r *reader) statement() *Statement {
	if st := r.analyzing(); st != nil {
		r.advance()
		return st
	}
	at := r.tok.pos
	switch first := r.oneOf(wordToken); first {
	case "select":
		return &Statement{Verb: Select, From: r.selection()}
	case "declare":
		st := r.named(Declare)
		r.expect("cursor for select")
		st.From = r.selection()
		return st
	case "fetch":
		return r.fetch()
	case "move":
		r.expect("backward all in")
		return r.named(Rewind)
	case "close":
		return r.named(Close)
	case "insert":
		return r.insert()
	case "delete":
		return r.deletion()
	case "explain":
		return r.explain()
	case "set":
		return r.setting()
	case "deallocate":
		if r.skip("all") {
			return &Statement{Verb: Deallocate}
		}
		return r.named(Deallocate)
	case "discard":
		r.expect("all")
		return &Statement{Verb: Discard}
	default:
		return r.transaction(first, at)
	}
}

func (r *reader) fetch() *Statement {
	at := r.tok.pos
	n, err := strconv.ParseInt(r.oneOf(numberToken), 10, 64)
	if err != nil {
		r.refuse("that number", at)
	}
	r.expect("from")
	st := r.named(Fetch)
	st.Count = n
	return st
}

// setting reads SET name = value, or TO.
func (r *reader) setting() *Statement {
	st := r.named(Set)
	if !r.skip("to") {
		r.expect("=")
	}
	st.Value = r.oneOf(wordToken, nameToken, stringToken, numberToken)
	return st
}

// transaction reads what begins and ends transactions.
func (r *reader) transaction(first string, at int) *Statement {
	switch first {
	case "start":
		r.expect("transaction")
		fallthrough
	case "begin":
		r.modes()
		return &Statement{Verb: Begin}
	case "commit", "end":
		r.skip("transaction")
		return &Statement{Verb: Commit}
	case "savepoint":
		return r.named(Savepoint)
	case "release":
		r.expect("savepoint")
		return r.named(Release)
	case "rollback", "abort":
		r.skip("transaction")
		if !r.skip("to") {
			return &Statement{Verb: Rollback}
		}
		r.expect("savepoint")
		return r.named(RollbackTo)
	}
	r.refuse("this statement", at)
	return nil
}

// modes reads how a transaction is isolated and whether it writes. Each snapshot here is as good as any: no row ever changes.
func (r *reader) modes() {
	for {
		switch {
		case r.skip("isolation"):
			r.expect("level")
			switch {
			case r.skip("repeatable"):
				r.expect("read")
			case r.skip("read"):
				r.expect("committed")
			default:
				r.expect("serializable")
			}
		case r.skip("read"):
			if !r.skip("only") {
				r.expect("write")
			}
		default:
			return
		}
		r.skip(",")
	}
}

// analyzing reads the two queries by which ANALYZE asks for a table's size; nil if it is none of them.
func (r *reader) analyzing() *Statement {
	for v, shape := range map[Verb][2]string{
		TableSize: {"SELECT pg_catalog.pg_relation_size('deid.", "'::pg_catalog.regclass) / 8192"},
		TableKind: {"SELECT reltuples, relkind FROM pg_catalog.pg_class WHERE oid = 'deid.", "'::pg_catalog.regclass"},
	} {
		rest, ok := strings.CutPrefix(r.text[r.tok.pos:], shape[0])
		table, rest, found := strings.Cut(rest, "'")
		if ok && found && len(table) <= maxName && "'"+rest == shape[1] {
			r.pos = len(r.text)
			return &Statement{Verb: v, Name: table}
		}
	}
	return nil
}

// explain reads EXPLAIN SELECT. A planner asks what a query would cost that it then makes otherwise, so what is not understood is no
// error here: it has a cost that no planner takes.
func (r *reader) explain() *Statement {
	r.expect("select")
	if r.err != nil {
		return nil
	}
	sel := r.selection()
	if r.err == nil && r.tok.kind == endToken {
		return &Statement{Verb: Explain, From: sel}
	}
	if r.err != nil && !errors.As(r.err, new(*Error)) { // no room
		return nil
	}
	r.err, r.pos = nil, len(r.text)
	r.advance()
	return &Statement{Verb: ExplainUnknown}
}

// insert reads INSERT INTO table(columns) VALUES rows [RETURNING items].
func (r *reader) insert() *Statement {
	st := &Statement{Verb: Insert, From: &Selection{}}
	r.expect("into")
	st.From.Table = r.table()
	r.expect("(")
	st.Columns = list(r, r.name)
	r.expect(") values")
	for more := true; more; more = r.skip(",") {
		row := r.values("(", ")")
		if len(row) != len(st.Columns) {
			r.refuse("INSERT without a value for each column", r.tok.pos)
		}
		st.Rows = append(st.Rows, row)
	}
	if r.skip("returning") {
		st.From.Items = list(r, r.item)
	}
	return st
}

// deletion reads DELETE FROM table [WHERE conditions].
func (r *reader) deletion() *Statement {
	r.expect("from")
	sel := &Selection{Table: r.table()}
	sel.Where = r.where()
	return &Statement{Verb: Delete, From: sel}
}
