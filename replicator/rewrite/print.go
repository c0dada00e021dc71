package rewrite

import "fmt"

// What holds a row, a key of the source, a record or a surrogate prints itself redacted.

// Format prints nothing of what it holds.
func (*request) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "request[redacted]") }

// Format prints nothing of what it holds.
func (*Pass) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "pass[redacted]") }
