package document

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed xml_attributes.txt
var xmlAttributeList string

// xmlAttributes has the values with which an attribute may stay.
var xmlAttributes = lists(xmlAttributeList)

// xmlReader reads XML of which nothing is known. The text of each element is on lines of its own, as it is written.
type xmlReader struct {
	b    *builder
	flow flow
	// pieces are what came since the last tag: text, CDATA sections, and what is dropped between them.
	pieces []xmlToken
}

func parseXML(b *builder) error {
	if err := xmlDocument(b); err != nil {
		return err
	}
	x := xmlReader{b: b, flow: flow{b: b, writer: markupText{}}}
	scanner := xmlScanner{data: b.input, at: b.at}
	for {
		t, err := scanner.next()
		if err != nil {
			return err
		}
		if t.kind != xmlEOF && t.kind != xmlStart && t.kind != xmlEnd {
			x.pieces = append(x.pieces, t)
			continue
		}
		x.flush()
		switch t.kind {
		case xmlStart:
			x.start(t)
		case xmlEnd:
			b.keep(t.raw)
		case xmlEOF, xmlCharacters, xmlCDATA, xmlSkipped:
			return nil
		}
		x.flow.edge(block)
	}
}

// start takes a start tag without the attributes that may not stay.
func (x *xmlReader) start(t xmlToken) {
	at := 1 + len(t.name)
	x.b.keep(t.raw[:at])
	for _, a := range t.attributes {
		if staysInXML(string(a.name), unescaped(a.value)) {
			x.b.keep(a.raw)
		} else {
			x.b.drop(a.raw)
		}
		at += len(a.raw)
	}
	x.b.keep(t.raw[at:])
}

func staysInXML(name, value string) bool {
	if name == "xmlns" || strings.HasPrefix(name, "xmlns:") {
		return true
	}
	values := xmlAttributes[name]
	return slices.Contains(values, value) || slices.Contains(values, "NUMBER") && isMeasure(value)
}

// flush takes what came since the last tag. White space alone is layout.
func (x *xmlReader) flush() {
	blank := !slices.ContainsFunc(x.pieces, func(t xmlToken) bool {
		raw := contents(t)
		return spaces(raw) < len(raw)
	})
	for _, t := range x.pieces {
		take(x.b, t, func(raw []byte, as characters) {
			if blank {
				x.b.keep(raw)
				return
			}
			as.pre = true
			x.flow.characters(raw, as)
		}, x.flow.xmlReference)
	}
	x.pieces = x.pieces[:0]
}

// take takes a token between tags. A CDATA section becomes plain text, since in it not all text can be written.
func take(b *builder, t xmlToken, text func(raw []byte, as characters), reference func(raw []byte) int) {
	switch t.kind {
	case xmlCharacters:
		text(t.raw, characters{closes: true, reference: reference})
	case xmlCDATA:
		b.drop(t.raw[:len(cdataBegin)])
		text(contents(t), characters{closes: true})
		b.drop(t.raw[len(t.raw)-len(cdataEnd):])
	case xmlSkipped, xmlEOF, xmlStart, xmlEnd:
		b.drop(t.raw)
	}
}

// contents returns the text in a token.
func contents(t xmlToken) []byte {
	switch t.kind {
	case xmlCharacters:
		return t.raw
	case xmlCDATA:
		return t.raw[len(cdataBegin) : len(t.raw)-len(cdataEnd)]
	case xmlSkipped, xmlEOF, xmlStart, xmlEnd:
	}
	return nil
}

// xmlReference takes a reference and returns its length.
func (f *flow) xmlReference(raw []byte) int {
	r, n, _ := referenceAt(raw)
	f.unit(typographic.Replace(string(r)), raw[:n])
	return n
}
