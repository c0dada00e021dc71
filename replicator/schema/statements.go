package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/sql/research"
)

// Statements are the SQL texts that write one table. Values come as arrays of
// texts, one array for each column, and are cast in the statement: one round trip
// and one plan whatever the number of rows.
type Statements struct {
	Table  string
	Names  []string // published columns, quoted, and behind them that of hashed keys where rows are identified by it
	casts  []string // "u.c0::bigint"
	isKey  []bool
	isText []bool
	Keys   []int  // of Names: what identifies rows, in the order of the primary key
	Owned  bool   // rows have a column with their patient, whose values come last
	Insert string // for rows that the replica does not have
	Upsert string
	Remove string
	// Release is nil where rows become visible as they are written.
	Release *ReleaseStatements
}

// NewStatements writes the statements of a table.
func NewStatements(t *Table) Statements {
	s := Statements{Table: t.Rows(), Owned: t.HasPatient()}
	for i, c := range t.Publish {
		col := t.Columns[c]
		s.Names = append(s.Names, Quote(col.Name))
		s.casts = append(s.casts, fmt.Sprintf("u.c%d::%s", i, col.Replica))
		s.isKey, s.isText = append(s.isKey, t.Identifies(c)), append(s.isText, col.Publish == config.Text)
	}
	if t.Hashed {
		n := len(t.Publish)
		s.Names, s.casts = append(s.Names, Quote(research.KeyColumn)), append(s.casts, fmt.Sprintf("u.c%d::uuid", n))
		s.isKey, s.isText, s.Keys = append(s.isKey, true), append(s.isText, false), []int{n}
	}
	for _, k := range t.Key {
		for i, c := range t.Publish {
			if c == k && s.isKey[i] {
				s.Keys = append(s.Keys, i)
			}
		}
	}
	var onConflict string
	s.Insert, onConflict = s.writeInsert()
	s.Upsert, s.Remove = s.Insert+onConflict, s.writeRemove()
	return s
}

// Arrays writes "unnest($1::text[], $2::text[]) u(c0, c1)" for the columns want.
func (s *Statements) Arrays(want []int) string {
	return arrays(want, false)
}

// given writes what Arrays does, and an array of the rows' patients where they have one.
func (s *Statements) given(want []int) string { return arrays(want, s.Owned) }

func arrays(want []int, owned bool) string {
	params, names := numbered(want, owned)
	return fmt.Sprintf("unnest(%s) u(%s)", params, names)
}

func numbered(want []int, owned bool) (params, names string) {
	var p, n []string
	for at, i := range want {
		p, n = append(p, fmt.Sprintf("$%d::text[]", at+1)), append(n, fmt.Sprintf("c%d", i))
	}
	if owned {
		p, n = append(p, fmt.Sprintf("$%d::text[]", len(want)+1)), append(n, "patient")
	}
	return strings.Join(p, ", "), strings.Join(n, ", ")
}

// All returns the indexes of all published columns.
func (s *Statements) All() []int {
	all := make([]int, len(s.Names))
	for i := range all {
		all[i] = i
	}
	return all
}

// writeInsert also writes what has the statement write over rows that are there.
func (s *Statements) writeInsert() (insert, onConflict string) {
	columns, values := slices.Clone(s.Names), slices.Clone(s.casts)
	var set []string
	for i, name := range s.Names {
		if !s.isKey[i] {
			set = append(set, name+" = excluded."+name)
		}
	}
	if s.Owned {
		columns, values = append(columns, research.PatientColumn), append(values, "u.patient")
		set = append(set, research.PatientColumn+" = excluded."+research.PatientColumn)
	}
	action := "nothing"
	if len(set) > 0 {
		action = "update set " + strings.Join(set, ", ")
	}
	insert = fmt.Sprintf("insert into %s (%s) select %s from %s", s.Table, strings.Join(columns, ", "), strings.Join(values, ", "), s.given(s.All()))
	return insert, fmt.Sprintf(" on conflict (%s) do %s", s.KeyNames(""), action)
}

// Match writes the condition that compares the keys of t and u.
func (s *Statements) Match() string {
	return joined(s.Keys, " and ", func(_, i int) string { return fmt.Sprintf("t.%s = %s", s.Names[i], s.casts[i]) })
}

func (s *Statements) writeRemove() string {
	return fmt.Sprintf("delete from %s t using %s where %s", s.Table, s.Arrays(s.Keys), s.Match())
}

// Stale writes the query that reads which rows there are of those whose columns want (which hold the key)
// are given, and their patients: the key, and "t" if anything of it is to be written. A row of which versions
// wait for their release always is: what is released may have another text.
func (s *Statements) Stale(want []int) string {
	differs := s.differs(want)
	if s.Release != nil {
		waits := joined(s.Keys, " and ", func(_, i int) string { return fmt.Sprintf("w.%[1]s = t.%[1]s", s.Names[i]) })
		differs = append(differs, fmt.Sprintf("exists (select from %s w where %s)", s.Release.Waiting, waits))
	}
	return fmt.Sprintf("select %s, %s from %s t join %s on %s", s.KeyTexts(), strings.Join(differs, " or "),
		s.Table, s.given(want), s.Match())
}

// differs writes conditions of which one holds where a column of want, or the patient, differs.
func (s *Statements) differs(want []int) []string {
	list := []string{"false"}
	for _, i := range want {
		if !s.isKey[i] { // as texts: not all types can be compared
			list = append(list, fmt.Sprintf("t.%s::text is distinct from (%s)::text", s.Names[i], s.casts[i]))
		}
	}
	if s.Owned {
		list = append(list, fmt.Sprintf("t.%s is distinct from u.patient", research.PatientColumn))
	}
	return list
}

// KeyNames lists the names of the columns that tell rows apart, quoted; each behind prefix.
func (s *Statements) KeyNames(prefix string) string {
	return joined(s.Keys, ", ", func(_, i int) string { return prefix + s.Names[i] })
}

// KeyTexts lists the same columns of t as texts, which a char(n) is without the blanks that fill it up.
func (s *Statements) KeyTexts() string {
	return joined(s.Keys, ", ", func(_, i int) string { return "t." + s.Names[i] + "::text" })
}

// Alike writes the query that reads the keys of those rows whose columns want (which hold the key) and patients are
// as given.
func (s *Statements) Alike(want []int) string {
	return fmt.Sprintf("select %s from %s t join %s on %s where not (%s)", s.KeyNames("t."), s.Table, s.given(want), s.Match(),
		strings.Join(s.differs(want), " or "))
}

// Update writes the statement that sets the columns want (which hold the key) of
// rows that are there, and their patient; "" if that is nothing but the key.
func (s *Statements) Update(want []int) string {
	var set []string
	for _, i := range want {
		if !s.isKey[i] {
			set = append(set, s.Names[i]+" = "+s.casts[i])
		}
	}
	if s.Owned {
		set = append(set, research.PatientColumn+" = u.patient")
	}
	if len(set) == 0 {
		return ""
	}
	return fmt.Sprintf("update %s t set %s from %s where %s", s.Table, strings.Join(set, ", "), s.given(want), s.Match())
}

// Compare writes the query that compares rows with those that are there: it returns the place of
// each row, counted from 1, that is there under its key, and whether all of its values are the same. Of texts it
// compares only whether there is one. Values are compared as they are written, since some types know no equality.
func (s *Statements) Compare() string {
	params, names := numbered(s.All(), s.Owned)
	same := []string{"true"}
	for i, name := range s.Names {
		switch {
		case s.isKey[i]:
		case s.isText[i]:
			same = append(same, fmt.Sprintf("(t.%s is null) = (u.c%d is null)", name, i))
		default:
			same = append(same, fmt.Sprintf("t.%s::text is not distinct from (%s)::text", name, s.casts[i]))
		}
	}
	if s.Owned {
		same = append(same, "t."+research.PatientColumn+" is not distinct from u.patient")
	}
	return fmt.Sprintf("select u.place, %s from unnest(%s) with ordinality u(%s, place) join %s t on %s",
		strings.Join(same, " and "), params, names, s.Table, s.Match())
}
