package admin

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

func TestLinesOfANoteAreRetriedTogether(t *testing.T) {
	t.Parallel()
	note, line := schematest.NoteTable(), schematest.LineTable()
	var list []quarantinedRow
	for i := range 3 * retryRows {
		list = append(list,
			quarantinedRow{id: int64(i), table: note, key: []string{fmt.Sprint(i)}},
			quarantinedRow{id: int64(i), table: line, key: []string{fmt.Sprint(i % 2), fmt.Sprint(i)}})
	}
	in, rows := map[string]int{}, 0
	parts := chunks(list)
	for n, part := range parts {
		rows += len(part)
		for _, row := range part {
			if row.table != line {
				continue
			}
			if other, ok := in[row.unit()[0]]; ok && other != n {
				t.Errorf("note %s is in two parts", row.unit())
			}
			in[row.unit()[0]] = n
		}
	}
	if rows != len(list) || len(in) != 2 || len(parts) < 4 {
		t.Errorf("%d rows of %d in %d parts", rows, len(list), len(parts))
	}
	if chunks(nil) != nil {
		t.Error("parts of nothing")
	}
}
