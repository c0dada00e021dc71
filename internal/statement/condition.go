package statement

import (
	"slices"
	"strconv"
)

// selection reads what follows SELECT.
func (r *reader) selection() (*Selection, error) {
	var s Selection
	var err error
	if s.Items, err = r.items(); err != nil {
		return nil, err
	}
	if err = r.expect("from"); err != nil {
		return nil, err
	}
	if s.Table, err = r.table(); err != nil {
		return nil, err
	}
	if s.Where, err = r.where(); err != nil {
		return nil, err
	}
	if s.Order, err = r.ordering(); err != nil {
		return nil, err
	}
	limited, err := r.skip("limit")
	if err != nil || !limited {
		return &s, err
	}
	n, err := r.primary()
	if err == nil && n.kind != valueOperand {
		err = r.unexpected()
	}
	s.Limit = &n.Value
	return &s, err
}

// list reads what commas separate, each by read, and takes the memory of each before.
func list[T any](r *reader, read func() (T, error)) ([]T, error) {
	var all []T
	for {
		if err := r.room(valueBytes); err != nil {
			return nil, err
		}
		one, err := read()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
		more, err := r.skip(",")
		if err != nil || !more {
			return all, err
		}
	}
}

// items reads the items of SELECT and RETURNING.
func (r *reader) items() ([]Item, error) { return list(r, r.item) }

func (r *reader) item() (Item, error) {
	if r.is("*") {
		return Item{Kind: All, Name: Name{Pos: r.tok.pos}}, r.advance()
	}
	bare := r.tok.kind == wordToken
	n, err := r.name()
	switch {
	case err != nil:
		return Item{}, err
	case bare && n.Text == "null":
		return Item{n, NullItem}, nil
	case bare && n.Text == "count" && r.is("("):
		return Item{n, Count}, r.expect("( * )")
	}
	return Item{n, Column}, nil
}

// schemaName is the schema of the tables.
const schemaName = "deid"

// table reads a table's name, with the schema or without.
func (r *reader) table() (Name, error) {
	n, err := r.name()
	if err != nil || !r.is(".") {
		return n, err
	}
	if n.Text != schemaName {
		return n, unsupported("that schema", n.Pos)
	}
	if err := r.advance(); err != nil {
		return n, err
	}
	return r.name()
}

// ordering reads ORDER BY columns.
func (r *reader) ordering() ([]Ordering, error) {
	if !r.is("order") {
		return nil, nil
	}
	if err := r.expect("order by"); err != nil {
		return nil, err
	}
	return list(r, r.orderingColumn)
}

// orderingColumn reads a column of ORDER BY with its direction.
func (r *reader) orderingColumn() (Ordering, error) {
	n, err := r.name()
	if err != nil {
		return Ordering{}, err
	}
	o := Ordering{Name: n}
	if r.is("asc") || r.is("desc") {
		o.Descending = r.is("desc")
		err = r.advance()
	}
	o.NullsFirst = o.Descending
	if err != nil || !r.is("nulls") {
		return o, err
	}
	if err := r.advance(); err != nil {
		return o, err
	}
	o.NullsFirst = r.is("first")
	if !o.NullsFirst && !r.is("last") {
		return o, r.unexpected()
	}
	return o, r.advance()
}

// where reads conditions that AND joins.
func (r *reader) where() ([]Condition, error) {
	if !r.is("where") {
		return nil, nil
	}
	var list []Condition
	for more := true; more; {
		err := r.advance() // WHERE or AND
		if err == nil {
			err = r.room(valueBytes)
		}
		if err != nil {
			return nil, err
		}
		n, err := r.operand()
		if err != nil {
			return nil, err
		}
		if n.kind != conditionOperand {
			return nil, r.unexpected()
		}
		list = append(list, n.Condition)
		more = r.is("and")
	}
	return list, nil
}

// operand is a part of a condition, or all of one.
type operand struct {
	kind operandKind
	Condition
}

type operandKind byte

const (
	columnOperand operandKind = iota
	valueOperand
	conditionOperand
)

// flipped are operators with their sides exchanged.
var flipped = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// operand reads a column or value, and what it is compared with.
func (r *reader) operand() (operand, error) {
	left, err := r.primary()
	if err != nil || left.kind == conditionOperand {
		return left, err
	}
	if op, ok := flipped[r.tok.text]; ok && r.tok.kind == signToken {
		at := r.tok.pos
		if err := r.advance(); err != nil {
			return left, err
		}
		if left.kind == columnOperand {
			op = flipped[op]
			if r.is("any") {
				return r.anyOf(left, op, at)
			}
		}
		right, err := r.primary()
		switch {
		case err != nil:
			return left, err
		case left.kind == columnOperand && right.kind == valueOperand:
			return operand{conditionOperand, Condition{left.Column, op, right.Value}}, nil
		case left.kind == valueOperand && right.kind == columnOperand:
			return operand{conditionOperand, Condition{right.Column, op, left.Value}}, nil
		}
		return left, unsupported("that comparison", at)
	}
	if left.kind == columnOperand && r.is("is") {
		return r.nullTest(left)
	}
	if left.kind == columnOperand && r.is("in") {
		if err := r.advance(); err != nil {
			return left, err
		}
		at := r.tok.pos
		list, err := r.values("(", ")")
		return operand{conditionOperand, Condition{left.Column, "any", Value{Pos: at, Kind: List, List: list}}}, err
	}
	return left, nil
}

// anyOf reads = ANY (list).
func (r *reader) anyOf(left operand, op string, at int) (operand, error) {
	if op != "=" {
		return left, unsupported("that comparison", at)
	}
	if err := r.expect("any ("); err != nil {
		return left, err
	}
	list, err := r.primary()
	if err == nil && list.kind != valueOperand {
		err = r.unexpected()
	}
	if err != nil {
		return left, err
	}
	return operand{conditionOperand, Condition{left.Column, "any", list.Value}}, r.expect(")")
}

// nullTest reads IS [NOT] NULL.
func (r *reader) nullTest(left operand) (operand, error) {
	if err := r.advance(); err != nil {
		return left, err
	}
	op := "null"
	not, err := r.skip("not")
	if not {
		op = "not null"
	}
	if err != nil {
		return left, err
	}
	return operand{conditionOperand, Condition{Column: left.Column, Op: op}}, r.expect("null")
}

// maxDepth bounds parentheses in parentheses.
const maxDepth = 32

// primary reads a column, a value, or anything in parentheses.
func (r *reader) primary() (operand, error) {
	if r.depth++; r.depth > maxDepth {
		return operand{}, unsupported("nesting of that depth", r.tok.pos)
	}
	defer func() { r.depth-- }()
	at := r.tok.pos
	var n operand
	var err error
	switch {
	case r.is("("):
		n, err = r.parenthesis()
	case r.tok.kind == nameToken, r.tok.kind == wordToken && !slices.Contains(valueWords, r.tok.text):
		n.kind = columnOperand
		n.Column, err = r.name()
	default:
		n.kind = valueOperand
		n.Value, err = r.constant()
	}
	for err == nil && r.is("::") {
		if n.kind != valueOperand {
			return n, unsupported("a cast of a column", at)
		}
		err = r.cast()
	}
	return n, err
}

// valueWords begin values; other words are columns.
var valueWords = []string{"null", "array", "default"}

// parenthesis reads (operand), or (SELECT null::type) by which EXPLAIN gets a value that the planner does not know yet.
func (r *reader) parenthesis() (n operand, err error) {
	if err = r.advance(); err != nil {
		return n, err
	}
	if r.is("select") {
		if err = r.expect("select null ::"); err == nil {
			err = r.typeName()
		}
		n = operand{valueOperand, Condition{Value: Value{Kind: Null}}}
	} else {
		n, err = r.operand()
	}
	if err != nil {
		return n, err
	}
	return n, r.expect(")")
}

// constant reads a literal, a parameter or a list.
func (r *reader) constant() (Value, error) {
	v := Value{Pos: r.tok.pos, Text: r.tok.text}
	switch {
	case r.tok.kind == stringToken, r.tok.kind == numberToken:
	case r.tok.kind == paramToken:
		n, err := strconv.ParseUint(r.tok.text, 10, 16)
		if err != nil || n == 0 {
			return v, r.unexpected()
		}
		v.Param = int(n)
		r.params = max(r.params, v.Param)
	case r.is("-"):
		if err := r.advance(); err != nil || r.tok.kind != numberToken {
			return v, r.unexpected()
		}
		v.Text += r.tok.text
	case r.is("null"):
		v.Kind = Null
	case r.is("default"):
		v.Kind = Default
	case r.is("array"):
		if err := r.advance(); err != nil {
			return v, err
		}
		list, err := r.values("[", "]")
		v.Kind, v.List = List, list
		return v, err
	default:
		return v, r.unexpected()
	}
	return v, r.advance()
}

// values reads values between two signs.
func (r *reader) values(open, closing string) ([]Value, error) {
	if err := r.expect(open); err != nil {
		return nil, err
	}
	all, err := list(r, func() (Value, error) {
		n, err := r.primary()
		if err == nil && (n.kind != valueOperand || n.Value.Kind == List && closing == "]") {
			err = r.unexpected()
		}
		return n.Value, err
	})
	if err != nil {
		return nil, err
	}
	return all, r.expect(closing)
}

// typeNames are the types that values may be cast to: of all of them the text stays what it is.
var typeNames = []string{"text", "bigint", "integer", "uuid", "varchar", "int4", "int8"}

// cast reads ::type.
func (r *reader) cast() error {
	if err := r.advance(); err != nil {
		return err
	}
	return r.typeName()
}

func (r *reader) typeName() error {
	at := r.tok.pos
	word, err := r.word()
	if err == nil && word == "character" {
		word = "varchar"
		err = r.expect("varying")
	}
	if err != nil {
		return err
	}
	if !slices.Contains(typeNames, word) || r.is("(") {
		return unsupported("that type", at)
	}
	if r.is("[") {
		return r.expect("[ ]")
	}
	return nil
}
