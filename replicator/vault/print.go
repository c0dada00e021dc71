package vault

import "fmt"

// What holds a key of the source, a surrogate or a shift prints itself redacted.

// Format prints whose a surrogate is, by pseudonym.
func (s Surrogate) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "surrogate[%s of %s]", s.Kind, s.Patient)
}

// Format prints whose a shift is, by pseudonym.
func (s Shift) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "shift[of %s]", s.Patient) }

// Format prints the table and the reason, and nothing of the row.
func (q Quarantined) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "row[%s %s]", q.Table, q.Reason)
}

// Format prints that there is a row, and not which.
func (Origin) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "row[redacted]") }

// Format prints the table, and nothing of the row.
func (n RowName) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "row[%s]", n.Table) }

// Format prints how much there is to store.
func (c Choices) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "choices[%d surrogates, %d shifts]", len(c.entries), len(c.shifts))
}

// Format prints nothing of what it holds.
func (sealedRow) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "sealed[redacted]") }
