package encoding

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// ocfMarker closes every blob, compressed or not.
const ocfMarker = "ocf_blob"

// ocfShortest is the number of bytes that a compressed blob with anything in it has at least: one code and the end.
const ocfShortest = 3

// ocfWriting is how a blob of Cerner Millennium was stored: compressed or not, and closed by a marker.
type ocfWriting struct {
	compressed bool
	tail       []byte // the marker, and zeros before and behind it
}

func decodeOCF(data []byte) ([]byte, encoder, error) {
	at := bytes.LastIndex(data, []byte(ocfMarker))
	if at < 0 || !isZero(data[at+len(ocfMarker):]) {
		return nil, nil, &syntax.Error{Offset: len(data), Reason: "no marker of a blob's end"}
	}
	decoded, end, err := unpackLZW(data[:at])
	noLZW := errors.Is(err, errNoLZW) || err != nil && at < ocfShortest
	switch {
	case err == nil && !isZero(data[end:at]):
		return nil, nil, errBehind
	case err == nil:
		return decoded, ocfWriting{compressed: true, tail: bytes.Clone(data[end:])}, nil
	case noLZW && IsUncompressed(data[:at]):
		return bytes.Clone(data[:at]), ocfWriting{tail: bytes.Clone(data[at:])}, nil
	}
	return nil, nil, err
}

func isZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }

// IsUncompressed reports whether a blob that is no LZW can be a text: without control characters, and in UTF-8 or mostly in
// ASCII. A part of a compressed blob, of which long ones are stored in several rows, is neither, and is no document.
func IsUncompressed(data []byte) bool {
	high := 0
	for _, c := range data {
		switch {
		case c < ' ' && (c < '\t' || c > '\r'):
			return false
		case c >= utf8.RuneSelf:
			high++
		}
	}
	return 3*high <= len(data) || utf8.Valid(data)
}

func (w ocfWriting) encode(data []byte) ([]byte, error) {
	if !w.compressed {
		return append(bytes.Clone(data), w.tail...), nil
	}
	return append(packLZW(data), w.tail...), nil
}
