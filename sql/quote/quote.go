// Package quote writes names and values into SQL, where a statement takes no parameters:
// https://www.postgresql.org/docs/current/sql-syntax-lexical.html.
package quote

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Name quotes a name: Name("ehr", "note") is "ehr"."note".
func Name(parts ...string) string { return pgx.Identifier(parts).Sanitize() }

// Names quotes names and joins them with commas.
func Names(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Name(n)
	}
	return strings.Join(quoted, ", ")
}

// Literal quotes a string. One with backslashes is written in the escape form, so
// that the setting standard_conforming_strings does not matter.
func Literal(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	quoted := "'" + strings.ReplaceAll(s, "'", "''") + "'"
	if strings.Contains(s, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

// Bytes writes bytes as a value of type bytea.
func Bytes(b []byte) string { return fmt.Sprintf("'\\x%x'::bytea", b) }
