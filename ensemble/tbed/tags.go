package tbed

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Tag is what a rule changes: O, or the beginning (B-) or continuation (I-) of a span of a type.
type Tag uint8

const (
	// Outside is the tag of a token that is not PHI.
	Outside Tag = 0
	// edge is the tag before the first and after the last token of a sentence.
	edge Tag = 255
)

// Begin returns the tag of the first token of a span.
func Begin(t phi.Type) Tag { return Tag(t)*2 - 1 }

// Inside returns the tag of a later token of a span.
func Inside(t phi.Type) Tag { return Tag(t) * 2 }

// Type returns the type of the span that a token belongs to, None outside of spans.
func (t Tag) Type() phi.Type {
	if t == Outside || t == edge {
		return phi.None
	}
	return phi.Type((t + 1) / 2)
}

// Begins reports whether the token is the first of a span.
func (t Tag) Begins() bool { return t != edge && t%2 == 1 }

// tagCount is the number of tags without edge.
var tagCount = 1 + 2*len(phi.Types())

// edgeWord is the word in rules for positions beyond the ends of a sentence.
const edgeWord = "edge"

// String returns "O", "B-DOCTOR", "I-DOCTOR" or, beyond a sentence, "edge".
func (t Tag) String() string {
	switch {
	case t == Outside:
		return "O"
	case t == edge:
		return edgeWord
	case t.Begins():
		return "B-" + t.Type().String()
	default:
		return "I-" + t.Type().String()
	}
}

// ParseTag is the inverse of [Tag.String] for all tags but edge.
func ParseTag(s string) (Tag, error) {
	if s == "O" {
		return Outside, nil
	}
	prefix, name, ok := strings.Cut(s, "-")
	if !ok || prefix != "B" && prefix != "I" {
		return 0, fmt.Errorf("%q is no tag: want O, B-TYPE or I-TYPE", s)
	}
	typ, err := phi.ParseType(name)
	if err != nil {
		return 0, fmt.Errorf("%w (known: %s)", err, typeList())
	}
	if prefix == "B" {
		return Begin(typ), nil
	}
	return Inside(typ), nil
}

func typeList() string {
	var names []string
	for _, t := range phi.Types() {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}
