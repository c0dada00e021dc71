package deid

import (
	"fmt"

	"github.com/jackc/pglogrepl"
)

// Format prints whose notes are read again, by pseudonym.
func (r Requeue) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "requeue[%s]", r.Pseudonym) }

// Requeue says that a patient's record changed, so that the published notes must
// be read again.
type Requeue struct {
	Pseudonym, SourceKey string
	LSN                  pglogrepl.LSN
	Noted                bool // notes of the patient come before the change in its group
	Whole                bool // all rows of the patient are read again, also those that the replica does not have
}
