package deid

import (
	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Requeue says that a patient's record changed, so that the published notes must
// be read again.
type Requeue struct {
	phi.Redacted

	Pseudonym, SourceKey string
	LSN                  pglogrepl.LSN
	Noted                bool // notes of the patient come before the change in its group
	Whole                bool // all rows of the patient are read again, also those that the replica does not have
}
