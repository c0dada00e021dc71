package sql

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

// ident quotes a name: ident("ehr", "note") is "ehr"."note".
func ident(parts ...string) string { return pgx.Identifier(parts).Sanitize() }

// idents quotes names and joins them with commas.
func idents(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = ident(n)
	}
	return strings.Join(quoted, ", ")
}

// literal quotes a string. One with backslashes is written in the escape form, so
// that the setting standard_conforming_strings does not matter.
func literal(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}
