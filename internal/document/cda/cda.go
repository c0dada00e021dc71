package cda

import (
	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/html"
	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/xml"
)

// reader reads clinical documents. What it does not know by name is left out.
type reader struct {
	b          *parts.Builder
	flow       markup.Flow
	namespaces []namespace
	prefix     string // that names of the document's own namespace have, with the colon
	open       []openElement
	gone       int // how many of the open elements have no contents in the output
	ids        map[string]int
}

// openElement is an open element.
type openElement struct {
	element    element
	namespaces int  // how many there were around it
	gone       bool // its contents are left out
	untagged   bool // its tags are left out
	pre        bool // white space in it stays
}

// Read hands all of a clinical document to the builder.
func Read(b *parts.Builder) error {
	scanner, err := xml.Open(b)
	if err != nil {
		return err
	}
	c := reader{b: b, flow: markup.Flow{Builder: b, Writer: markup.Escaper{}}, ids: map[string]int{}}
	for {
		t, err := scanner.Next()
		if err != nil {
			return err
		}
		switch t.Kind {
		case xml.EOF:
			return nil
		case xml.Start:
			if err := c.start(t); err != nil {
				return err
			}
		case xml.End:
			c.end(t.Raw)
		case xml.Characters, xml.CDATA, xml.Skipped:
			c.between(t)
		}
	}
}

// start takes a start tag.
func (c *reader) start(t xml.Token) error {
	frame := openElement{namespaces: c.declare(t)}
	frame.element = c.element(t)
	frame.pre = len(c.open) > 0 && c.open[len(c.open)-1].element.name == "nonXMLBody"
	if len(c.open) == 0 {
		if frame.element.name != "ClinicalDocument" {
			return c.b.Fail("the root element is no ClinicalDocument of HL7 version 3")
		}
		prefix, _ := xml.SplitName(t.Name)
		if prefix != "" {
			c.prefix = prefix + ":"
		}
	}
	switch frame.element.kind {
	case kindUnknown, kindNone:
		frame.gone, frame.untagged = true, true
	case kindUntyped:
		frame.untagged = true
	case kindIdentifier:
		frame.gone = true
	default:
	}
	c.tag(t, &frame)
	if frame.untagged {
		c.namespaces = c.namespaces[:frame.namespaces] // what the tag declares is left out with it
	}
	c.push(frame)
	if t.Empty {
		c.end(nil)
	}
	return nil
}

func (c *reader) push(frame openElement) {
	c.open = append(c.open, frame)
	if frame.gone {
		c.gone++
	}
}

// tag takes the bytes of a start tag.
func (c *reader) tag(t xml.Token, frame *openElement) {
	if c.gone > 0 || frame.untagged {
		c.b.Drop(t.Raw)
		if c.gone == 0 && !frame.gone {
			c.breakLine(frame.element.display)
		}
		return
	}
	c.flow.Edge(frame.element.display)
	tag := c.newTag(t, frame.element)
	if frame.element.kind == kindText && !readable(tag.values) {
		frame.gone, tag.lost = true, true
	}
	at := 1 + len(t.Name)
	c.b.Keep(t.Raw[:at])
	tag.write(t.Attributes)
	for _, a := range t.Attributes {
		at += len(a.Raw)
	}
	c.b.Keep(t.Raw[at:])
}

// readable reports whether the contents of an element are text as it is written.
func readable(attributes map[string]string) bool {
	media, typed := attributes["mediaType"]
	_, compressed := attributes["compression"]
	return attributes["representation"] != "B64" && (!typed || keptValues["readable"][media]) && !compressed
}

// breakLine writes a line break instead of a tag that is left out and was on lines of its own.
func (c *reader) breakLine(d markup.Display) {
	if d != markup.Inline {
		c.b.Put([]byte("<" + c.prefix + "br/>"))
		c.flow.Edge(markup.LineBreak)
	}
}

// end takes an end tag, or ends an element that has none.
func (c *reader) end(raw []byte) {
	frame := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	c.namespaces = c.namespaces[:frame.namespaces]
	if frame.gone {
		c.gone--
	}
	if c.gone > 0 || frame.untagged {
		c.b.Drop(raw)
		if c.gone == 0 && !frame.gone && raw != nil {
			c.breakLine(frame.element.display)
		}
		return
	}
	if frame.element.display != markup.LineBreak {
		c.flow.Edge(frame.element.display)
	}
	c.b.Keep(raw)
}

// between takes what is between tags. Text where the format has none is left out.
func (c *reader) between(t xml.Token) {
	raw := xml.Contents(t)
	switch {
	case c.gone > 0:
		c.b.Drop(t.Raw)
	case c.inText():
		xml.Take(c.b, t, func(raw []byte, as markup.Rules) {
			as.Pre = c.open[len(c.open)-1].pre
			c.flow.Characters(raw, as)
		}, xml.Reference(&c.flow))
	case t.Kind == xml.Characters && char.Spaces(raw) == len(raw):
		c.b.Keep(raw)
	default:
		c.b.Drop(t.Raw)
	}
}

// inText reports whether there may be text here.
func (c *reader) inText() bool {
	if len(c.open) == 0 {
		return false
	}
	switch c.open[len(c.open)-1].element.kind {
	case kindText, kindMarkup, kindUntyped:
		return true
	default:
		return false
	}
}

// element returns what is known of an element where it is.
func (c *reader) element(t xml.Token) element {
	name := c.elementName(t.Name)
	e := elements[name]
	around := element{}
	if len(c.open) > 0 {
		around = c.open[len(c.open)-1].element
	}
	if innerNames[name] {
		if inner, ok := elements[around.name+"/"+name]; ok {
			e = inner
		}
	}
	switch {
	case c.inText():
		return inText(e, t.Name)
	case e.kind == kindMarkup:
		return element{}
	case e.kind == kindPart && around.kind != kindTime && around.kind != kindQuantity:
		return element{}
	case e.kind == kindPart:
		e.kind = around.kind
	case e.kind == kindTyped:
		e.kind = c.typed(t, around)
	}
	return e
}

// inText returns what an element in text is: one of text, a link, or one whose tags are left out.
func inText(e element, name []byte) element {
	if e.kind == kindMarkup || e.kind == kindLink || e.kind == kindNone {
		return e
	}
	_, local := xml.SplitName(name)
	d, shown := html.ShownAs(local)
	if !shown {
		return element{kind: kindNone}
	}
	return element{kind: kindUntyped, display: d}
}

// typed returns what an element holds by its type; without one, what it holds is masked, unless it is media.
func (c *reader) typed(t xml.Token, around element) kind {
	if around.name == "observationMedia" {
		return kindText
	}
	for _, a := range t.Attributes {
		if c.attributeName(a.Name) != "xsi:type" {
			continue
		}
		prefix, local := xml.SplitName([]byte(xml.Unescape(a.Value)))
		if kind, ok := types[local]; ok && (prefix == "" || keptValues["prefix"][prefix]) {
			return kind
		}
	}
	return kindIdentifier
}

// Begins reports whether the root element of a document is that of a clinical document.
func Begins(data []byte) bool { return xml.Root(data) == "ClinicalDocument" }
