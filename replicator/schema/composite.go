package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
)

// A patient, or a row on the path to one, may be named by several columns together, such as a site and a number there.
// The table then has one column more, behind those of the source, whose value is made of theirs: see [Table.Compose].
// Queries name its parts.

// reference returns the index of the column that holds a key of these columns, which it adds where they are several.
func (t *Table) reference(names []string) int {
	if len(names) == 1 {
		return t.ColumnIndex(names[0])
	}
	name := "(" + strings.Join(names, ", ") + ")"
	if i := t.ColumnIndex(name); i >= 0 {
		return i
	}
	col := Column{Column: config.Column{Name: name, Publish: config.Drop}, Typ: "text"}
	for _, n := range names {
		col.Parts = append(col.Parts, t.ColumnIndex(n))
	}
	t.Columns = append(t.Columns, col)
	return len(t.Columns) - 1
}

// real returns the columns that the source has.
func (t *Table) real() []Column {
	n := len(t.Columns)
	for n > 0 && t.Columns[n-1].Parts != nil {
		n--
	}
	return t.Columns[:n]
}

// parts returns the columns of the source that column i is made of.
func (t *Table) parts(i int) []int {
	if parts := t.Columns[i].Parts; parts != nil {
		return parts
	}
	return []int{i}
}

// InKey reports whether the whole of column i belongs to the primary key.
func (t *Table) InKey(i int) bool {
	return !slices.ContainsFunc(t.parts(i), func(part int) bool { return !slices.Contains(t.Key, part) })
}

// Compose fills in the values that are made of several of row.
func (t *Table) Compose(row []Value) {
	for i := range t.Columns {
		if parts := t.Columns[i].Parts; parts != nil {
			row[i] = t.compose(row, parts)
		}
	}
}

func (t *Table) compose(row []Value, parts []int) Value {
	texts := make([]string, len(parts))
	for n, part := range parts {
		if row[part].State != Present {
			return Value{State: row[part].State}
		}
		texts[n] = t.Columns[part].inKey(row[part].Text)
	}
	return Value{Text: RowKey(texts), State: Present}
}

// inKey returns a value as it is written where it is compared with others of its kind: 7 and 7.0 are one number.
func (c *Column) inKey(text string) string {
	if whole, zeros, found := strings.Cut(text, "."); found && c.Typ == "numeric" && strings.Trim(zeros, "0") == "" {
		return whole
	}
	return text
}

// List names the columns of a target in a query where its table has an alias.
func (to Target) List(alias string) string {
	var names []string
	for _, part := range to.Table.parts(to.Column) {
		names = append(names, alias+"."+Quote(to.Table.Columns[part].Name))
	}
	return strings.Join(names, ", ")
}

// Width returns how many columns a target is made of.
func (to Target) Width() int { return len(to.Table.parts(to.Column)) }

// Read returns the value that the first columns of a row of [Target.List] make; false where one is NULL.
func (to Target) Read(raw [][]byte) (string, bool) {
	parts := to.Table.parts(to.Column)
	texts := make([]string, len(parts))
	for n, part := range parts {
		if raw[n] == nil {
			return "", false
		}
		texts[n] = to.Table.Columns[part].Read(raw[n])
		if len(parts) > 1 {
			texts[n] = to.Table.Columns[part].inKey(texts[n])
		}
	}
	if len(parts) == 1 {
		return texts[0], true
	}
	return RowKey(texts), true
}

// In writes the condition that finds rows with values that [Target.Args] makes parameters of, from $first on. Where a
// target is made of several columns it finds others too, with parts of different values: each part can be compared
// on its own at a foreign server, and through an index.
func (to Target) In(alias string, first int) string {
	var conditions []string
	for n, part := range to.Table.parts(to.Column) {
		col := &to.Table.Columns[part]
		conditions = append(conditions, fmt.Sprintf("%s.%s = any($%d::%s)", alias, Quote(col.Name), first+n, ArrayType(col.Typ)))
	}
	return strings.Join(conditions, " and ")
}

// Args returns the parameters of [Target.In]. Values that no row can have are left out.
func (to Target) Args(values []string) []any {
	parts := to.Table.parts(to.Column)
	lists := make([][]string, len(parts))
	for _, v := range values {
		texts, ok := to.Split(v)
		if !ok {
			continue
		}
		for n := range parts {
			lists[n] = append(lists[n], texts[n])
		}
	}
	args := make([]any, len(parts))
	for n, list := range lists {
		slices.Sort(list)
		args[n] = ArrayLiteral(slices.Compact(list))
	}
	return args
}

// Split returns the values of the columns that a target is made of; false for a value that no row can have.
func (to Target) Split(value string) ([]string, bool) {
	parts := to.Table.parts(to.Column)
	texts := []string{value}
	if len(parts) > 1 && (json.Unmarshal([]byte(value), &texts) != nil || len(texts) != len(parts)) {
		return nil, false
	}
	for n, part := range parts {
		if ok, known := Fits(to.Table.Columns[part].Typ, texts[n]); known && !ok {
			return nil, false
		}
	}
	return texts, true
}

// Via is what of a table's rows leads to their patient: a column, or what is in its documents or references.
type Via struct {
	Target
	divided bool // it is the patient key in the map of [Table.divided]
}

// Leads returns what of t's rows leads to their patient.
func (t *Table) Leads() Via { return Via{Target: Target{t, t.Via}} }

// List is that of [Target], or writes the expression that finds the key.
func (v Via) List(alias string) string {
	switch own := v.Table.ownKey(); {
	case v.divided:
		return alias + "." + mapPatient
	case own != nil:
		return fmt.Sprintf("case when %s then %s end", own.SQL(alias), v.Target.List(alias))
	case v.Table.Patient.Direct():
		return v.Target.List(alias)
	}
	return v.Table.Patient.Expression(alias+"."+Quote(v.Table.Patient.Column), v.Table.viaType)
}

// Read is that of [Target].
func (v Via) Read(raw [][]byte) (string, bool) {
	if v.Table.Patient.Direct() && !v.divided {
		return v.Target.Read(raw)
	}
	return string(raw[0]), raw[0] != nil
}

// In is that of [Target].
func (v Via) In(alias string, first int) string {
	switch own := v.Table.ownKey(); {
	case v.divided:
	case own != nil:
		return v.Target.In(alias, first) + " and " + own.SQL(alias)
	case v.Table.Patient.Direct():
		return v.Target.In(alias, first)
	}
	return fmt.Sprintf("%s = any($%d::%s)", v.List(alias), first, ArrayType(v.typ()))
}

// keyed returns the patient key in a query, and the condition for the rows that have one: apart, so that an index on the key's
// column serves where the query is for some patients.
func (v Via) keyed(alias string) (key, condition string) {
	if own := v.Table.ownKey(); own != nil && !v.divided {
		return v.Target.List(alias), own.SQL(alias)
	}
	key = v.List(alias)
	return key, "(" + key + ") is not null"
}

// typ returns the type of what the expression finds.
func (v Via) typ() string {
	if v.divided {
		return v.Table.holder.SQLType()
	}
	return v.Table.viaType
}

// ownKey returns the condition for the rows whose column is the patient key, where the others lead to no patient.
func (t *Table) ownKey() *config.Condition {
	if t.Patient.Divides() {
		return nil
	}
	return t.Patient.When
}

// Args is that of [Target].
func (v Via) Args(values []string) []any {
	if v.Table.Patient.Direct() && !v.divided {
		return v.Target.Args(values)
	}
	fit := slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		ok, known := Fits(v.typ(), value)
		return known && !ok
	})
	return []any{ArrayLiteral(fit)}
}
