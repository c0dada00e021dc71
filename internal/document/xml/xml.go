package xml

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

//go:embed attributes.txt
var attributeList string

// keptValues has the values with which an attribute may stay.
var keptValues = wordlist.ByName(attributeList)

// reader reads XML of which nothing is known. The text of each element is on lines of its own, as it is written.
type reader struct {
	b    *parts.Builder
	flow markup.Flow
	// pieces are what came since the last tag: text, CDATA sections, and what is dropped between them.
	pieces []Token
}

// Read hands all of a document of XML to the builder.
func Read(b *parts.Builder) error {
	scanner, err := Open(b)
	if err != nil {
		return err
	}
	x := reader{b: b, flow: markup.Flow{Builder: b, Writer: markup.Escaper{}}}
	for {
		t, err := scanner.Next()
		if err != nil {
			return err
		}
		if t.Kind != EOF && t.Kind != Start && t.Kind != End {
			x.pieces = append(x.pieces, t)
			continue
		}
		x.flush()
		switch t.Kind {
		case Start:
			x.start(t)
		case End:
			b.Keep(t.Raw)
		case EOF, Characters, CDATA, Skipped:
			return nil
		}
		x.flow.Edge(markup.Block)
	}
}

// start takes a start tag without the attributes that may not stay.
func (x *reader) start(t Token) {
	at := 1 + len(t.Name)
	x.b.Keep(t.Raw[:at])
	for _, a := range t.Attributes {
		if stays(string(a.Name), Unescape(a.Value)) {
			x.b.Keep(a.Raw)
		} else {
			x.b.Drop(a.Raw)
		}
		at += len(a.Raw)
	}
	x.b.Keep(t.Raw[at:])
}

func stays(name, value string) bool {
	if name == "xmlns" || strings.HasPrefix(name, "xmlns:") {
		return true
	}
	values := keptValues[name]
	return slices.Contains(values, value) || slices.Contains(values, "NUMBER") && markup.IsMeasure(value)
}

// flush takes what came since the last tag. White space alone is layout.
func (x *reader) flush() {
	blank := !slices.ContainsFunc(x.pieces, func(t Token) bool {
		raw := Contents(t)
		return char.Spaces(raw) < len(raw)
	})
	for _, t := range x.pieces {
		Take(x.b, t, func(raw []byte, as markup.Rules) {
			if blank {
				x.b.Keep(raw)
				return
			}
			as.Pre = true
			x.flow.Characters(raw, as)
		}, Reference(&x.flow))
	}
	x.pieces = x.pieces[:0]
}

// Take takes a token between tags. A CDATA section becomes plain text, since in it not all text can be written.
func Take(b *parts.Builder, t Token, text func(raw []byte, as markup.Rules), reference func(raw []byte) int) {
	switch t.Kind {
	case Characters:
		text(t.Raw, markup.Rules{Closes: true, Reference: reference})
	case CDATA:
		b.Drop(t.Raw[:len(cdataBegin)])
		text(Contents(t), markup.Rules{Closes: true})
		b.Drop(t.Raw[len(t.Raw)-len(cdataEnd):])
	case Skipped, EOF, Start, End:
		b.Drop(t.Raw)
	}
}

// Contents returns the text in a token.
func Contents(t Token) []byte {
	switch t.Kind {
	case Characters:
		return t.Raw
	case CDATA:
		return t.Raw[len(cdataBegin) : len(t.Raw)-len(cdataEnd)]
	case Skipped, EOF, Start, End:
	}
	return nil
}

// Reference returns what takes a reference in text and returns its length.
func Reference(f *markup.Flow) func(raw []byte) int {
	return func(raw []byte) int {
		r, n, _ := referenceAt(raw)
		f.Unit(char.Typographic.Replace(string(r)), raw[:n])
		return n
	}
}
