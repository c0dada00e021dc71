package harvest

import (
	"context"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// namedFinder finds these names and no others.
type namedFinder []string

func (namedFinder) Name() string { return "named" }

func (f namedFinder) Detect(_ context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	first := len(dst)
	for _, name := range f {
		dst = appendFound(dst, note.Text, name, phi.Doctor)
	}
	phi.SortSpans(dst[first:])
	return dst, nil
}

// typedFinder finds a word as a given type.
type typedFinder struct {
	name, word string
	typ        phi.Type
}

func (f typedFinder) Name() string { return f.name }

func (f typedFinder) Detect(_ context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	return appendFound(dst, note.Text, f.word, f.typ), nil
}

func appendFound(dst []phi.Span, text, name string, typ phi.Type) []phi.Span {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return dst
		}
		from += i + len(name)
		dst = append(dst, phi.Span{Start: from - len(name), End: from, Type: typ})
	}
}
