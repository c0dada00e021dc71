package survey

import (
	"regexp"
	"strconv"
	"strings"
)

// step is a step of a path of the mapping: a name, a name in quotes, all elements, or resources of a type.
var step = regexp.MustCompile(`\.([A-Za-z_][A-Za-z0-9_-]*)|\[("(?:[^"\\]|\\.)*")\]|\[\*\]|\(([A-Z][A-Za-z]{1,63})\)`)

// pathExpression returns an SQL expression of all values at a path of the mapping in a document, as one text.
func pathExpression(document, path string) string {
	var b strings.Builder
	b.WriteString("lax $")
	for _, s := range step.FindAllStringSubmatch(strings.TrimPrefix(path, "$"), -1) {
		switch {
		case s[1] != "":
			b.WriteString("." + strconv.Quote(s[1]))
		case s[2] != "":
			b.WriteString("." + s[2])
		case s[3] != "":
			b.WriteString(` ? (@."resourceType" == ` + strconv.Quote(s[3]) + ")")
		default:
			b.WriteString("[*]")
		}
	}
	literal := "'" + strings.ReplaceAll(b.String(), "'", "''") + "'"
	return "(select string_agg(distinct v #>> '{}', chr(31) order by v #>> '{}') from jsonb_path_query(" + document + "::text::jsonb, " +
		literal + "::jsonpath) v)"
}
