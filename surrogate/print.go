package surrogate

import (
	"fmt"
	"log/slog"
)

// Values that hold what identifies a patient print themselves redacted: fmt does not ask unexported
// fields how they print, so each type that holds some of it does so itself.

// Format prints the name of the type.
func (Entry) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "entry[redacted]") }

// LogValue keeps texts out of logs.
func (Entry) LogValue() slog.Value { return slog.StringValue("entry[redacted]") }

// Format prints the name of the type.
func (Result) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "result[redacted]") }

// LogValue keeps texts out of logs.
func (Result) LogValue() slog.Value { return slog.StringValue("result[redacted]") }

// Format prints the name of the type.
func (addressTail) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "addressTail[redacted]") }

// Format prints the name of the type.
func (dialled) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "dialled[redacted]") }

// Format prints the name of the type.
func (*index) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "index[redacted]") }

// Format prints the name of the type.
func (letterOf) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "letterOf[redacted]") }

// Format prints the name of the type.
func (nameWord) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "nameWord[redacted]") }

// Format prints the name of the type.
func (recordTown) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "recordTown[redacted]") }

// Format prints the name of the type.
func (*output) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "output[redacted]") }

// Format prints the name of the type.
func (person) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "person[redacted]") }

// Format prints the name of the type.
func (prepared) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "prepared[redacted]") }

// Format prints the name of the type.
func (*proposer) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "proposer[redacted]") }

// Format prints the name of the type.
func (roleValue) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "roleValue[redacted]") }

// Format prints the name of the type.
func (*roleValues) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "roleValues[redacted]") }

// Format prints the name of the type.
func (*roster) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "roster[redacted]") }

// Format prints the name of the type.
func (shelved) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "shelved[redacted]") }

// Format prints the name of the type.
func (taken) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "taken[redacted]") }
