package pgwire

// field is a column of a result.
type field struct {
	name string
	typ  uint32
}

// output is where a column of a result comes from: a column of the table, or a
// constant.
type output struct {
	column int // -1: a constant
	value  expr
	count  bool // count(*)
}

// plan is a query whose names are resolved.
type plan struct {
	stmt    *selectStmt
	table   *table // nil: a row of constants
	fields  []field
	outputs []output
	inputs  map[string]condition // by column
	filters []filter
	order   []sortKey
	wants   []bool // by column of the table
	counts  bool   // one row with the number of rows
}

type filter struct {
	column int
	cond   condition
}

type sortKey struct {
	column                 int
	descending, nullsFirst bool
}

// plan resolves the names of a query.
func (e *env) plan(stmt *selectStmt) (*plan, *failure) {
	p := &plan{stmt: stmt, inputs: map[string]condition{}}
	if stmt.catalogue != nil {
		p.fields = stmt.catalogue.fields()
		return p, nil
	}
	if stmt.from != nil {
		t, err := e.lookUp(stmt.from)
		if err != nil {
			return nil, err
		}
		p.table, p.wants = t, make([]bool, len(t.columns))
	}
	if err := p.resolveItems(stmt.items); err != nil {
		return nil, err
	}
	if err := p.resolveWhere(stmt.where); err != nil {
		return nil, err
	}
	return p, p.resolveOrder(stmt.order)
}

// columnNamed finds a column of the plan's table.
func (p *plan) columnNamed(name string, at token) (int, *failure) {
	if p.table != nil {
		if i := p.table.column(name); i >= 0 {
			return i, nil
		}
	}
	return 0, failf(stateNoColumn, "column \"%s\" does not exist", shown(name)).near(at).hinted("\\d shows tables and columns")
}

func (p *plan) resolveItems(items []item) *failure {
	for i := range items {
		it := &items[i]
		switch {
		case it.all:
			if p.table == nil {
				return failf(stateSyntax, "SELECT * with no tables specified is not valid").near(it.at)
			}
			for c, col := range p.table.columns {
				p.add(col.name, col.typ, output{column: c})
			}
		case it.kind == columnExpr:
			c, err := p.columnNamed(it.text, it.at)
			if err != nil {
				return err
			}
			typ, err := castColumn(p.table.columns[c].typ, it.cast, it.at)
			if err != nil {
				return err
			}
			p.add(it.name, typ, output{column: c})
		case it.kind == callExpr && it.text == "count" && p.table != nil && (it.star || len(it.args) == 1 && it.args[0].kind != columnExpr):
			p.counts = true
			p.add(it.name, oidInt8, output{column: -1, count: true})
		default:
			p.add(it.name, typeOfExpr(&it.expr), output{column: -1, value: it.expr})
		}
	}
	if p.counts {
		for _, o := range p.outputs {
			if !o.count {
				return tooMuch(items[0].at, "count(*) beside anything else")
			}
		}
	}
	return nil
}

// castColumn returns the type of a column that is cast. Values are sent as they are, so
// only casts that change nothing about them can be kept: to a text, or to a wider integer.
func castColumn(typ, cast uint32, at token) (uint32, *failure) {
	toText := isText(cast) && elementOf[typ] == 0 || isText(elementOf[cast]) && elementOf[typ] != 0
	wider := typ == oidInt4 && cast == oidInt8
	switch {
	case cast == 0:
		return typ, nil
	case cast == typ || toText || wider:
		return cast, nil
	}
	return 0, tooMuch(at, "a cast of a column to another type")
}

func (p *plan) add(name string, typ uint32, o output) {
	p.fields = append(p.fields, field{name, typ})
	p.outputs = append(p.outputs, o)
	if o.column >= 0 {
		p.wants[o.column] = true
	}
}

// resolveWhere takes the first condition that says the value of an input as such;
// the others pick among the rows.
func (p *plan) resolveWhere(where []condition) *failure {
	for _, c := range where {
		i, err := p.columnNamed(c.column, c.at)
		if err != nil {
			return err
		}
		col := p.table.columns[i]
		if _, err := castColumn(col.typ, c.cast, c.at); err != nil {
			return err
		}
		_, taken := p.inputs[col.name]
		if col.input && !taken && (c.op == "=" || c.op == "any" && elementOf[col.typ] == 0) {
			p.inputs[col.name] = c
			continue
		}
		if elementOf[col.typ] != 0 && c.op != "null" && c.op != "not null" && c.op != "=" {
			return tooMuch(c.at, "that condition on a list")
		}
		p.filters = append(p.filters, filter{i, c})
		p.wants[i] = true
	}
	return nil
}

func (p *plan) resolveOrder(order []ordering) *failure {
	for _, o := range order {
		var column int
		switch {
		case o.number > 0 && o.number <= len(p.outputs) && p.outputs[o.number-1].column >= 0:
			column = p.outputs[o.number-1].column
		case o.column == "":
			return failf(stateSyntax, "ORDER BY position %d is not in select list", o.number).near(o.at)
		default:
			i, err := p.orderedBy(o)
			if err != nil {
				return err
			}
			column = i
		}
		p.wants[column] = true
		p.order = append(p.order, sortKey{column, o.descending, o.nullsFirst})
	}
	return nil
}

// orderedBy finds a column by the name that the query gives it, or by its own.
func (p *plan) orderedBy(o ordering) (int, *failure) {
	for i, f := range p.fields {
		if f.name == o.column && p.outputs[i].column >= 0 {
			return p.outputs[i].column, nil
		}
	}
	return p.columnNamed(o.column, o.at)
}

// missing names the first input that the query does not say, or "".
func (p *plan) missing() string {
	for _, name := range p.table.needs {
		if _, ok := p.inputs[name]; !ok {
			return name
		}
	}
	return ""
}

// unanswerable refuses a query that leaves out inputs.
func (p *plan) unanswerable(name string) *failure {
	return failf(stateUnsupported, "table \"%s\" has no rows of its own: the query must say what %s is", p.table.name, name).
		hinted("%s", p.table.how)
}

// paramTypes returns the types of a statement's parameters: as declared, as cast,
// or as the column that they belong to.
func (e *env) paramTypes(uses []paramUse, from *tableName, declared []uint32) ([]uint32, *failure) {
	most := len(declared)
	for _, u := range uses {
		most = max(most, u.n)
	}
	types := make([]uint32, most)
	copy(types, declared)
	var t *table
	if from != nil {
		var err *failure
		if t, err = e.lookUp(from); err != nil {
			return nil, err
		}
	}
	for _, u := range uses {
		if have := types[u.n-1]; have != 0 && have != oidUnknown {
			continue
		}
		types[u.n-1] = u.typ
		if t == nil || u.typ != 0 || u.column == "" {
			continue
		}
		if i := t.column(u.column); i >= 0 {
			typ := t.columns[i].typ
			if u.list && arrayOf[typ] != 0 {
				typ = arrayOf[typ]
			}
			types[u.n-1] = typ
		}
	}
	for i, typ := range types {
		if typ == 0 || typ == oidUnknown {
			types[i] = oidText
		}
	}
	return types, nil
}
