package document

// claim is how a format is known by how its documents begin.
type claim struct {
	format Format
	claims func(data []byte) bool
	// sure says that no text begins like that: a document that does not parse is broken. Otherwise it may be plain text.
	sure bool
}

// claims are asked in this order.
var claims = []claim{
	{RTF, isRTF, true},
	{HL7, isHL7, true},
	{JSON, looksLikeJSON, true},
	{HTML, beginsHTML, true},
	{CDA, beginsCDA, true},
	{XML, beginsXML, true},
	{HTML, holdsHTML, false},
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
