package replicator

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// An attacker with the replica's disk or a dump of it has the vault. All in it that would undo
// what was done to a patient's data is sealed with the key, each value for its own row:
// shifts turn all dates into true ones; surrogates and their places, taken away from a
// text, leave the names that were missed; times and positions, next to a date of a row of
// the same patient, show the shift.

// seals seals and opens what the vault holds.
type seals struct {
	key *surrogate.Key
}

// errVaultValue means that an opened value is not what its column holds.
var errVaultValue = errors.New("a value of the vault is not what this version of pgdeid writes")

// surrogateHash returns what keeps two originals of a patient from sharing a surrogate.
func (s seals) surrogateHash(patient, kind, text string) []byte {
	return s.key.HMAC("surrogate value", patient, kind, text)[:16]
}

func (s seals) sealSurrogate(patient, kind string, original []byte, text string) []byte {
	return s.key.Seal([]byte(text), "surrogate", patient, kind, string(original))
}

func (s seals) openSurrogate(patient, kind string, original, sealed []byte) (string, error) {
	text, err := s.key.Open(sealed, "surrogate", patient, kind, string(original))
	return string(text), err
}

func (s seals) sealShift(patient string, days int) []byte {
	return s.key.Seal(binary.AppendVarint(nil, int64(days)), "date shift", patient)
}

func (s seals) openShift(patient string, sealed []byte) (int, error) {
	plain, err := s.key.Open(sealed, "date shift", patient)
	if err != nil {
		return 0, err
	}
	days, n := binary.Varint(plain)
	if n != len(plain) || days == 0 {
		return 0, errVaultValue
	}
	return int(days), nil
}

// sealKey seals a key of the source for what it is of, and the row that it is in.
func (s seals) sealKey(of string, key []string, row ...string) []byte {
	return s.sealJSON(key, "source key/"+of, row)
}

// openKey is the inverse of sealKey.
func (s seals) openKey(of string, sealed []byte, row ...string) (key []string, err error) {
	err = s.openJSON(sealed, &key, "source key/"+of, row)
	return key, err
}

// setAside is what the quarantine holds of a row, sealed.
type setAside struct {
	Key     []string      `json:"key"` // primary key in the source
	Patient string        `json:"patient,omitempty"`
	LSN     pglogrepl.LSN `json:"lsn,omitempty"`
}

func (s seals) sealAside(a setAside, table string, row []byte) []byte {
	return s.sealJSON(a, "quarantine", []string{table, string(row)})
}

func (s seals) openAside(sealed []byte, table string, row []byte) (a setAside, err error) {
	err = s.openJSON(sealed, &a, "quarantine", []string{table, string(row)})
	return a, err
}

func (s seals) sealJSON(v any, purpose string, of []string) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil // strings and numbers can't fail to marshal
	}
	return s.key.Seal(data, purpose, of...)
}

func (s seals) openJSON(sealed []byte, into any, purpose string, of []string) error {
	data, err := s.key.Open(sealed, purpose, of...)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, into) != nil {
		return errVaultValue
	}
	return nil
}

// making is how a published text was made: sealed in deid.note_provenance.
type making struct {
	at    time.Time     // to the second
	lsn   pglogrepl.LSN // 0: in no stream
	spans []surrogate.Span
}

// textPlace names a published text in the vault.
type textPlace struct{ table, column, row, patient string }

func (p textPlace) parts() []string { return []string{p.table, p.column, p.row, p.patient} }

func (s seals) sealMaking(p textPlace, m making) []byte {
	return s.key.Seal(m.encode(), "making", p.parts()...)
}

func (s seals) openMaking(p textPlace, sealed []byte) (making, error) {
	plain, err := s.key.Open(sealed, "making", p.parts()...)
	if err != nil {
		return making{}, err
	}
	return decodeMaking(plain)
}

// encode writes m in a few bytes a span: starts as distances from the end before.
func (m making) encode() []byte {
	out := make([]byte, 0, 16+12*len(m.spans))
	out = binary.AppendVarint(out, m.at.Unix())
	out = binary.AppendUvarint(out, uint64(m.lsn))
	end := 0
	for _, s := range m.spans {
		name := s.Type.String()
		out = binary.AppendVarint(out, int64(s.Start-end))
		out = binary.AppendVarint(out, int64(s.End-s.Start))
		out = binary.AppendUvarint(out, uint64(s.By))
		out = append(append(out, byte(len(name))), name...) //nolint:gosec // a name of some letters
		end = s.End
	}
	return out
}

func decodeMaking(plain []byte) (making, error) {
	r := bytesLeft{left: plain}
	m := making{at: time.Unix(r.signed(), 0).UTC(), lsn: pglogrepl.LSN(r.unsigned())}
	end := int64(0)
	for len(r.left) > 0 {
		start := end + r.signed()
		end = start + r.signed()
		by := r.unsigned()
		typ, err := phi.ParseType(string(r.text()))
		if r.short || err != nil || start < 0 || end < start || by > 1<<32-1 {
			return making{}, errVaultValue
		}
		m.spans = append(m.spans, surrogate.Span{Start: int(start), End: int(end), Type: typ, By: phi.Votes(by)})
	}
	if r.short {
		return making{}, errVaultValue
	}
	return m, nil
}

// bytesLeft is what of an encoded value was not read yet.
type bytesLeft struct {
	left  []byte
	short bool // something was missing
}

func (r *bytesLeft) signed() int64 {
	v, n := binary.Varint(r.left)
	r.pass(n)
	return v
}

func (r *bytesLeft) unsigned() uint64 {
	v, n := binary.Uvarint(r.left)
	r.pass(n)
	return v
}

// text reads a text of up to 255 bytes.
func (r *bytesLeft) text() []byte {
	if len(r.left) == 0 || len(r.left) <= int(r.left[0]) {
		r.pass(0)
		return nil
	}
	n := 1 + int(r.left[0])
	text := r.left[1:n]
	r.pass(n)
	return text
}

// pass goes on by n bytes; what could not be read has none.
func (r *bytesLeft) pass(n int) {
	if n <= 0 {
		r.left, r.short = nil, true
		return
	}
	r.left = r.left[n:]
}

// lsnText writes a position; "" for none.
func lsnText(lsn pglogrepl.LSN) string {
	if lsn == 0 {
		return ""
	}
	return lsn.String()
}
