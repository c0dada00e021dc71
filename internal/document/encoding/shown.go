package encoding

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"iter"
)

// shownBytes is how much is unpacked to see what is in an encoding.
const shownBytes = 64 << 10

// Shown passes encodings that data show they are in, of which they may be the beginning alone, each with what is in it as far as
// data go.
func Shown(data []byte) iter.Seq2[Encoding, []byte] {
	return func(yield func(Encoding, []byte) bool) {
		for _, p := range peels {
			if inner := p.peel(data); len(inner) > 0 && !yield(p.of, inner) {
				return
			}
		}
	}
}

// shortestDigits is the number of digits of base64 that a document has at least: shorter ones are names and keys.
const shortestDigits = 64

// peels undo an encoding that data show they are in, as far as data go; they return nil where data don't.
var peels = []struct {
	of   Encoding
	peel func(data []byte) []byte
}{
	{Gzip, func(data []byte) []byte {
		r, err := gzip.NewReader(bytes.NewReader(data))
		return beginning(r, err)
	}},
	{Zlib, func(data []byte) []byte {
		r, err := zlib.NewReader(bytes.NewReader(data))
		return beginning(r, err)
	}},
	{OCF, func(data []byte) []byte {
		decoded, _, _ := decodeOCF(data)
		return decoded
	}},
	{UTF16, func(data []byte) []byte {
		decoded, _, _ := decodeUTF16(data[:len(data)&^1])
		return decoded
	}},
	{Base64, peelBase64},
}

// beginning reads what data unfold to, also where they are cut off.
func beginning(r io.Reader, err error) []byte {
	if err != nil {
		return nil
	}
	data, _ := io.ReadAll(io.LimitReader(r, shownBytes)) // they may be cut off
	return data
}

func peelBase64(data []byte) []byte {
	if bytes.ContainsAny(data, " \t") {
		return nil
	}
	digits, _ := unfold(data)
	if len(digits) < shortestDigits {
		return nil
	}
	decoded, err := base64.StdEncoding.DecodeString(string(digits[:len(digits)&^3]))
	if err != nil {
		return nil
	}
	return decoded
}
