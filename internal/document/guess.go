package document

import (
	"bytes"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// guessedSteps is how many encodings [Guess] undoes.
const guessedSteps = 2

// Guess returns the format and the encoding that a document shows, of which data may be the beginning alone: [Plain] and ""
// of text. The format is "" where what is encoded is no text.
func Guess(data []byte) (Format, encoding.Encoding) { return guess(data, guessedSteps) }

func guess(data []byte, steps int) (Format, encoding.Encoding) {
	if format := claimed(data); format != Plain {
		return format, ""
	}
	for outer, inner := range encoding.Shown(data) {
		if steps == 0 {
			break
		}
		format, chain := guess(inner, steps-1)
		switch {
		case outer == encoding.Base64 && chain == "" && (format == "" || format == Plain && !bytes.ContainsRune(inner, ' ')):
			continue // one long word: a hash, a key
		case chain != "":
			return format, outer + "+" + chain
		}
		return format, outer
	}
	switch {
	case bytes.IndexByte(data, 0) < 0 && isCutUTF8(data):
		return Plain, ""
	case encoding.IsUncompressed(data):
		return Plain, encoding.Windows
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
