package statement

import (
	"errors"
	"strconv"
	"strings"
)

// reader reads the statements of a text.
type reader struct {
	lexer

	tok    token
	params int
	depth  int
	room   func(int64) error // takes memory before it is allocated
}

// Read reads statements that semicolons part. What comes before an error is returned with it: it runs first.
func Read(text string, room func(int64) error) ([]*Statement, error) {
	r := &reader{lexer: lexer{text: text}, room: room}
	var list []*Statement
	if err := r.advance(); err != nil {
		return nil, err
	}
	for {
		for r.tok.kind == signToken && r.tok.text == ";" {
			if err := r.advance(); err != nil {
				return list, err
			}
		}
		if r.tok.kind == endToken {
			return list, nil
		}
		if err := room(valueBytes); err != nil {
			return list, err
		}
		r.params = 0
		st, err := r.statement()
		if err == nil && r.tok.kind != endToken && !r.is(";") {
			err = r.unexpected()
		}
		if err != nil {
			return list, err
		}
		st.Params = r.params
		list = append(list, st)
	}
}

func (r *reader) advance() (err error) {
	r.tok, err = r.next()
	return err
}

func (r *reader) unexpected() error { return unsupported("this statement, from here on,", r.tok.pos) }

// is reports whether the next token is a word or sign.
func (r *reader) is(text string) bool {
	return (r.tok.kind == wordToken || r.tok.kind == signToken) && r.tok.text == text
}

// skip takes a word or sign if it is next.
func (r *reader) skip(text string) (bool, error) {
	if !r.is(text) {
		return false, nil
	}
	return true, r.advance()
}

// expect takes words and signs, parted by spaces.
func (r *reader) expect(texts string) error {
	for text := range strings.FieldsSeq(texts) {
		if !r.is(text) {
			return r.unexpected()
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

// word takes any word.
func (r *reader) word() (string, error) {
	t := r.tok
	if t.kind != wordToken {
		return "", r.unexpected()
	}
	return t.text, r.advance()
}

// name takes a name.
func (r *reader) name() (Name, error) {
	t := r.tok
	if t.kind != wordToken && t.kind != nameToken {
		return Name{}, r.unexpected()
	}
	return Name{t.text, t.pos}, r.advance()
}

// named makes a statement of a verb and the name that comes next.
func (r *reader) named(v Verb) (*Statement, error) {
	n, err := r.name()
	return &Statement{Verb: v, Name: n.Text}, err
}

// statement reads one statement.
func (r *reader) statement() (*Statement, error) {
	if st := r.analyzing(); st != nil {
		return st, r.advance()
	}
	at := r.tok.pos
	first, err := r.word()
	if err != nil {
		return nil, err
	}
	switch first {
	case "select":
		sel, err := r.selection()
		return &Statement{Verb: Select, From: sel}, err
	case "declare":
		return r.declare()
	case "fetch":
		return r.fetch()
	case "move":
		if err := r.expect("backward all in"); err != nil {
			return nil, err
		}
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
	case "deallocate", "discard":
		return r.forget(first)
	}
	return r.transaction(first, at)
}

func (r *reader) declare() (*Statement, error) {
	st, err := r.named(Declare)
	if err == nil {
		err = r.expect("cursor for select")
	}
	if err == nil {
		st.From, err = r.selection()
	}
	return st, err
}

func (r *reader) fetch() (*Statement, error) {
	n, err := r.number()
	if err == nil {
		err = r.expect("from")
	}
	if err != nil {
		return nil, err
	}
	st, err := r.named(Fetch)
	st.Count = n
	return st, err
}

// number takes a whole number.
func (r *reader) number() (int64, error) {
	n, err := strconv.ParseInt(r.tok.text, 10, 64)
	if r.tok.kind != numberToken || err != nil {
		return 0, r.unexpected()
	}
	return n, r.advance()
}

// setting reads SET name = value, or TO.
func (r *reader) setting() (*Statement, error) {
	st, err := r.named(Set)
	if err != nil {
		return nil, err
	}
	to, err := r.skip("to")
	if err == nil && !to {
		err = r.expect("=")
	}
	if err != nil {
		return nil, err
	}
	switch r.tok.kind {
	case wordToken, nameToken, stringToken, numberToken:
		st.Value = r.tok.text
		return st, r.advance()
	}
	return nil, r.unexpected()
}

// forget reads DEALLOCATE and DISCARD.
func (r *reader) forget(first string) (*Statement, error) {
	if all, err := r.skip("all"); all || err != nil {
		if first == "discard" {
			return &Statement{Verb: Discard}, err
		}
		return &Statement{Verb: Deallocate}, err
	}
	if first == "discard" {
		return nil, r.unexpected()
	}
	return r.named(Deallocate)
}

// transaction reads what begins and ends transactions.
func (r *reader) transaction(first string, at int) (*Statement, error) {
	switch first {
	case "begin":
		return &Statement{Verb: Begin}, r.modes()
	case "start":
		if err := r.expect("transaction"); err != nil {
			return nil, err
		}
		return &Statement{Verb: Begin}, r.modes()
	case "commit", "end":
		_, err := r.skip("transaction")
		return &Statement{Verb: Commit}, err
	case "savepoint":
		return r.named(Savepoint)
	case "release":
		if err := r.expect("savepoint"); err != nil {
			return nil, err
		}
		return r.named(Release)
	case "rollback", "abort":
		_, err := r.skip("transaction")
		if err != nil || !r.is("to") {
			return &Statement{Verb: Rollback}, err
		}
		if err := r.expect("to savepoint"); err != nil {
			return nil, err
		}
		return r.named(RollbackTo)
	}
	return nil, unsupported("this statement", at)
}

// modes reads how a transaction is isolated and whether it writes. Each snapshot here is as good as any: no row ever changes.
func (r *reader) modes() error {
	for _, mode := range []string{
		"isolation level serializable", "isolation level repeatable read", "isolation level read committed", "read only", "read write",
	} {
		saved, tok := r.lexer, r.tok
		if r.expect(mode) == nil {
			_, err := r.skip(",")
			if err != nil {
				return err
			}
			return r.modes()
		}
		r.lexer, r.tok = saved, tok
	}
	return nil
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
func (r *reader) explain() (*Statement, error) {
	if err := r.expect("select"); err != nil {
		return nil, err
	}
	sel, err := r.selection()
	if err == nil && r.tok.kind == endToken {
		return &Statement{Verb: Explain, From: sel}, nil
	}
	if err != nil && !errors.As(err, new(*Error)) { // no room
		return nil, err
	}
	r.pos = len(r.text)
	return &Statement{Verb: ExplainUnknown}, r.advance()
}

// insert reads INSERT INTO table(columns) VALUES rows [RETURNING items].
func (r *reader) insert() (*Statement, error) {
	st := &Statement{Verb: Insert, From: &Selection{}}
	err := r.expect("into")
	if err == nil {
		st.From.Table, err = r.table()
	}
	if err == nil {
		st.Columns, err = r.names()
	}
	if err == nil {
		err = r.expect("values")
	}
	for more := true; more && err == nil; {
		var row []Value
		if row, err = r.values("(", ")"); err != nil {
			break
		}
		if len(row) != len(st.Columns) {
			return nil, unsupported("INSERT without a value for each column", r.tok.pos)
		}
		st.Rows = append(st.Rows, row)
		more, err = r.skip(",")
	}
	if err != nil || !r.is("returning") {
		return st, err
	}
	if err = r.advance(); err == nil {
		st.From.Items, err = r.items()
	}
	return st, err
}

// deletion reads DELETE FROM table [WHERE conditions].
func (r *reader) deletion() (*Statement, error) {
	st := &Statement{Verb: Delete, From: &Selection{}}
	err := r.expect("from")
	if err == nil {
		st.From.Table, err = r.table()
	}
	if err == nil {
		st.From.Where, err = r.where()
	}
	return st, err
}

// names reads names in parentheses.
func (r *reader) names() ([]Name, error) {
	if err := r.expect("("); err != nil {
		return nil, err
	}
	all, err := list(r, r.name)
	if err != nil {
		return nil, err
	}
	return all, r.expect(")")
}
