package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/risk"
)

// field is a column of the patients' table: a number as it is, or a category as its rank, the most frequent first.
type field struct {
	column risk.Column
	kind   risk.Kind
	index  int
	facts  risk.Facts
	values string // expression of its values in the table of the replica
}

// name names the field in the patients' table, and the temporary table with its categories.
func (f *field) name() string { return fmt.Sprintf("q%d", f.index) }

// none is the number that stands for no value.
const none = "(-2147483648)"

// maxFields bounds the columns of the patients' table; sets of them are the bits of a bigint.
const maxFields = 60

// codesPerPatient is how many rows a table may have for each of its patients, so that its columns describe persons. What
// patients have many of are codes.
const codesPerPatient = 2

// readPeople makes a temporary table with a row for each patient.
func (s *surveyor) readPeople(ctx context.Context) error {
	columns, omitted, err := risk.Choose(s.cfg, s.Choice)
	if err != nil {
		return fault.New("choose quasi-identifiers", err, "correct the flags, or risk.columns and risk.ignore of the configuration")
	}
	s.report.Omitted = omitted
	for _, table := range tablesOf(columns) {
		if err := s.readTable(ctx, table, columns); err != nil {
			return err
		}
	}
	s.quasi = len(s.fields)
	if s.quasi == 0 {
		return fault.New("choose quasi-identifiers", errors.New("the replica publishes none"), "nothing has to be measured; or name columns")
	}
	if err := s.addSensitive(); err != nil {
		return err
	}
	if len(s.fields) > maxFields {
		return fault.New("choose quasi-identifiers", fmt.Errorf("%d columns are too many (at most %d)", len(s.fields), maxFields),
			"name those that somebody could know of a person: risk.columns, or --columns")
	}
	return s.joinPeople(ctx)
}

// tablesOf returns the tables of columns, each once.
func tablesOf(columns []risk.Column) []*config.Table {
	var tables []*config.Table
	for _, c := range columns {
		if !slices.Contains(tables, c.Table) {
			tables = append(tables, c.Table)
		}
	}
	return tables
}

// readTable takes the columns of a table for fields, or, where patients have many rows, for codes.
func (s *surveyor) readTable(ctx context.Context, t *config.Table, columns []risk.Column) error {
	types, err := s.typesOf(ctx, t)
	if err != nil {
		return err
	}
	var patients, rows int64
	if err := s.tx.QueryRow(ctx, shapeStatement(s.places, t)).Scan(&patients, &rows); err != nil {
		return err
	}
	for _, c := range columns {
		if c.Table != t {
			continue
		}
		typ, ok := types[c.Name]
		if !ok {
			return fault.New("look at table "+t.FullName(), fmt.Errorf("the replica has no column %s", c.Name), "run 'pgdeid migrate up'")
		}
		f := newField(c, typ, len(s.fields))
		switch {
		case patients == 0:
			s.report.Omitted = append(s.report.Omitted, risk.Omitted{Column: c.ID(), Why: "no rows"})
		case rows <= codesPerPatient*patients:
			s.fields = append(s.fields, f)
		default:
			if err := s.countCodes(ctx, &f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *surveyor) typesOf(ctx context.Context, t *config.Table) (map[string]string, error) {
	rows, err := s.tx.Query(ctx, "select attname::text, format_type(atttypid, null) from pg_attribute "+
		"where attrelid = $1::regclass and attnum > 0 and not attisdropped", s.places.Rows(t))
	if err != nil {
		return nil, err
	}
	types := map[string]string{}
	var name, typ string
	_, err = pgx.ForEachRow(rows, []any{&name, &typ}, func() error { types[name] = typ; return nil })
	return types, err
}

// newField decides how a column of a type is read.
func newField(c risk.Column, typ string, index int) field {
	f := field{column: c, kind: risk.Category, index: index}
	value := pgx.Identifier{c.Name}.Sanitize()
	if c.Path != "" {
		value, typ = pathExpression(value, c.Path), "text"
	}
	f.values = value + "::text"
	isNumber := slices.Contains([]string{"smallint", "integer", "bigint", "numeric", "real", "double precision"}, typ)
	switch {
	case c.Publish == config.ShiftDate && config.IsDate(typ):
		f.kind, f.values = risk.Number, "extract(year from "+value+")::bigint"
	case c.Publish == config.ShiftDate, c.Publish == config.Year && !isNumber:
		f.kind, f.values = risk.Number, "substring("+value+"::text from '[12][0-9]{3}')::bigint"
	case (c.Publish == config.Year || c.Publish == config.AgeCap) && isNumber:
		f.kind, f.values = risk.Number, value+"::bigint"
	}
	return f
}

// addSensitive adds the columns of which classes should have many values; they are taken out of the quasi-identifiers.
func (s *surveyor) addSensitive() error {
	var sensitive []field
	for _, id := range s.Sensitive {
		at := slices.IndexFunc(s.fields, func(f field) bool { return f.column.ID() == id })
		if at < 0 {
			return fault.New("choose sensitive columns", fmt.Errorf("%s is no column of the replica that describes patients by one value each", id),
				"correct --sensitive, or risk.sensitive of the configuration")
		}
		sensitive = append(sensitive, s.fields[at])
		s.fields = slices.Delete(s.fields, at, at+1)
	}
	s.quasi = len(s.fields)
	s.fields = append(s.fields, sensitive...)
	for i := range s.fields {
		s.fields[i].index = i
	}
	return nil
}

// joinPeople makes the tables: values by table, values of all tables, categories, and patients.
func (s *surveyor) joinPeople(ctx context.Context) error {
	var tables []*config.Table
	for _, f := range s.fields {
		if !slices.Contains(tables, f.column.Table) {
			tables = append(tables, f.column.Table)
		}
	}
	for i, t := range tables {
		if _, err := s.tx.Exec(ctx, valuesStatement(s.places, t, i, s.fields)); err != nil {
			return fault.New("read table "+t.FullName(), err, "")
		}
	}
	statements := []string{wideStatement(len(tables), s.fields)}
	for i := range s.fields {
		if f := &s.fields[i]; f.kind == risk.Category {
			statements = append(statements, categoriesStatement(f))
		}
	}
	statements = append(statements, peopleStatement(s.fields), "analyze pgdeid_risk_people")
	for _, statement := range statements {
		if _, err := s.tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// shapeStatement counts the patients of a table and their rows.
func shapeStatement(p Places, t *config.Table) string {
	return fmt.Sprintf("select count(*), coalesce(sum(n), 0)::bigint from (select count(*) n from %s where %s <> '' group by %[2]s) x",
		p.Rows(t), p.Owner)
}

// valuesStatement reads one row for each patient of a table: of several categories all, of several numbers the smallest.
func valuesStatement(p Places, t *config.Table, index int, fields []field) string {
	var list []string
	for _, f := range fields {
		switch {
		case f.column.Table != t:
		case f.kind == risk.Number:
			list = append(list, fmt.Sprintf("min(%s) as %s", f.values, f.name()))
		default:
			list = append(list, fmt.Sprintf("case when min(%[1]s) = max(%[1]s) then min(%[1]s) else string_agg(distinct %[1]s, chr(31) order by %[1]s) end as %[2]s",
				f.values, f.name()))
		}
	}
	return fmt.Sprintf("create temp table pgdeid_risk_values%d on commit drop as select %s as owner, %s from %s where %[2]s <> '' group by 1",
		index, p.Owner, strings.Join(list, ", "), p.Rows(t))
}

// wideStatement puts the values of all tables into one row for each patient.
func wideStatement(tables int, fields []field) string {
	var names, owners, joins []string
	for i := range fields {
		names = append(names, fields[i].name())
	}
	for i := range tables {
		owners = append(owners, fmt.Sprintf("select owner from pgdeid_risk_values%d", i))
		joins = append(joins, fmt.Sprintf(" left join pgdeid_risk_values%d using (owner)", i))
	}
	return fmt.Sprintf("create temp table pgdeid_risk_wide on commit drop as select %s from (%s) o%s",
		strings.Join(names, ", "), strings.Join(owners, " union "), strings.Join(joins, ""))
}

// categoriesStatement ranks the categories of a field by how many patients have them. No value is a category.
func categoriesStatement(f *field) string {
	return fmt.Sprintf("create temp table pgdeid_risk_%s on commit drop as "+
		"select v, n, row_number() over (order by n desc, v)::int as code from "+
		"(select coalesce(%[1]s, chr(30)) as v, count(*) as n from pgdeid_risk_wide group by 1) x", f.name())
}

// peopleStatement replaces values by numbers.
func peopleStatement(fields []field) string {
	var list, joins []string
	for i := range fields {
		f := &fields[i]
		if f.kind == risk.Number {
			list = append(list, fmt.Sprintf("coalesce(least(greatest(w.%s, -1000000000), 1000000000)::int, %s) as %[1]s", f.name(), none))
			continue
		}
		list = append(list, fmt.Sprintf("c%d.code as %s", f.index, f.name()))
		joins = append(joins, fmt.Sprintf(" join pgdeid_risk_%s c%d on c%[2]d.v = coalesce(w.%[1]s, chr(30))", f.name(), f.index))
	}
	return fmt.Sprintf("create temp table pgdeid_risk_people on commit drop as select row_number() over ()::int as id, %s from pgdeid_risk_wide w%s",
		strings.Join(list, ", "), strings.Join(joins, ""))
}

// sizesStatement counts classes by their size.
func sizesStatement(by []string) string {
	group := ""
	if len(by) > 0 {
		group = " group by " + strings.Join(by, ", ")
	}
	return "select n, count(*) from (select count(*) as n from pgdeid_risk_people" + group + ") x group by n order by n"
}
