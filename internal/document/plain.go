package document

import (
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// verbatim writes text as it is.
type verbatim struct{}

func (verbatim) write(dst []byte, s string) []byte { return append(dst, s...) }

// parsePlain takes everything as text.
func parsePlain(b *builder) error {
	if !utf8.Valid(b.input) {
		return &syntax.Error{Offset: invalidAt(b.input), Reason: "the text is not UTF-8"}
	}
	b.plain(b.input, verbatim{})
	return nil
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}
