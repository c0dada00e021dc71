package deid

import (
	"fmt"
)

// What holds a row, a key of the source or a surrogate prints itself redacted. Types of
// fields do not see to it: package fmt does not ask unexported fields how they print.

// Format prints the table and the reason, and nothing of the row.
func (it *Item) Format(f fmt.State, _ rune) {
	if it.Change == nil {
		_, _ = fmt.Fprint(f, "mark")
		return
	}
	_, _ = fmt.Fprintf(f, "item[%s %s]", it.Change.Table.ID, it.Reason)
}
