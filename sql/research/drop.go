package research

import (
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/sql/quote"
	"github.com/pgdeid/pgdeid/sql/roles"
)

// DropTables returns the statements that drop what pgdeid made for analysts, and which tables with rows they drop, quoted.
func (r *Existing) DropTables() (statements, dropped []string) {
	for _, t := range r.sorted() {
		if t.view != nil {
			statements = append(statements, "drop view "+quote.Name(t.schema, t.name))
		}
		if t.key != nil {
			rows := quote.Name(RowsSchema, rowsName(t.schema+"."+t.name))
			dropped = append(dropped, rows)
			statements = append(statements, append(dropStages(t), "drop table "+rows)...)
		}
	}
	return statements, dropped
}

// RevokeSchemas takes the grants on schemas back that are not pgdeid's own.
func (r *Existing) RevokeSchemas() []string {
	var statements []string
	seen := map[string]bool{}
	for _, t := range r.sorted() {
		if !seen[t.schema] {
			seen[t.schema] = true
			statements = append(statements, fmt.Sprintf("revoke usage on schema %s from %s", quote.Name(t.schema), roles.Analyst))
		}
	}
	return statements
}

// DropSchemas drops the schemas that pgdeid made for research tables.
func (r *Existing) DropSchemas() []string {
	var statements []string
	for _, name := range r.made["schema"] {
		statements = append(statements, "drop schema "+quote.Name(name))
	}
	return statements
}

// MadeExtension reports whether pgdeid brought an extension into the replica.
func (r *Existing) MadeExtension(name string) bool { return slices.Contains(r.made["extension"], name) }

// HasSchema reports whether the replica has a schema.
func (r *Existing) HasSchema(name string) bool { return slices.Contains(r.schemas, name) }

// Count returns how many research tables pgdeid has made.
func (r *Existing) Count() int { return len(r.made["table"]) }
