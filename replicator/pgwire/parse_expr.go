package pgwire

import (
	"strconv"
	"strings"
)

func upper(t token) string { return strings.ToUpper(shown(t.text)) }

func smallInt(s string) (int, bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int(n), err == nil
}

// conditions reads what AND joins, in parentheses or not.
func (p *parser) conditions() ([]condition, *failure) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var list []condition
	for {
		more, err := p.conditionTerm()
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
		if t := p.peek(); t.is("or") {
			return nil, tooMuch(t, "OR")
		}
		if !p.accept("and") {
			return list, nil
		}
	}
}

// conditionTerm reads a condition, or conditions in parentheses. Whether a
// parenthesis holds a condition or a value shows only where it ends.
func (p *parser) conditionTerm() ([]condition, *failure) {
	if t := p.peek(); t.is("not") || t.is("exists") {
		return nil, tooMuch(t, upper(t))
	}
	if p.accept("true") {
		return nil, nil
	}
	if p.peek().is("(") {
		start, used := p.at, len(p.params)
		p.at++
		list, err := p.conditions()
		if err == nil && p.accept(")") && !p.startsOperator() {
			return list, nil
		}
		if err != nil && err.state != stateSyntax {
			return nil, err
		}
		p.at, p.params = start, p.params[:used]
	}
	c, err := p.condition()
	if err != nil {
		return nil, err
	}
	return []condition{c}, nil
}

// startsOperator reports whether what was read is the left side of a condition.
func (p *parser) startsOperator() bool {
	t := p.peek()
	return t.kind == signToken && !t.is(")") && !t.is(";") && !t.is(",") || t.is("is") || t.is("in") || t.is("operator")
}

// swapped are the operators with their sides exchanged.
var swapped = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// condition reads "column op value" or "value op column".
func (p *parser) condition() (condition, *failure) {
	start := p.peek()
	left, err := p.expr()
	if err != nil {
		return condition{}, err
	}
	switch {
	case p.accept("is"):
		return p.isNull(left)
	case p.accept("in"):
		return p.in(left)
	}
	op, err := p.operator()
	if err != nil {
		return condition{}, err
	}
	if op == "=" && p.acceptAny("any", "some") {
		if err := p.expect("("); err != nil {
			return condition{}, err
		}
		right, err := p.expr()
		if err != nil {
			return condition{}, err
		}
		if err := p.expect(")"); err != nil {
			return condition{}, err
		}
		return p.pair(start, left, "any", right)
	}
	right, err := p.expr()
	if err != nil {
		return condition{}, err
	}
	if left.kind != columnExpr && right.kind == columnExpr {
		left, right, op = right, left, swapped[op]
	}
	return p.pair(start, left, op, right)
}

// operator reads a comparison, also as OPERATOR(pg_catalog.=).
func (p *parser) operator() (string, *failure) {
	wrapped := p.accept("operator", "(")
	if wrapped && p.accept("pg_catalog") {
		if err := p.expect("."); err != nil {
			return "", err
		}
	}
	t := p.next()
	op := t.text
	if op == "!=" {
		op = "<>"
	}
	if t.kind != signToken && !t.is("like") && !t.is("ilike") && !t.is("between") && !t.is("similar") {
		return "", p.unexpected(t)
	}
	if swapped[op] == "" {
		if strings.ContainsAny(op, "(),;") {
			return "", p.unexpected(t)
		}
		return "", tooMuch(t, "a condition other than = ANY, IN, =, <>, <, <=, >, >= and IS NULL")
	}
	if wrapped {
		return op, p.expect(")")
	}
	return op, nil
}

func (p *parser) isNull(left expr) (condition, *failure) {
	op := "null"
	if p.accept("not") {
		op = "not null"
	}
	if !p.accept("null") {
		return condition{}, tooMuch(p.peek(), "IS anything but NULL")
	}
	return p.pair(left.at, left, op, expr{})
}

func (p *parser) in(left expr) (condition, *failure) {
	if err := p.expect("("); err != nil {
		return condition{}, err
	}
	list := expr{kind: arrayExpr, at: left.at}
	for {
		e, err := p.expr()
		if err != nil {
			return condition{}, err
		}
		list.args = append(list.args, e)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(")"); err != nil {
		return condition{}, err
	}
	return p.pair(left.at, left, "any", list)
}

// pair makes a condition on a column.
func (p *parser) pair(start token, left expr, op string, right expr) (condition, *failure) {
	if left.kind != columnExpr || right.kind == columnExpr {
		return condition{}, tooMuch(start, "a condition on anything but a column and a value")
	}
	p.of(right, left.text, op == "any" && right.kind == paramExpr)
	return condition{column: left.text, op: op, value: right, cast: left.cast, at: start}, nil
}

// of notes which column the parameters of a value belong to.
func (p *parser) of(e expr, column string, list bool) {
	if e.kind == paramExpr {
		for i := range p.params {
			if p.params[i].n == e.n && p.params[i].typ == 0 && p.params[i].column == "" {
				p.params[i].column, p.params[i].list = column, list
			}
		}
	}
	for _, a := range e.args {
		p.of(a, column, false)
	}
}

// expr reads an expression with its casts.
func (p *parser) expr() (expr, *failure) {
	if err := p.enter(); err != nil {
		return expr{}, err
	}
	defer p.leave()
	e, err := p.primary()
	if err != nil {
		return e, err
	}
	for {
		switch {
		case p.accept("::"):
			typ, err := p.typeName()
			if err != nil {
				return e, err
			}
			p.castTo(&e, typ)
		case p.accept("collate"):
			if _, err := p.name(); err != nil {
				return e, err
			}
			for p.accept(".") {
				if _, err := p.name(); err != nil {
					return e, err
				}
			}
		default:
			return e, nil
		}
	}
}

// castTo notes a cast. The innermost one says what type a parameter has.
func (p *parser) castTo(e *expr, typ uint32) {
	if e.kind == paramExpr && e.cast == 0 {
		p.params[len(p.params)-1].typ = typ
	}
	e.cast = typ
}

// primary reads an expression without its casts.
func (p *parser) primary() (expr, *failure) {
	t := p.next()
	switch t.kind {
	case textToken:
		return expr{kind: textExpr, text: t.text, at: t}, nil
	case numberToken:
		return expr{kind: numberExpr, text: t.text, at: t}, nil
	case paramToken:
		n, ok := smallInt(t.text)
		if !ok || n < 1 || n > maxParams {
			return expr{}, failf(stateNoParameter, "there is no parameter of that number").near(t)
		}
		p.params = append(p.params, paramUse{n: n})
		return expr{kind: paramExpr, n: n, at: t}, nil
	case signToken:
		return p.primarySign(t)
	case wordToken:
		return p.primaryWord(t)
	case nameToken:
		return p.reference(t)
	}
	return expr{}, p.unexpected(t)
}

func (p *parser) primarySign(t token) (expr, *failure) {
	switch t.text {
	case "(":
		var e expr
		var err *failure
		if p.accept("select") { // "(SELECT null::text)", as EXPLAIN has it for parameters
			e, err = p.expr()
			e.at = t
		} else {
			e, err = p.expr()
		}
		if err != nil {
			return e, err
		}
		return e, p.closing()
	case "-", "+":
		n := p.next()
		if n.kind != numberToken {
			return expr{}, p.unexpected(n)
		}
		return expr{kind: numberExpr, text: strings.TrimPrefix(t.text, "+") + n.text, at: t}, nil
	}
	return expr{}, p.unexpected(t)
}

// closing takes the parenthesis after a value. An operator there is one that this
// server does not compute.
func (p *parser) closing() *failure {
	if t := p.peek(); t.kind == signToken && swapped[t.text] == "" && strings.IndexByte(operatorBytes, t.text[0]) >= 0 {
		return tooMuch(t, "an operator on values")
	}
	return p.expect(")")
}

func (p *parser) primaryWord(t token) (expr, *failure) {
	switch t.text {
	case "null":
		return expr{kind: nullExpr, at: t}, nil
	case "true", "false":
		return expr{kind: boolExpr, text: t.text[:1], at: t}, nil
	case "default":
		return expr{kind: defaultExpr, at: t}, nil
	case "current_user", "session_user", "user", "current_role", "current_catalog", "current_timestamp", "localtimestamp", "current_date":
		return expr{kind: callExpr, text: t.text, at: t}, nil
	case "array":
		if p.peek().is("[") {
			p.at++
			return p.array(t)
		}
		return expr{}, tooMuch(t, "ARRAY of a query")
	case "cast":
		return p.castCall()
	case "case", "coalesce", "row":
		return expr{}, tooMuch(t, upper(t))
	}
	if reserved[t.text] {
		return expr{}, p.unexpected(t)
	}
	return p.reference(t)
}

func (p *parser) castCall() (expr, *failure) {
	if err := p.expect("("); err != nil {
		return expr{}, err
	}
	e, err := p.expr()
	if err != nil {
		return e, err
	}
	if err := p.expect("as"); err != nil {
		return e, err
	}
	typ, err := p.typeName()
	if err != nil {
		return e, err
	}
	p.castTo(&e, typ)
	return e, p.expect(")")
}

func (p *parser) array(t token) (expr, *failure) {
	list := expr{kind: arrayExpr, at: t}
	if p.accept("]") {
		return list, nil
	}
	for {
		e, err := p.expr()
		if err != nil {
			return list, err
		}
		list.args = append(list.args, e)
		if !p.accept(",") {
			return list, p.expect("]")
		}
	}
}

// reference reads a column, which may be qualified, or a call.
func (p *parser) reference(t token) (expr, *failure) {
	last := t
	for p.accept(".") {
		name, err := p.name()
		if err != nil {
			return expr{}, err
		}
		last = name
	}
	if p.accept("(") {
		return p.call(t, last.text)
	}
	if n := p.peek(); n.kind == textToken && last.kind == wordToken { // regclass 'x'
		if typ, ok := typeOf(last.text); ok {
			p.at++
			return expr{kind: textExpr, text: n.text, cast: typ, at: t}, nil
		}
	}
	return expr{kind: columnExpr, text: last.text, at: t}, nil
}

func (p *parser) call(t token, name string) (expr, *failure) {
	e := expr{kind: callExpr, text: name, at: t}
	if p.accept(")") {
		return e, nil
	}
	if p.accept("*", ")") {
		e.star = true
		return e, nil
	}
	for {
		arg, err := p.expr()
		if err != nil {
			return e, err
		}
		e.args = append(e.args, arg)
		if !p.accept(",") {
			return e, p.expect(")")
		}
	}
}
