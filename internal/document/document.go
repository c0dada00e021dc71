package document

import (
	"fmt"

	"github.com/pgdeid/pgdeid/internal/document/array"
	"github.com/pgdeid/pgdeid/internal/document/cda"
	"github.com/pgdeid/pgdeid/internal/document/encoding"
	"github.com/pgdeid/pgdeid/internal/document/hl7"
	"github.com/pgdeid/pgdeid/internal/document/html"
	"github.com/pgdeid/pgdeid/internal/document/json"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/rtf"
	"github.com/pgdeid/pgdeid/internal/document/xml"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// Document is what a person reads in a document, and where it lies there.
//
// It holds PHI and prints itself redacted.
type Document = parts.Document

// Edit puts a text in the place of a range of a document's text.
//
// It holds PHI and prints itself redacted.
type Edit = parts.Edit

// Format names a way to write documents.
type Format = parts.Format

// Formats.
const (
	Plain Format = "plain" // UTF-8, all of it text
	RTF   Format = "rtf"
	HTML  Format = "html"
	XML   Format = "xml"
	CDA   Format = "cda" // HL7 Clinical Document Architecture, release 2
	HL7   Format = "hl7v2"
	JSON  Format = "json"
	Auto  Format = "auto" // the format that the document itself shows it has
)

// parsers has the parser of each format. It hands all of the builder's input to the builder.
var parsers = map[Format]func(*parts.Builder) error{
	Plain: readPlain,
	RTF:   rtf.Read,
	HL7:   hl7.Read,
	JSON:  json.Read,
	HTML:  html.Read,
	XML:   xml.Read,
	CDA:   cda.Read,
}

// Parse reads a document. What it can't read whole is an error without any of the document's text in it.
// The document keeps data, which must not change afterwards.
func Parse(format Format, data []byte) (*Document, error) {
	if format == Auto {
		return parseAuto(data)
	}
	parse, ok := parsers[format]
	if !ok {
		return nil, unknownFormat(format)
	}
	return parts.Parse(format, data, parse)
}

// ParseArray reads an array as PostgreSQL writes it. Each element is a document of its own, which open reads, and a text of its own
// within the text of the whole.
func ParseArray(data []byte, open func(element []byte) (*Document, encoding.Coding, error)) (*Document, error) {
	return parts.Parse("an array", data, func(b *parts.Builder) error { return array.Read(b, open) })
}

func unknownFormat(format Format) error {
	return fault.New("read a document", fmt.Errorf("no format is called %q", string(format)), "see the formats of package document")
}
