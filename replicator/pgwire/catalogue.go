package pgwire

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// catalogueRow is a row of one of PostgreSQL's own tables: values by the names of
// columns, or of the functions that psql calls on them.
type catalogueRow map[string]string

// knownCatalogues are the tables that rows can come from; others are empty.
var knownCatalogues = map[string]bool{
	"pg_class": true, "pg_namespace": true, "pg_attribute": true, "pg_database": true, "pg_roles": true, "pg_user": true,
	"pg_type": true, "information_schema.tables": true, "information_schema.columns": true, "pg_tables": true, "pg_settings": true,
}

// answer returns the rows of a query of PostgreSQL's own tables.
func (q *catalogueQuery) answer(e *env, params []datum) []row {
	var rows []row
	for _, r := range q.candidates(e) {
		if q.matches(r, params) {
			rows = append(rows, q.project(r))
		}
	}
	return rows
}

func (q *catalogueQuery) fields() []field {
	fields := make([]field, len(q.columns))
	for i, c := range q.columns {
		fields[i] = field{name: c.heading, typ: oidText}
	}
	return fields
}

func (q *catalogueQuery) project(r catalogueRow) row {
	out := make(row, len(q.columns))
	for i, c := range q.columns {
		v, ok := r[c.source]
		if !ok {
			v, ok = r[strings.ToLower(c.heading)]
		}
		out[i] = datum{null: !ok || c.foreign, text: v}
	}
	return out
}

// candidates returns the rows of the tables that the query asks for.
func (q *catalogueQuery) candidates(e *env) []catalogueRow {
	for name := range q.inner {
		if !knownCatalogues[name] {
			return nil
		}
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return q.inner[n] })
	}
	asks := func(source string) bool {
		return slices.ContainsFunc(q.columns, func(c catalogueColumn) bool { return c.source == source })
	}
	columns, details := asks("attname"), asks("relchecks")
	var rows []catalogueRow
	switch {
	case has("pg_attribute", "information_schema.columns"), has("pg_class") && columns:
		for _, t := range e.tables {
			for i := range t.columns {
				rows = append(rows, e.columnRow(t, i))
			}
		}
	case has("pg_class", "information_schema.tables", "pg_tables"):
		for _, t := range e.tables {
			r := e.tableRow(t)
			if details {
				delete(r, "case") // of psql's: the type that a table is of
			}
			rows = append(rows, r)
		}
	case has("pg_namespace"):
		rows = append(rows, e.schemaRow())
	case has("pg_database"):
		rows = append(rows, catalogueRow{
			"datname": e.database, "name": e.database, "oid": "16383", "datallowconn": "t", "datistemplate": "f",
			"pg_get_userbyid": e.user, "pg_encoding_to_char": "UTF8", "datcollate": "C", "datctype": "C",
		})
	case has("pg_roles", "pg_user"):
		rows = append(rows, catalogueRow{
			"rolname": e.user, "usename": e.user, "rolsuper": "f", "rolinherit": "t", "rolcreaterole": "f", "rolcreatedb": "f",
			"rolcanlogin": "t", "rolconnlimit": "-1", "rolreplication": "f", "rolbypassrls": "f",
		})
	}
	return rows
}

func (e *env) schemaRow() catalogueRow {
	return catalogueRow{
		"oid": "2200", "nspname": schemaName, "name": schemaName, "schema": schemaName, "owner": e.user, "pg_get_userbyid": e.user,
		"table_schem": schemaName, "?column?": "1", "1": "1",
	}
}

// tableRow tells of a table what pg_class does, with what psql joins to it.
func (e *env) tableRow(t *table) catalogueRow {
	r := e.schemaRow()
	oid := strconv.FormatUint(uint64(t.oid), 10)
	for k, v := range map[string]string{
		"oid": oid, "relname": t.name, "name": t.name, "relkind": "r", "type": "table", "case": "table", "attrelid": oid,
		"relchecks": "0", "relhasindex": "f", "relhasrules": "f", "relhastriggers": "f", "relrowsecurity": "f",
		"relforcerowsecurity": "f", "relhasoids": "f", "relispartition": "f", "reltablespace": "0", "relpersistence": "p",
		"relreplident": "d", "amname": "heap", "persistence": "permanent", "obj_description": t.comment, "description": t.comment,
		"table_schema": schemaName, "table_name": t.name, "table_type": "BASE TABLE", "remarks": t.comment,
		"reltuples": "-1", "relpages": "0", "schemaname": schemaName, "tablename": t.name, "tableowner": e.user,
		"size": "0 bytes", "pg_size_pretty": "0 bytes",
	} {
		r[k] = v
	}
	return r
}

// columnRow tells of a column what pg_attribute does, with what is joined to it.
func (e *env) columnRow(t *table, i int) catalogueRow {
	r, c := e.tableRow(t), t.columns[i]
	number := strconv.Itoa(i + 1)
	name := sqlName(c.typ)
	for k, v := range map[string]string{
		"attname": c.name, "column_name": c.name, "format_type": name, "data_type": name, "type": name, "attnotnull": "f",
		"attnum": number, "ordinal_position": number, "is_nullable": "YES", "attidentity": "", "attgenerated": "",
		"atttypid": strconv.FormatUint(uint64(c.typ), 10), "atttypmod": "-1", "attlen": strconv.Itoa(int(typeSize(c.typ))),
		"attstorage": "x", "attcompression": "", "col_description": c.comment, "description": c.comment, "typname": typeNames[c.typ],
		"typtype": "b", "attisdropped": "f", "attstattarget": "-1",
	} {
		r[k] = v
	}
	delete(r, "case") // of psql's: the storage of views' columns
	return r
}

// sqlName is what format_type calls a type.
func sqlName(oid uint32) string {
	element, array := elementOf[oid]
	if !array {
		element = oid
	}
	name := typeNames[element]
	switch element {
	case oidInt8:
		name = "bigint"
	case oidInt4:
		name = "integer"
	}
	if array {
		name += "[]"
	}
	return name
}

func (q *catalogueQuery) matches(r catalogueRow, params []datum) bool {
	for _, f := range q.filters {
		v, known := r[f.column]
		if known && !f.matches(v, params) {
			return false
		}
	}
	return true
}

func (f *catalogueFilter) matches(v string, params []datum) bool {
	return slices.ContainsFunc(f.values, func(t token) bool {
		want := t.text
		if n, ok := smallInt(t.text); t.kind == paramToken {
			if !ok || n < 1 || n > len(params) || params[n-1].null {
				return false
			}
			want = params[n-1].text
		}
		switch f.op {
		case "~":
			re, err := regexp.Compile(want)
			return err == nil && re.MatchString(v)
		case "like", "~~":
			return likeMatches(want, v)
		}
		return want == v || f.column == "oid" && strings.TrimPrefix(want, schemaName+".") == v
	})
}

// likeMatches reports whether a pattern of LIKE matches.
func likeMatches(pattern, v string) bool {
	var b strings.Builder
	b.WriteString("(?s)^")
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			b.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '%':
			b.WriteString(".*")
		case r == '_':
			b.WriteByte('.')
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	re, err := regexp.Compile(b.String() + "$")
	return err == nil && re.MatchString(v)
}
