package statement

import (
	"slices"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// selection reads what follows SELECT.
func (r *reader) selection() *Selection {
	s := &Selection{Items: list(r, r.item)}
	r.expect("from")
	s.Table = r.table()
	s.Where = r.where()
	if r.skip("order") {
		r.expect("by")
		s.Order = list(r, r.orderingColumn)
	}
	if r.skip("limit") {
		limit := r.value()
		s.Limit = &limit
	}
	return s
}

// list reads what commas separate, each by read, and takes the memory of each before.
func list[T any](r *reader, read func() T) []T {
	var all []T
	for more := true; more; more = r.skip(",") {
		r.reserve()
		all = append(all, read())
	}
	return all
}

// item reads an item of SELECT or RETURNING.
func (r *reader) item() Item {
	if r.is("*") {
		it := Item{Kind: All, Name: Name{Pos: r.tok.pos}}
		r.advance()
		return it
	}
	bare := r.tok.kind == wordToken
	n := r.name()
	switch {
	case bare && n.Text == "null":
		return Item{n, NullItem}
	case bare && n.Text == "count" && r.is("("):
		r.expect("( * )")
		return Item{n, Count}
	}
	return Item{n, Column}
}

// schemaName is the schema of the tables.
const schemaName = "deid"

// table reads a table's name, with the schema or without.
func (r *reader) table() Name {
	n := r.name()
	if !r.is(".") {
		return n
	}
	if n.Text != schemaName {
		r.refuse("that schema", n.Pos)
	}
	r.advance()
	return r.name()
}

// orderingColumn reads a column of ORDER BY with its direction.
func (r *reader) orderingColumn() Ordering {
	o := Ordering{Name: r.name()}
	o.Descending = r.is("desc")
	if o.Descending || r.is("asc") {
		r.advance()
	}
	o.NullsFirst = o.Descending
	if r.skip("nulls") {
		o.NullsFirst = r.skip("first")
		if !o.NullsFirst {
			r.expect("last")
		}
	}
	return o
}

// where reads conditions that AND joins.
func (r *reader) where() []Condition {
	if !r.is("where") {
		return nil
	}
	var list []Condition
	for more := true; more; more = r.is("and") {
		r.advance() // WHERE or AND
		r.reserve()
		n := r.operand()
		if n.kind != conditionOperand {
			r.unexpected()
		}
		list = append(list, n.Condition)
	}
	return list
}

// operand is a part of a condition, or all of one.
type operand struct {
	phi.Redacted

	kind operandKind
	Condition
}

type operandKind byte

const (
	columnOperand operandKind = iota
	valueOperand
	conditionOperand
)

func condition(column Name, op string, v Value) operand {
	return operand{kind: conditionOperand, Condition: Condition{Column: column, Op: op, Value: v}}
}

// flipped are operators with their sides exchanged.
var flipped = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// operand reads a column or value, and what it is compared with.
func (r *reader) operand() operand {
	left := r.primary()
	column := left.kind == columnOperand
	switch {
	case left.kind == conditionOperand:
		return left
	case r.tok.kind == signToken && flipped[r.tok.text] != "":
		return r.comparison(left)
	case column && r.is("is"):
		r.advance()
		op := "null"
		if r.skip("not") {
			op = "not null"
		}
		r.expect("null")
		return condition(left.Column, op, Value{})
	case column && r.is("in"):
		r.advance()
		at := r.tok.pos
		return condition(left.Column, "any", Value{Pos: at, Kind: List, List: r.values("(", ")")})
	}
	return left
}

// comparison reads an operator and what is behind it, = ANY (list) among it.
func (r *reader) comparison(left operand) operand {
	op, at := flipped[flipped[r.tok.text]], r.tok.pos
	r.advance()
	if left.kind == columnOperand && op == "=" && r.is("any") {
		r.expect("any (")
		all := condition(left.Column, "any", r.value())
		r.expect(")")
		return all
	}
	right := r.primary()
	switch {
	case left.kind == columnOperand && right.kind == valueOperand:
		return condition(left.Column, op, right.Value)
	case left.kind == valueOperand && right.kind == columnOperand:
		return condition(right.Column, flipped[op], left.Value)
	}
	r.refuse("that comparison", at)
	return left
}

// maxDepth bounds parentheses in parentheses.
const maxDepth = 32

// primary reads a column, a value, or anything in parentheses.
func (r *reader) primary() operand {
	if r.depth++; r.depth > maxDepth {
		r.refuse("nesting of that depth", r.tok.pos)
	}
	defer func() { r.depth-- }()
	at := r.tok.pos
	var n operand
	switch {
	case r.is("("):
		n = r.parenthesis()
	case r.tok.kind == nameToken, r.tok.kind == wordToken && !slices.Contains(valueWords, r.tok.text):
		n.Column = r.name()
	default:
		n.kind, n.Value = valueOperand, r.constant()
	}
	for r.is("::") {
		if n.kind != valueOperand {
			r.refuse("a cast of a column", at)
		}
		r.advance()
		r.typeName()
	}
	return n
}

// value reads a value.
func (r *reader) value() Value {
	n := r.primary()
	if n.kind != valueOperand {
		r.unexpected()
	}
	return n.Value
}

// valueWords begin values; other words are columns.
var valueWords = []string{"null", "array", "default"}

// parenthesis reads (operand), or (SELECT null::type) by which EXPLAIN gets a value that the planner does not know yet.
func (r *reader) parenthesis() (n operand) {
	r.advance()
	if r.is("select") {
		r.expect("select null ::")
		r.typeName()
		n.kind, n.Value.Kind = valueOperand, Null
	} else {
		n = r.operand()
	}
	r.expect(")")
	return n
}

// constant reads a literal, a parameter or a list.
func (r *reader) constant() Value {
	v := Value{Pos: r.tok.pos, Text: r.tok.text}
	switch {
	case r.tok.kind == stringToken, r.tok.kind == numberToken:
	case r.tok.kind == paramToken:
		n, err := strconv.ParseUint(r.tok.text, 10, 16)
		if err != nil || n == 0 {
			r.unexpected()
		}
		v.Param = int(n)
		r.params = max(r.params, v.Param)
	case r.skip("-"):
		v.Text += r.oneOf(numberToken)
		return v
	case r.is("null"):
		v.Kind = Null
	case r.is("default"):
		v.Kind = Default
	case r.is("array"):
		r.advance()
		v.Kind, v.List = List, r.values("[", "]")
		return v
	default:
		r.unexpected()
	}
	r.advance()
	return v
}

// values reads values between two signs. Lists hold no lists.
func (r *reader) values(open, closing string) []Value {
	r.expect(open)
	all := list(r, func() Value {
		v := r.value()
		if v.Kind == List && closing == "]" {
			r.unexpected()
		}
		return v
	})
	r.expect(closing)
	return all
}

// typeNames are the types that values may be cast to: of all of them the text stays what it is.
var typeNames = []string{"text", "bigint", "integer", "uuid", "varchar", "int4", "int8"}

// typeName reads a type.
func (r *reader) typeName() {
	at := r.tok.pos
	word := r.oneOf(wordToken)
	if word == "character" {
		word = "varchar"
		r.expect("varying")
	}
	if !slices.Contains(typeNames, word) || r.is("(") {
		r.refuse("that type", at)
	}
	if r.skip("[") {
		r.expect("]")
	}
}
