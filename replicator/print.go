package replicator

import "fmt"

// What holds a row, a key of the source or a surrogate prints itself redacted. Types of
// fields do not see to it: package fmt does not ask unexported fields how they print.

// Format prints the table and the reason, and nothing of the row.
func (it *item) Format(f fmt.State, _ rune) {
	if it.change == nil {
		_, _ = fmt.Fprint(f, "mark")
		return
	}
	_, _ = fmt.Fprintf(f, "item[%s %s]", it.change.table.id, it.reason)
}

// Format prints the table, and nothing of the row.
func (v *version) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "version[%s]", v.table.id) }

// Format prints whose notes are read again, by pseudonym.
func (r requeue) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "requeue[%s]", r.pseudonym) }
