package encoding

import (
	"bytes"
	"slices"
)

// Long documents are stored in several values, either each encoded by itself, or as pieces of one that was encoded as a whole.

// Pieces is how a document was wrapped that is stored in several values.
type Pieces struct {
	each  []Coding // of values that are encoded each by itself; nil otherwise
	whole Coding
	ocf   bool     // what is encoded as a whole is a blob of Millennium
	sizes []int    // of the pieces of what is encoded as a whole
	tails [][]byte // what is behind each piece, and no part of what is encoded
}

// DecodeEach unwraps values of which each is encoded by itself.
func DecodeEach(e Encoding, values [][]byte) ([][]byte, Pieces, error) {
	var p Pieces
	parts := make([][]byte, len(values))
	for i, v := range values {
		data, coding, err := Decode(e, v)
		if err != nil {
			return nil, Pieces{}, err
		}
		parts[i] = data
		p.each = append(p.each, coding)
	}
	return parts, p, nil
}

// DecodePieces unwraps values that are pieces of one that was encoded as a whole. Blobs of Millennium may also be encoded
// each by itself, which they show. parts are then what is in each, and otherwise the whole alone.
func DecodePieces(e Encoding, values [][]byte) (parts [][]byte, _ Pieces, _ error) {
	isOCF := slices.Index(e.chain(), OCF) == 0
	if isOCF || len(e.chain()) == 0 {
		if parts, p, err := DecodeEach(e, values); err == nil {
			return parts, p, nil
		}
	}
	p := Pieces{ocf: isOCF, sizes: make([]int, len(values)), tails: make([][]byte, len(values))}
	for i, v := range values {
		if isOCF {
			v, p.tails[i] = cutMarker(v)
		}
		values[i], p.sizes[i] = v, len(v)
	}
	last := slices.Concat(p.tails[max(len(values)-1, 0):]...)
	data, coding, err := Decode(e, slices.Concat(bytes.Join(values, nil), last))
	p.whole = coding
	return [][]byte{data}, p, err
}

// cutMarker cuts the marker off that a piece of a blob can have as well.
func cutMarker(piece []byte) (data, tail []byte) {
	at := bytes.LastIndex(piece, []byte(ocfMarker))
	if at < 0 || !isZero(piece[at+len(ocfMarker):]) {
		return piece, nil
	}
	return piece[:at], piece[at:]
}

// Separate reports whether each value is encoded by itself.
func (p Pieces) Separate() bool { return p.each != nil }

// EncodeEach wraps what goes into each value, where each is encoded by itself.
func (p Pieces) EncodeEach(parts [][]byte) ([][]byte, error) {
	values := make([][]byte, len(parts))
	for i, part := range parts {
		value, err := p.each[i].Encode(part)
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// EncodePieces wraps a document as a whole, and cuts it into pieces as large as those before; the last one has what is left.
func (p Pieces) EncodePieces(data []byte) ([][]byte, error) {
	rest, err := p.whole.Encode(data)
	if err != nil {
		return nil, err
	}
	if p.ocf {
		rest, _ = cutMarker(rest) // which the last piece has again
	}
	values := make([][]byte, len(p.sizes))
	for i, size := range p.sizes {
		if i == len(values)-1 {
			size = len(rest)
		}
		size = min(size, len(rest))
		values[i] = slices.Concat(rest[:size], p.tails[i])
		rest = rest[size:]
	}
	return values, nil
}
