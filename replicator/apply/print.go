package apply

import (
	"fmt"
	"log/slog"
)

// What holds a row, a key of the source, a record or a surrogate prints itself redacted.

// Format prints nothing of what it holds.
func (*Committer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "committer[redacted]") }

// Format prints nothing of what it holds.
func (*Group) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "group[redacted]") }

// Format prints nothing of what it holds.
func (sourceRow) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "sourcerow[redacted]") }

// Format prints nothing of what it holds.
func (*Streamed) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "streamed[redacted]") }

// LogValue is what Format prints.
func (v *Version) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(v)) }

// Format prints nothing of what it holds.
func (*owners) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "owners[redacted]") }

// LogValue is what Format prints.
func (*Committer) LogValue() slog.Value { return slog.StringValue("committer[redacted]") }

// Format prints nothing of what it holds.
func (*Writer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "writer[redacted]") }

// LogValue is what Format prints.
func (*Writer) LogValue() slog.Value { return slog.StringValue("writer[redacted]") }

// Format prints nothing of what it holds.
func (filterRow) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "filterrow[redacted]") }

// Format prints nothing of what it holds.
func (*filterWrite) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "filterwrite[redacted]") }

// Format prints nothing of the patients.
func (parting) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "parting[redacted]") }

// Format prints nothing of what it holds.
func (*outdated) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "outdated[redacted]") }

// Format prints nothing of what it holds.
func (*Remaker) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "remaker[redacted]") }

// LogValue is what Format prints.
func (*Remaker) LogValue() slog.Value { return slog.StringValue("remaker[redacted]") }
