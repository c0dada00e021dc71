package document

import (
	"github.com/pgdeid/pgdeid/internal/document/cda"
	"github.com/pgdeid/pgdeid/internal/document/hl7"
	"github.com/pgdeid/pgdeid/internal/document/html"
	"github.com/pgdeid/pgdeid/internal/document/json"
	"github.com/pgdeid/pgdeid/internal/document/rtf"
	"github.com/pgdeid/pgdeid/internal/document/xml"
)

// claim is how a format is known by how its documents begin.
type claim struct {
	format Format
	claims func(data []byte) bool
	// sure says that no text begins like that: a document that does not parse is broken. Otherwise it may be plain text.
	sure bool
}

// claims are asked in this order.
var claims = []claim{
	{RTF, rtf.Begins, true},
	{HL7, hl7.Begins, true},
	{JSON, json.LooksLike, true},
	{HTML, html.Begins, true},
	{CDA, cda.Begins, true},
	{XML, xml.Begins, true},
	{HTML, html.Holds, false},
}

// parseAuto reads a document in the first format that claims it and in which it parses whole. What no format claims is
// plain text.
func parseAuto(data []byte) (*Document, error) {
	for _, c := range claims {
		if !c.claims(data) {
			continue
		}
		d, err := Parse(c.format, data)
		if err == nil || c.sure {
			return d, err
		}
	}
	return Parse(Plain, data)
}
