package document

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"unicode/utf8"
)

// Of a document, [Guess] unpacks guessedBytes at most, and it undoes guessedSteps encodings.
const (
	guessedBytes = 64 << 10
	guessedSteps = 2
)

// shortestDigits is the number of digits of base64 that a document has at least: shorter ones are names and keys.
const shortestDigits = 64

// peels undo an encoding that data show they are in, as far as data go; they return nil where data don't.
var peels = []struct {
	encoding Encoding
	peel     func(data []byte) []byte
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
	data, _ := io.ReadAll(io.LimitReader(r, guessedBytes)) // they may be cut off
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

// Guess returns the format and the encoding that a document shows, of which data may be the beginning alone: [Plain] and ""
// of text. The format is "" where what is encoded is no text.
func Guess(data []byte) (Format, Encoding) { return guess(data, guessedSteps) }

func guess(data []byte, steps int) (Format, Encoding) {
	if format := claimed(data); format != Plain {
		return format, ""
	}
	for _, p := range peels {
		if steps == 0 {
			break
		}
		inner := p.peel(data)
		if len(inner) == 0 {
			continue
		}
		format, encoding := guess(inner, steps-1)
		switch {
		case p.encoding == Base64 && encoding == "" && (format == "" || format == Plain && !bytes.ContainsRune(inner, ' ')):
			continue // one long word: a hash, a key
		case encoding != "":
			return format, p.encoding + "+" + encoding
		}
		return format, p.encoding
	}
	switch {
	case bytes.IndexByte(data, 0) < 0 && isCutUTF8(data):
		return Plain, ""
	case isUncompressed(data):
		return Plain, Windows
	}
	return "", ""
}

// claimed returns the format that claims data, whether or not they are whole.
func claimed(data []byte) Format {
	for _, c := range claims {
		if !c.claims(data) {
			continue
		}
		if _, err := Parse(c.format, data); err == nil || c.sure {
			return c.format
		}
	}
	return Plain
}

// isCutUTF8 reports whether data are UTF-8, of which the last character may be cut.
func isCutUTF8(data []byte) bool {
	for cut := range min(utf8.UTFMax, len(data)+1) {
		if utf8.Valid(data[:len(data)-cut]) {
			return true
		}
	}
	return false
}
