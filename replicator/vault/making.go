package vault

import (
	"encoding/binary"
	"time"

	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// making is how a published text was made: sealed in deid.note_provenance.
type making struct {
	at    time.Time     // to the second
	lsn   pglogrepl.LSN // 0: in no stream
	spans []surrogate.Span
}

// place names a published text. Row is the published primary key, a JSON array of texts.
type place struct{ Table, Column, Row, Patient string }

func (p place) parts() []string { return []string{p.Table, p.Column, p.Row, p.Patient} }

func (s Seals) sealMaking(p place, m making) []byte {
	return s.key.Seal(m.encode(), "making", p.parts()...)
}

func (s Seals) openMaking(p place, sealed []byte) (making, error) {
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
			return making{}, errValue
		}
		m.spans = append(m.spans, surrogate.Span{Start: int(start), End: int(end), Type: typ, By: phi.Votes(by)})
	}
	if r.short {
		return making{}, errValue
	}
	return m, nil
}

// bytesLeft is the part of an encoded value that was not read yet.
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

// pass skips n bytes; n is 0 or less where a value could not be read.
func (r *bytesLeft) pass(n int) {
	if n <= 0 {
		r.left, r.short = nil, true
		return
	}
	r.left = r.left[n:]
}
