package pgwire

// selectStmt reads a query, which may stand in parentheses.
func (p *parser) selectStmt() (*selectStmt, *failure) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if p.accept("(") {
		stmt, err := p.selectStmt()
		if err != nil {
			return nil, err
		}
		return stmt, p.expect(")")
	}
	if err := p.expect("select"); err != nil {
		return nil, err
	}
	if t := p.peek(); t.is("distinct") {
		return nil, tooMuch(t, "DISTINCT")
	}
	p.accept("all")
	stmt := &selectStmt{}
	items, err := p.items()
	if err != nil {
		return nil, err
	}
	stmt.items = items
	if p.accept("from") {
		if stmt.from, err = p.tableName(); err != nil {
			return nil, err
		}
		if t := p.peek(); t.is("(") {
			return nil, tooMuch(t, "a function in FROM")
		}
	}
	if p.accept("where") {
		if stmt.where, err = p.conditions(); err != nil {
			return nil, err
		}
	}
	return stmt, p.tail(stmt)
}

// tooMuch refuses a part of a query that only a database can do.
func tooMuch(t token, what string) *failure {
	return failf(stateUnsupported, "%s is not supported", what).near(t).
		hinted("ask for the rows alone, and let your own database do the rest: WITH t AS MATERIALIZED (…) or OFFSET 0 keep it there")
}

// tail reads what may follow WHERE.
func (p *parser) tail(stmt *selectStmt) *failure {
	for {
		switch t := p.peek(); {
		case p.accept("order", "by"):
			if err := p.orderBy(stmt); err != nil {
				return err
			}
		case p.accept("limit"):
			if p.accept("all") {
				continue
			}
			e, err := p.expr()
			if err != nil {
				return err
			}
			stmt.limit = &e
		case p.accept("offset"):
			e, err := p.expr()
			if err != nil {
				return err
			}
			stmt.offset = &e
			p.acceptAny("row", "rows")
		case p.accept("for", "update"), p.accept("for", "share"), p.accept("for", "no", "key", "update"), p.accept("for", "key", "share"):
		case t.is("group"), t.is("having"), t.is("union"), t.is("intersect"), t.is("except"), t.is("window"), t.is("fetch"):
			return tooMuch(t, upper(t))
		case t.is(","), t.is("join"), t.is("inner"), t.is("left"), t.is("right"), t.is("full"), t.is("cross"), t.is("natural"):
			return tooMuch(t, "a join")
		default:
			return nil
		}
	}
}

// items reads what a query returns. None at all is allowed.
func (p *parser) items() ([]item, *failure) {
	var list []item
	if t := p.peek(); t.is("from") || t.kind == endToken || t.is(")") {
		return list, nil
	}
	for {
		it, err := p.item()
		if err != nil {
			return nil, err
		}
		list = append(list, it)
		if !p.accept(",") {
			return list, nil
		}
	}
}

func (p *parser) item() (item, *failure) {
	t := p.peek()
	if p.accept("*") {
		return item{all: true, expr: expr{at: t}}, nil
	}
	if t.isName() && p.peekAt(1).is(".") && p.peekAt(2).is("*") {
		p.at += 3
		return item{all: true, expr: expr{at: t}}, nil
	}
	e, err := p.expr()
	if err != nil {
		return item{}, err
	}
	if e.kind == callExpr && p.accept("/") { // ANALYZE asks for pages: none either way
		p.at++
	}
	it := item{expr: e, name: e.heading()}
	if p.accept("as") {
		alias := p.next()
		if !alias.isName() {
			return it, p.unexpected(alias)
		}
		it.name = alias.text
	} else if a := p.peek(); a.kind == nameToken || a.kind == wordToken && !reserved[a.text] {
		p.at++
		it.name = a.text
	}
	return it, nil
}

// heading is the name that PostgreSQL gives to a column without an alias.
func (e *expr) heading() string {
	switch {
	case e.kind == columnExpr || e.kind == callExpr:
		return e.text
	case e.kind == arrayExpr:
		return "array"
	case e.kind == boolExpr:
		return "bool"
	case e.cast != 0 && (e.kind == textExpr || e.kind == numberExpr || e.kind == nullExpr):
		return typeNames[e.cast]
	default:
		return "?column?"
	}
}

// reserved are the words that can't be an alias without AS, or a table's.
var reserved = map[string]bool{
	"from": true, "where": true, "order": true, "limit": true, "offset": true, "for": true, "group": true, "having": true,
	"union": true, "intersect": true, "except": true, "join": true, "inner": true, "left": true, "right": true, "full": true,
	"cross": true, "natural": true, "on": true, "using": true, "returning": true, "window": true, "fetch": true, "and": true,
	"or": true, "not": true, "as": true, "is": true, "in": true, "values": true, "like": true, "ilike": true, "between": true,
	"collate": true, "operator": true, "similar": true, "lateral": true, "select": true, "set": true,
}

func (p *parser) tableName() (*tableName, *failure) {
	t := p.peek()
	if t.is("(") || t.is("lateral") || t.is("only") || t.is("unnest") {
		return nil, tooMuch(t, "anything but a table in FROM")
	}
	name, err := p.name()
	if err != nil {
		return nil, err
	}
	table := &tableName{name: name.text, at: name}
	for p.accept(".") {
		if name, err = p.name(); err != nil {
			return nil, err
		}
		table.schema, table.name = table.name, name.text
	}
	if p.accept("as") {
		if name, err = p.name(); err != nil {
			return nil, err
		}
		table.alias = name.text
	} else if a := p.peek(); a.kind == nameToken || a.kind == wordToken && !reserved[a.text] {
		p.at++
		table.alias = a.text
	}
	return table, nil
}

func (p *parser) orderBy(stmt *selectStmt) *failure {
	for {
		e, err := p.expr()
		if err != nil {
			return err
		}
		o := ordering{column: e.text, at: e.at}
		switch e.kind {
		case columnExpr:
			if e.cast != 0 {
				return tooMuch(e.at, "ORDER BY a cast of a column")
			}
		case numberExpr:
			n, ok := smallInt(e.text)
			if !ok {
				return p.unexpected(e.at)
			}
			o.column, o.number = "", n
		default:
			return tooMuch(e.at, "ORDER BY anything but a column")
		}
		if p.accept("using") {
			return tooMuch(e.at, "ORDER BY … USING")
		}
		if !p.accept("asc") {
			o.descending = p.accept("desc")
		}
		o.nullsFirst = o.descending
		if p.accept("nulls", "first") {
			o.nullsFirst = true
		} else if p.accept("nulls", "last") {
			o.nullsFirst = false
		}
		stmt.order = append(stmt.order, o)
		if !p.accept(",") {
			return nil
		}
	}
}
