package pgwire

import "strings"

// PostgreSQL's own tables are asked for by psql's \d, by IMPORT FOREIGN SCHEMA and
// by drivers, in queries that no small parser reads whole. What they want shows in
// three places: the tables after FROM, the names of the columns that they return,
// and comparisons of a few columns with constants. A query is answered from these,
// and a column that is not known is NULL.

// catalogueQuery is what can be told of a query of PostgreSQL's own tables.
type catalogueQuery struct {
	inner   map[string]bool // tables that rows must come from
	columns []catalogueColumn
	filters []catalogueFilter
}

// catalogueColumn is a column that the query returns.
type catalogueColumn struct {
	heading string // what it is called
	source  string // the column or function that it comes from, in lower case
	foreign bool   // of a table of which nothing is known, such as that of collations
}

// catalogueFilter is a comparison of a column with constants.
type catalogueFilter struct {
	column string
	op     string // "=", "in", "~", "like"
	values []token
}

// catalogue reads a query of PostgreSQL's own tables, or returns nil.
func (p *parser) catalogue() statement {
	if len(p.tokens) == 0 || !p.tokens[0].is("select") {
		return nil
	}
	from := topLevel(p.tokens, "from")
	if from < 0 || !asksCatalogue(p.tokens[from+1:]) {
		return nil
	}
	q := &catalogueQuery{inner: innerTables(p.tokens[from+1:])}
	for _, part := range splitTop(p.tokens[1:from]) {
		q.columns = append(q.columns, catalogueItem(part))
	}
	q.filters = catalogueFilters(p.tokens[from+1:])
	stmt := &selectStmt{catalogue: q}
	for _, t := range p.tokens {
		if n, ok := smallInt(t.text); t.kind == paramToken && ok && n > 0 && n <= maxParams {
			stmt.params = append(stmt.params, paramUse{n: n})
		}
	}
	return stmt
}

// topLevel returns the index of a word outside of parentheses, or -1.
func topLevel(tokens []token, word string) int {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			depth--
		case depth == 0 && t.is(word):
			return i
		}
	}
	return -1
}

// splitTop cuts at the commas outside of parentheses.
func splitTop(tokens []token) [][]token {
	var parts [][]token
	for {
		i := topLevel(tokens, ",")
		if i < 0 {
			break
		}
		parts, tokens = append(parts, tokens[:i]), tokens[i+1:]
	}
	if len(tokens) > 0 {
		parts = append(parts, tokens)
	}
	return parts
}

// asksCatalogue reports whether the first table after FROM is one of PostgreSQL's.
func asksCatalogue(tokens []token) bool {
	if len(tokens) == 0 || tokens[0].kind != wordToken {
		return false
	}
	name := tokens[0].text
	return name == "pg_catalog" || name == "information_schema" || strings.HasPrefix(name, "pg_")
}

// innerTables names the tables that a FROM clause takes rows from, without those
// after LEFT JOIN, which add none.
func innerTables(tokens []token) map[string]bool {
	inner := map[string]bool{}
	depth, wanted := 0, true
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is("("):
			depth++
			wanted = false
		case t.is(")"):
			depth--
		case depth > 0:
		case t.is("where"), t.is("order"), t.is("group"), t.is("union"), t.is("limit"):
			return inner
		case t.is(","):
			wanted = true
		case t.is("join"):
			wanted = i == 0 || !tokens[i-1].is("left") && !tokens[i-1].is("outer")
		case wanted && t.isName():
			name := t.text
			if i+2 < len(tokens) && tokens[i+1].is(".") {
				name, i = tokens[i+2].text, i+2
				if t.text == "information_schema" {
					name = "information_schema." + name
				}
			}
			inner[name], wanted = true, false
		}
	}
	return inner
}

// catalogueItem tells the name of what a query returns, and what it comes from.
func catalogueItem(part []token) catalogueColumn {
	body := part
	heading := ""
	if n := len(part); n >= 2 {
		switch last := part[n-1]; {
		case part[n-2].is("as"):
			heading, body = last.text, part[:n-2]
		case last.isName() && !part[n-2].is(".") && !part[n-2].is("::") && !last.is("end") && part[n-2].kind != signToken || last.kind == nameToken && part[n-2].is(")"):
			heading, body = last.text, part[:n-1]
		}
	}
	c := catalogueColumn{source: sourceOf(body), heading: heading}
	c.foreign = len(body) == 3 && strings.HasPrefix(body[0].text, "coll")
	if c.heading == "" {
		c.heading = c.source
	}
	return c
}

// sourceOf returns the last part of a path, the name of a function, or "case".
func sourceOf(body []token) string {
	if len(body) == 0 {
		return "?column?"
	}
	if body[0].is("case") {
		return "case"
	}
	if body[0].is("(") {
		if inner := body[1:]; len(inner) > 1 && inner[0].is("select") {
			return sourceOf(inner[1:])
		}
		return "?column?"
	}
	name := "?column?"
	for i, t := range body {
		if !t.isName() {
			break
		}
		name = lowerASCII(t.text)
		if i+1 >= len(body) || !body[i+1].is(".") {
			break
		}
		if i+2 < len(body) {
			return sourceOf(body[i+2:])
		}
	}
	return name
}

// filtered are the columns whose comparisons count.
var filtered = map[string]bool{
	"nspname": true, "relname": true, "oid": true, "attrelid": true, "attname": true, "relkind": true, "datname": true,
	"rolname": true, "table_schema": true, "table_name": true, "attnum": false,
}

// catalogueFilters finds comparisons of columns with constants, wherever they stand.
func catalogueFilters(tokens []token) []catalogueFilter {
	var list []catalogueFilter
	for i, t := range tokens {
		if !t.isName() || !filtered[t.text] {
			continue
		}
		if f, ok := catalogueComparison(tokens[i+1:]); ok && (i == 0 || !tokens[i-1].is("not")) {
			f.column = t.text
			list = append(list, f)
		}
	}
	return list
}

// catalogueComparison reads what follows a column's name.
func catalogueComparison(tokens []token) (f catalogueFilter, ok bool) {
	rest := tokens
	if len(rest) > 5 && rest[0].is("operator") && rest[1].is("(") && rest[3].is(".") {
		f.op, rest = rest[4].text, rest[6:]
	} else if len(rest) > 1 {
		f.op, rest = rest[0].text, rest[1:]
	}
	switch f.op {
	case "=", "~", "like", "~~":
		if len(rest) > 0 && constant(rest[0]) {
			f.values = rest[:1]
			return f, true
		}
	case "in":
		for _, t := range rest {
			if t.is(")") {
				break
			}
			if constant(t) {
				f.values = append(f.values, t)
			}
		}
		return f, len(f.values) > 0
	}
	return f, false
}

func constant(t token) bool {
	return t.kind == textToken || t.kind == numberToken || t.kind == paramToken
}
