package survey

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// Register says how many people of a population have which values: census tables, for example.
type Register struct {
	names  []string // of columns
	rows   [][]string
	counts []int64
	people int64
}

// countColumn is the heading of the column that says how many people have the values of a line.
const countColumn = "count"

// maxRegister bounds the lines of a register.
const maxRegister = 5_000_000

// ReadRegister reads CSV whose first line names columns, by their last part or whole, and "count".
func ReadRegister(in io.Reader) (*Register, error) {
	r := csv.NewReader(in)
	head, err := r.Read()
	if err != nil {
		return nil, errors.New("the register has no first line with the names of columns")
	}
	head = slices.Clone(head)
	at := slices.Index(head, countColumn)
	if at < 0 || len(head) < 2 {
		return nil, fmt.Errorf("the register needs columns by which to compare, and one named %s", countColumn)
	}
	reg := &Register{names: slices.Delete(slices.Clone(head), at, at+1)}
	for line := 2; ; line++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return reg, nil
		}
		if err != nil || line > maxRegister {
			return nil, fmt.Errorf("line %d of the register: want as many values as in the first line, and at most %d lines", line, maxRegister)
		}
		n, err := strconv.ParseInt(record[at], 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("line %d of the register: %s is no whole number", line, countColumn)
		}
		reg.rows = append(reg.rows, slices.Delete(record, at, at+1))
		reg.counts = append(reg.counts, n)
		reg.people += n
	}
}

// load copies the register to the server and returns the fields of its columns, in its order.
func (r *Register) load(ctx context.Context, tx pgx.Tx, fields []field) ([]field, error) {
	by, err := r.match(fields)
	if err != nil {
		return nil, fault.New("read the register of the population", err, "name its columns as the quasi-identifiers of the report are named")
	}
	names := make([]string, len(by))
	for i := range by {
		names[i] = by[i].name()
	}
	statement := "create temp table pgdeid_risk_register (" + strings.Join(names, " text, ") + " text, n bigint) on commit drop"
	if _, err := tx.Exec(ctx, statement); err != nil {
		return nil, err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"pgdeid_risk_register"}, slices.Concat(names, []string{"n"}), pgx.CopyFromSlice(len(r.rows), func(i int) ([]any, error) {
		row := make([]any, 0, len(names)+1)
		for _, v := range r.rows[i] {
			row = append(row, v)
		}
		return append(row, r.counts[i]), nil
	}))
	return by, err
}

// match returns the fields that the register's columns name.
func (r *Register) match(fields []field) ([]field, error) {
	var by []field
	for _, name := range r.names {
		var found []field
		for _, f := range fields {
			if id := f.column.ID(); id == name || strings.HasSuffix(id, "."+name) {
				found = append(found, f)
			}
		}
		if len(found) != 1 {
			return nil, fmt.Errorf("%d quasi-identifiers are named %q", len(found), name)
		}
		by = append(by, found[0])
	}
	return by, nil
}

// registerStatement counts classes by their sizes in the replica and in the register. No value is written as an empty one.
func registerStatement(by []field) string {
	var values, names, equal []string
	for i := range by {
		name := by[i].name()
		values = append(values, fmt.Sprintf("coalesce(%s::text, '') as %[1]s", name))
		names = append(names, name)
		equal = append(equal, fmt.Sprintf("r.%s = s.%[1]s", name))
	}
	list := strings.Join(names, ", ")
	return fmt.Sprintf("with sample as (select %s, count(*) as n from (select %s from pgdeid_risk_wide) w group by %[1]s), "+
		"register as (select %[1]s, sum(n)::bigint as n from pgdeid_risk_register group by %[1]s) "+
		"select s.n, coalesce(r.n, 0)::bigint, count(*) from sample s left join register r on %[3]s group by 1, 2 order by 1, 2",
		list, strings.Join(values, ", "), strings.Join(equal, " and "))
}
