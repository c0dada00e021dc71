package survey

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// noValue stands for no value in a table for other programs, which may take an empty field, or the word NULL, for something else.
const noValue = "(none)"

// writePeople writes the table of patients: a line each, by the values, so that their order says nothing of who they are.
func (s *surveyor) writePeople(ctx context.Context) error {
	if s.Table == nil {
		return nil
	}
	header := make([]string, len(s.fields))
	for i := range s.fields {
		header[i] = s.fields[i].column.ID()
	}
	w := csv.NewWriter(s.Table)
	if err := w.Write(header); err != nil {
		return err
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	_, err := s.tx.Conn().PgConn().CopyTo(ctx, s.Table, tableStatement(s.fields))
	return err
}

// tableStatement copies the values of all patients, several of one patient joined by "; ".
func tableStatement(fields []field) string {
	var list, order []string
	for i := range fields {
		name := pgx.Identifier{fields[i].name()}.Sanitize()
		list = append(list, fmt.Sprintf("coalesce(replace(%s::text, chr(31), '; '), '%s')", name, noValue))
		order = append(order, fmt.Sprint(i+1))
	}
	return fmt.Sprintf("copy (select %s from pgdeid_risk_wide order by %s) to stdout (format csv)", strings.Join(list, ", "), strings.Join(order, ", "))
}
