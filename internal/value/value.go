// Package value has values of PostgreSQL in text form: single ones, lists and rows.
package value

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Type is the OID of a type of PostgreSQL's.
type Type uint32

// The types of columns.
const (
	Int8     Type = 20
	Int4     Type = 23
	Text     Type = 25
	TextList Type = 1009
)

// Size is the type's length in bytes, -1 where it varies.
func (t Type) Size() int16 {
	switch t {
	case Int4:
		return 4
	case Int8:
		return 8
	}
	return -1
}

// Datum is a value: a text or, of a [TextList], elements.
type Datum struct {
	phi.Redacted

	Text string
	List []Datum
	Null bool
}

// Null is no value.
var Null = Datum{Null: true}

// Bytes is what a Datum takes besides its text.
const Bytes = 48

// Size is what a value takes.
func (d *Datum) Size() int64 {
	n := int64(Bytes + len(d.Text))
	for i := range d.List {
		n += d.List[i].Size()
	}
	return n
}

// Row has a value for each column of a table.
type Row []Datum

// Size is what a row takes.
func (r Row) Size() int64 {
	var n int64
	for i := range r {
		n += r[i].Size()
	}
	return n
}

// HasAll reports whether a row has one of the values of each column that has some; nil means any.
func (r Row) HasAll(values [][]Datum) bool {
	for i, list := range values {
		if list != nil && (r[i].Null || !slices.ContainsFunc(list, func(d Datum) bool { return d.Text == r[i].Text })) {
			return false
		}
	}
	return true
}

// Holds reports whether an operator accepts an order of its sides.
func Holds(op string, order int) bool {
	switch op {
	case "<>":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return order == 0
}

// Compare orders two values: numbers by  Of texts only equality counts.
func Compare(a, b Datum, typ Type) int {
	if typ == Text {
		return cmp.Compare(a.Text, b.Text)
	}
	x, _ := strconv.ParseInt(a.Text, 10, 64) // numbers were read before
	y, _ := strconv.ParseInt(b.Text, 10, 64)
	return cmp.Compare(x, y)
}
