package xml

import (
	"encoding/binary"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// declaration matches the declaration that a document in XML 1.0 can begin with.
var declaration = regexp.MustCompile(`^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')` +
	`(?:\s+encoding\s*=\s*(?:"([A-Za-z][A-Za-z0-9._-]*)"|'([A-Za-z][A-Za-z0-9._-]*)'))?` +
	`(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>`)

// longestDeclaration is how far an XML declaration is looked for.
const longestDeclaration = 512

const utf8Declaration = `<?xml version="1.0" encoding="UTF-8"?>`

// readableEncodings are the encodings of XML that are read, in upper case.
var readableEncodings = []string{"UTF-8", "US-ASCII", "ISO-8859-1", "UTF-16", "UTF-16LE", "UTF-16BE"}

// Open returns a scanner of what is behind the declaration of a document.
func Open(b *parts.Builder) (*Scanner, error) {
	if err := toUTF8(b); err != nil {
		return nil, err
	}
	return &Scanner{data: b.Input(), at: b.At()}, nil
}

// toUTF8 converts a document to UTF-8 where it is in another encoding, and takes its byte order mark and its
// declaration. What is UTF-8 is read as such whatever the declaration says: a database converts texts, not declarations.
func toUTF8(b *parts.Builder) error {
	data, err := fromUTF16(b.Input())
	if err != nil {
		return err
	}
	mark := 0
	if char.HasPrefix(data, char.ByteOrderMark) {
		mark = len(char.ByteOrderMark)
	}
	end, charset, err := declared(data[mark:])
	if err != nil {
		return err
	}
	if !utf8.Valid(data) {
		if charset != "ISO-8859-1" {
			return &syntax.Error{Offset: char.InvalidAt(data), Reason: "the document is not in the encoding that it declares"}
		}
		data = fromLatin1(data)
	}
	b.Convert(data)
	b.Keep(data[:mark])
	declaration := data[mark : mark+end]
	if charset == "" || charset == "UTF-8" {
		b.Keep(declaration)
		return nil
	}
	b.Drop(declaration)
	b.Put([]byte(utf8Declaration))
	return nil
}

// declared returns the length of a document's declaration and the encoding in it, in upper case.
func declared(data []byte) (int, string, error) {
	if !char.HasPrefix(data, "<?xml") || len(data) > len("<?xml") && !char.IsSpace(data[len("<?xml")]) {
		return 0, "", nil
	}
	m := declaration.FindSubmatch(data[:min(len(data), longestDeclaration)])
	if m == nil {
		return 0, "", &syntax.Error{Reason: "an XML declaration that is broken or not of XML 1.0"}
	}
	charset := strings.ToUpper(string(m[1]) + string(m[2]))
	if charset != "" && !slices.Contains(readableEncodings, charset) {
		return 0, "", &syntax.Error{Reason: "an encoding other than UTF-8, US-ASCII, ISO-8859-1 and UTF-16"}
	}
	return len(m[0]), charset, nil
}

// fromUTF16 returns a document in UTF-8 if it is in UTF-16, which it shows in its first bytes, otherwise the document itself.
func fromUTF16(data []byte) ([]byte, error) {
	var order binary.ByteOrder
	switch {
	case char.HasPrefix(data, "\xff\xfe"), char.HasPrefix(data, "<\x00"):
		order = binary.LittleEndian
	case char.HasPrefix(data, "\xfe\xff"), char.HasPrefix(data, "\x00<"):
		order = binary.BigEndian
	default:
		return data, nil
	}
	if len(data)%2 != 0 {
		return nil, &syntax.Error{Offset: len(data), Reason: "half a character of UTF-16"}
	}
	out := make([]byte, 0, len(data)/2+len(data)/8)
	for i := 0; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			if i+4 > len(data) {
				return nil, &syntax.Error{Offset: i, Reason: "half a character of UTF-16"}
			}
			i += 2
			r = utf16.DecodeRune(r, rune(order.Uint16(data[i:])))
			if r == utf8.RuneError {
				return nil, &syntax.Error{Offset: i, Reason: "half a character of UTF-16"}
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, nil
}

// fromLatin1 returns a document in ISO-8859-1 in UTF-8.
func fromLatin1(data []byte) []byte {
	out := make([]byte, 0, len(data)+len(data)/8)
	for _, c := range data {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}
