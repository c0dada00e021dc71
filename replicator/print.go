package replicator

import "fmt"

// What holds a row, a key of the source, a record or a surrogate prints itself redacted.

// Format prints nothing of what it holds.
func (copyState) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "copystate[redacted]") }
