package replicator

import (
	"fmt"
	"slices"
	"strings"
)

// statements are the SQL texts that write one table. Values come as arrays of
// texts, one array for each column, and are cast in the statement: one round trip
// and one plan whatever the number of rows.
type statements struct {
	table  string
	names  []string // published columns, quoted
	casts  []string // "u.c0::bigint"
	isKey  []bool
	keys   []int // of the published columns, in the order of the primary key
	upsert string
	remove string
	// release is nil where rows become visible as they are written.
	release *releaseStatements
}

func newStatements(t *table) statements {
	s := statements{table: t.rows()}
	for i, c := range t.publish {
		col := t.columns[c]
		s.names = append(s.names, quote(col.Name))
		s.casts = append(s.casts, fmt.Sprintf("u.c%d::%s", i, col.replica))
		s.isKey = append(s.isKey, slices.Contains(t.key, c))
	}
	for _, k := range t.key {
		for i, c := range t.publish {
			if c == k {
				s.keys = append(s.keys, i)
			}
		}
	}
	s.upsert, s.remove = s.writeUpsert(), s.writeRemove()
	return s
}

// arrays writes "unnest($1::text[], $2::text[]) u(c0, c1)" for the columns want.
func (s *statements) arrays(want []int) string {
	params, names := make([]string, len(want)), make([]string, len(want))
	for n, i := range want {
		params[n] = fmt.Sprintf("$%d::text[]", n+1)
		names[n] = fmt.Sprintf("c%d", i)
	}
	return fmt.Sprintf("unnest(%s) u(%s)", strings.Join(params, ", "), strings.Join(names, ", "))
}

func (s *statements) all() []int {
	all := make([]int, len(s.names))
	for i := range all {
		all[i] = i
	}
	return all
}

func (s *statements) writeUpsert() string {
	var keys, set []string
	for _, i := range s.keys {
		keys = append(keys, s.names[i])
	}
	for i, name := range s.names {
		if !s.isKey[i] {
			set = append(set, name+" = excluded."+name)
		}
	}
	action := "nothing"
	if len(set) > 0 {
		action = "update set " + strings.Join(set, ", ")
	}
	return fmt.Sprintf("insert into %s (%s) select %s from %s on conflict (%s) do %s", s.table,
		strings.Join(s.names, ", "), strings.Join(s.casts, ", "), s.arrays(s.all()), strings.Join(keys, ", "), action)
}

func (s *statements) match() string {
	parts := make([]string, len(s.keys))
	for n, i := range s.keys {
		parts[n] = fmt.Sprintf("t.%s = %s", s.names[i], s.casts[i])
	}
	return strings.Join(parts, " and ")
}

func (s *statements) writeRemove() string {
	return fmt.Sprintf("delete from %s t using %s where %s", s.table, s.arrays(s.keys), s.match())
}

// update writes the statement that sets the columns want (which hold the key) of
// rows that are there; "" if that are none but the key.
func (s *statements) update(want []int) string {
	var set []string
	for _, i := range want {
		if !s.isKey[i] {
			set = append(set, s.names[i]+" = "+s.casts[i])
		}
	}
	if len(set) == 0 {
		return ""
	}
	return fmt.Sprintf("update %s t set %s from %s where %s", s.table, strings.Join(set, ", "), s.arrays(want), s.match())
}
