package xml

import (
	"bytes"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// claimWithin is how far the begin of a document is looked at.
const claimWithin = 16 << 10

// Begins reports whether a document begins with a declaration of XML.
func Begins(data []byte) bool {
	data, err := fromUTF16(data)
	if err != nil {
		return false
	}
	data = bytes.TrimPrefix(data, []byte(char.ByteOrderMark))
	return char.HasPrefix(data, "<?xml") && len(data) > len("<?xml") && char.IsSpace(data[len("<?xml")])
}

// Root returns the name of a document's root element, without a prefix, or "" where it does not begin with one.
func Root(data []byte) string {
	scanner, err := Open(parts.NewBuilder(data))
	if err != nil {
		return ""
	}
	for scanner.at < claimWithin {
		t, err := scanner.Next()
		if err != nil || t.Kind == EOF {
			return ""
		}
		if t.Kind == Start {
			_, local := SplitName(t.Name)
			return local
		}
	}
	return ""
}
