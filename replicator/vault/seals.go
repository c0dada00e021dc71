// Package vault writes and reads the vault: the tables of the replica's schema deid that
// hold what could undo a patient's de-identification.
//
// An attacker with the replica's disk or a dump of it has the vault. What would undo what
// was done to a patient's data is therefore sealed with the key, each value for its own
// row: shifts turn all dates into true ones; surrogates and their places, taken away from
// a text, leave the names that were missed; times and positions, next to a date of a row of
// the same patient, show the shift.
package vault

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// errValue means that an opened value is not what its column holds.
var errValue = errors.New("a value of the vault is not what this version of pgdeid writes")

// Seals seals and opens values of the vault. What was sealed for one row does not open
// for another one.
type Seals struct{ key *surrogate.Key }

// NewSeals returns the seals that key makes and opens.
func NewSeals(key *surrogate.Key) Seals { return Seals{key} }

// RowHash returns the keyed hash that names a row of the source in the quarantine.
func (s Seals) RowHash(table string, key []string) []byte {
	return s.key.HMAC("row", append([]string{table}, key...)...)
}

// PatientHash returns the keyed hash that names a patient where not even the pseudonym is kept.
func (s Seals) PatientHash(pseudonym string) []byte { return s.key.HMAC("patient", pseudonym) }

// FilterHash returns the keyed hash that names a row of the source which decides who is
// published.
func (s Seals) FilterHash(filter string, key []string) []byte {
	return s.key.HMAC("filter row", append([]string{filter}, key...)...)
}

// SealKey seals a key of the source for a purpose and for the row that holds it.
func (s Seals) SealKey(purpose string, key []string, row ...string) []byte {
	return s.sealJSON(key, "source key/"+purpose, row)
}

// OpenKey is the inverse of SealKey.
func (s Seals) OpenKey(purpose string, sealed []byte, row ...string) (key []string, err error) {
	err = s.openJSON(sealed, &key, "source key/"+purpose, row)
	return key, err
}

// SealPart seals which rows a part of a table has, for the row that holds it.
func (s Seals) SealPart(p schema.Part, row ...string) []byte { return s.sealJSON(p, "part", row) }

// OpenPart is the inverse of SealPart.
func (s Seals) OpenPart(sealed []byte, row ...string) (p schema.Part, err error) {
	err = s.openJSON(sealed, &p, "part", row)
	return p, err
}

// Origin says where a row of the quarantine comes from. It prints itself redacted.
type Origin struct {
	phi.Redacted

	Key     []string      `json:"key"`               // primary key in the source
	Patient string        `json:"patient,omitempty"` // pseudonym
	LSN     pglogrepl.LSN `json:"lsn,omitempty"`     // of the source's commit
}

// SealOrigin seals the origin of a row of a table for the quarantine, where its hash names it.
func (s Seals) SealOrigin(o Origin, table string, hash []byte) []byte {
	return s.sealJSON(o, "quarantine", []string{table, string(hash)})
}

// OpenOrigin is the inverse of SealOrigin.
func (s Seals) OpenOrigin(sealed []byte, table string, hash []byte) (o Origin, err error) {
	err = s.openJSON(sealed, &o, "quarantine", []string{table, string(hash)})
	return o, err
}

// surrogateHash returns the hash that keeps two originals of a patient from sharing a surrogate.
func (s Seals) surrogateHash(patient, kind, text string) []byte {
	return s.key.HMAC("surrogate value", patient, kind, text)[:16]
}

func (s Seals) sealSurrogate(patient, kind string, original []byte, text string) []byte {
	return s.key.Seal([]byte(text), "surrogate", patient, kind, string(original))
}

func (s Seals) openSurrogate(patient, kind string, original, sealed []byte) (string, error) {
	text, err := s.key.Open(sealed, "surrogate", patient, kind, string(original))
	return string(text), err
}

func (s Seals) sealShift(patient string, days int) []byte {
	return s.key.Seal(binary.AppendVarint(nil, int64(days)), "date shift", patient)
}

func (s Seals) openShift(patient string, sealed []byte) (int, error) {
	plain, err := s.key.Open(sealed, "date shift", patient)
	if err != nil {
		return 0, err
	}
	days, n := binary.Varint(plain)
	if n != len(plain) || days == 0 {
		return 0, errValue
	}
	return int(days), nil
}

func (s Seals) sealJSON(v any, purpose string, of []string) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil // strings and numbers can't fail to marshal
	}
	return s.key.Seal(data, purpose, of...)
}

func (s Seals) openJSON(sealed []byte, into any, purpose string, of []string) error {
	data, err := s.key.Open(sealed, purpose, of...)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, into) != nil {
		return errValue
	}
	return nil
}
