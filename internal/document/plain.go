package document

import (
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// readPlain takes everything as text.
func readPlain(b *parts.Builder) error {
	if !utf8.Valid(b.Input()) {
		return &syntax.Error{Offset: char.InvalidAt(b.Input()), Reason: "the text is not UTF-8"}
	}
	b.Plain(b.Input(), parts.Verbatim{})
	return nil
}
