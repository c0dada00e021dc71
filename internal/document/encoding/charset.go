package encoding

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"

	"golang.org/x/text/encoding/charmap"
)

// charset is a character set with one byte for each character.
type charset struct{ table *charmap.Charmap }

func decodeLatin1(data []byte) ([]byte, encoder, error) {
	return charset{charmap.ISO8859_1}.decode(data)
}

func decodeWindows(data []byte) ([]byte, encoder, error) {
	return charset{charmap.Windows1252}.decode(data)
}

func (c charset) decode(data []byte) ([]byte, encoder, error) {
	out := make([]byte, 0, len(data)+len(data)/8)
	for i, b := range data {
		r := c.table.DecodeByte(b)
		if r == utf8.RuneError {
			return nil, nil, &syntax.Error{Offset: i, Reason: "a byte that the character set lacks"}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, c, nil
}

func (c charset) encode(data []byte) ([]byte, error) {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		b, ok := c.table.EncodeRune(r)
		if !ok || r == utf8.RuneError {
			return nil, errLacksRune
		}
		out = append(out, b)
		i += n
	}
	return out, nil
}

// byteOrder is UTF-16 with a mark of its byte order.
type byteOrder struct{ order binary.AppendByteOrder }

const utf16Mark = 0xfeff

func decodeUTF16(data []byte) ([]byte, encoder, error) {
	var order interface {
		binary.ByteOrder
		binary.AppendByteOrder
	}
	switch {
	case len(data) >= 2 && binary.LittleEndian.Uint16(data) == utf16Mark:
		order = binary.LittleEndian
	case len(data) >= 2 && binary.BigEndian.Uint16(data) == utf16Mark:
		order = binary.BigEndian
	default:
		return nil, nil, &syntax.Error{Reason: "no byte order mark"}
	}
	if len(data)%2 != 0 {
		return nil, nil, &syntax.Error{Offset: len(data) - 1, Reason: "half a character at the end"}
	}
	out := make([]byte, 0, len(data)/2+len(data)/16)
	for i := 2; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			if i+4 > len(data) {
				return nil, nil, &syntax.Error{Offset: i, Reason: "half a surrogate pair"}
			}
			i += 2
			if r = utf16.DecodeRune(r, rune(order.Uint16(data[i:]))); r == utf8.RuneError {
				return nil, nil, &syntax.Error{Offset: i - 2, Reason: "half a surrogate pair"}
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, byteOrder{order}, nil
}

func (b byteOrder) encode(data []byte) ([]byte, error) {
	out := b.order.AppendUint16(make([]byte, 0, 2*len(data)+2), utf16Mark)
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return nil, errLacksRune
		}
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			out = b.order.AppendUint16(out, uint16(high)) //nolint:gosec // halves have 16 bits
			r = low
		}
		out = b.order.AppendUint16(out, uint16(r)) //nolint:gosec // 16 bits, or half of a pair
		i += n
	}
	return out, nil
}
