package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
)

// formats lists every format of documents, in the order of the documentation.
var formats = []document.Format{
	document.Plain, document.RTF, document.HTML, document.XML, document.CDA, document.HL7, document.JSON, document.Auto,
}

// encodings lists every encoding of which chains are made.
var encodings = []encoding.Encoding{
	encoding.Base64, encoding.Hex, encoding.Gzip, encoding.Zlib, encoding.Latin1, encoding.Windows, encoding.UTF16, encoding.OCF,
}

// Encodings lists every encoding that documents in columns of policy text may be wrapped in.
func Encodings() []encoding.Encoding { return slices.Clone(encodings) }

// Formats lists every format that documents in columns of policy text may have.
func Formats() []document.Format { return slices.Clone(formats) }

// chain returns a setter of a chain of encodings.
func chain(dst *encoding.Encoding) func(node) {
	return func(n node) {
		s, ok := n.scalar()
		if !ok {
			return
		}
		if s == "" || !encoding.Encoding(s).Valid() {
			n.fail("unknown encoding %q (none, or a chain of %s, outermost first: base64+gzip)", short(s), list(encodings))
			return
		}
		*dst = encoding.Encoding(s)
	}
}

// IsDocument reports whether the mapping says what the column's texts are written in.
func (c *Column) IsDocument() bool { return c.Format != "" || c.Encoding != "" || len(c.Paths) > 0 }

// Treatment names what is done to the column, as the replica records it: its policy, of documents their format and
// encoding, a hash of its paths, and of lines how they are joined.
func (c *Column) Treatment() string {
	words := []string{string(c.Publish)}
	if c.Format != "" {
		words = append(words, string(c.Format))
	}
	if c.Encoding != "" {
		words = append(words, string(c.Encoding))
	}
	if len(c.Paths) > 0 {
		words = append(words, "paths:"+fingerprint([]any{c.Paths})[:16])
	}
	if c.Separator != "" {
		words = append(words, listWord)
	}
	if c.Join != "" {
		words = append(words, joinWord+string(c.Join))
	}
	return strings.Join(words, " ")
}

// listWord says in a treatment that a text holds many values.
const listWord = "each"

// PolicyOf returns the policy of a treatment.
func PolicyOf(treatment string) Policy {
	policy, _, _ := strings.Cut(treatment, " ")
	return Policy(policy)
}

// Explain says in words what a treatment does to a column, for analysts.
func Explain(treatment string) string {
	words := strings.Fields(treatment)
	text := PolicyOf(treatment).Explain()
	if words[len(words)-1] == listWord {
		words = words[:len(words)-1]
		text += "; the same for each of the values in one text"
	}
	joined := strings.HasPrefix(words[len(words)-1], joinWord)
	if joined {
		words = words[:len(words)-1]
	}
	byPath := len(words) > 1 && strings.HasPrefix(words[len(words)-1], "paths:")
	if byPath {
		words = words[:len(words)-1]
	}
	if len(words) > 1 && words[1] == string(Reference) {
		return text + "; a reference keeps the type of what it leads to"
	}
	kind := strings.Join(words[1:], ", ")
	switch {
	case joined && kind == "":
		text += "; one line of a note, which was searched as a whole"
	case joined:
		text += "; the rows of one note stay one document as in the source (" + kind + "), without comments, pictures and hidden parts"
	case kind != "":
		text += "; values stay documents as in the source (" + kind + "), without comments, pictures and hidden parts"
	}
	if byPath {
		text += "; the mapping says by path what of them is published"
	}
	return text
}

// documentType returns the type in the replica of a column of policy text.
func (c *Column) documentType(source string) (string, error) {
	base, array := strings.CutSuffix(BaseType(source), "[]")
	if array {
		element, err := c.documentType(base)
		if err != nil {
			return "", fmt.Errorf("of an array: %w", err)
		}
		return element + "[]", nil
	}
	if slices.Contains(textTypes, base) {
		return "text", nil
	}
	if !slices.Contains([]string{"bytea", "xml", "json", "jsonb"}, base) {
		return "", unfit(Text, base, "text; with a format also bytea, xml, json and jsonb")
	}
	want := typeFormats(base)
	switch {
	case base == "bytea" && !c.IsDocument():
		return "", fmt.Errorf("policy text does not fit type bytea without a format: {publish: text, format: FORMAT} (one of %s)",
			list(want))
	case !slices.Contains(want, c.Format) && base != "bytea":
		return "", fmt.Errorf("policy text does not fit type %s without its format: {publish: text, format: %s}", base,
			strings.ReplaceAll(list(want), ", ", "} or {publish: text, format: "))
	case base != "bytea" && c.Encoding != "" && c.Encoding != encoding.None:
		return "", fmt.Errorf("a value of type %s is not encoded: leave encoding out", base)
	}
	return base, nil
}

// typeFormats returns the formats that values of a type can have, so that they have the type also afterwards.
func typeFormats(base string) []document.Format {
	switch base {
	case "xml":
		return []document.Format{document.XML, document.CDA, document.HTML}
	case "json", "jsonb":
		return []document.Format{document.JSON}
	}
	return formats
}
