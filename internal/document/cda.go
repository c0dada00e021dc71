package document

// cdaReader reads clinical documents. What it does not know by name is left out.
type cdaReader struct {
	b          *builder
	flow       flow
	namespaces []namespace
	prefix     string // that names of the document's own namespace have, with the colon
	open       []cdaFrame
	gone       int // how many of the open elements have no contents in the output
	ids        map[string]int
}

// cdaFrame is an open element.
type cdaFrame struct {
	element    cdaElement
	namespaces int  // how many there were around it
	gone       bool // its contents are left out
	untagged   bool // its tags are left out
	pre        bool // white space in it stays
}

func parseCDA(b *builder) error {
	if err := xmlDocument(b); err != nil {
		return err
	}
	c := cdaReader{b: b, flow: flow{b: b, writer: markupText{}}, ids: map[string]int{}}
	scanner := xmlScanner{data: b.input, at: b.at}
	for {
		t, err := scanner.next()
		if err != nil {
			return err
		}
		switch t.kind {
		case xmlEOF:
			return nil
		case xmlStart:
			if err := c.start(t); err != nil {
				return err
			}
		case xmlEnd:
			c.end(t.raw)
		case xmlCharacters, xmlCDATA, xmlSkipped:
			c.between(t)
		}
	}
}

// start takes a start tag.
func (c *cdaReader) start(t xmlToken) error {
	frame := cdaFrame{namespaces: c.declare(t)}
	frame.element = c.element(t)
	frame.pre = len(c.open) > 0 && c.open[len(c.open)-1].element.name == "nonXMLBody"
	if len(c.open) == 0 {
		if frame.element.name != "ClinicalDocument" {
			return c.b.fail("the root element is no ClinicalDocument of HL7 version 3")
		}
		prefix, _ := splitName(t.name)
		if prefix != "" {
			c.prefix = prefix + ":"
		}
	}
	switch frame.element.kind {
	case cdaUnknown, cdaNone:
		frame.gone, frame.untagged = true, true
	case cdaUntyped:
		frame.untagged = true
	case cdaIdentifier:
		frame.gone = true
	default:
	}
	c.tag(t, &frame)
	if frame.untagged {
		c.namespaces = c.namespaces[:frame.namespaces] // what the tag declares is left out with it
	}
	c.push(frame)
	if t.empty {
		c.end(nil)
	}
	return nil
}

func (c *cdaReader) push(frame cdaFrame) {
	c.open = append(c.open, frame)
	if frame.gone {
		c.gone++
	}
}

// tag takes the bytes of a start tag.
func (c *cdaReader) tag(t xmlToken, frame *cdaFrame) {
	if c.gone > 0 || frame.untagged {
		c.b.drop(t.raw)
		if c.gone == 0 && !frame.gone {
			c.breakLine(frame.element.display)
		}
		return
	}
	c.flow.edge(frame.element.display)
	tag := c.newTag(t, frame.element)
	if frame.element.kind == cdaText && !readable(tag.values) {
		frame.gone, tag.lost = true, true
	}
	at := 1 + len(t.name)
	c.b.keep(t.raw[:at])
	tag.write(t.attributes)
	for _, a := range t.attributes {
		at += len(a.raw)
	}
	c.b.keep(t.raw[at:])
}

// readable reports whether the contents of an element are text as it is written.
func readable(attributes map[string]string) bool {
	media, typed := attributes["mediaType"]
	_, compressed := attributes["compression"]
	return attributes["representation"] != "B64" && (!typed || cdaValues["readable"][media]) && !compressed
}

// breakLine writes a line break instead of a tag that is left out and was on lines of its own.
func (c *cdaReader) breakLine(d display) {
	if d != inline {
		c.b.put([]byte("<" + c.prefix + "br/>"))
		c.flow.edge(lineBreak)
	}
}

// end takes an end tag, or ends an element that has none.
func (c *cdaReader) end(raw []byte) {
	frame := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	c.namespaces = c.namespaces[:frame.namespaces]
	if frame.gone {
		c.gone--
	}
	if c.gone > 0 || frame.untagged {
		c.b.drop(raw)
		if c.gone == 0 && !frame.gone && raw != nil {
			c.breakLine(frame.element.display)
		}
		return
	}
	if frame.element.display != lineBreak {
		c.flow.edge(frame.element.display)
	}
	c.b.keep(raw)
}

// between takes what is between tags. Text where the format has none is left out.
func (c *cdaReader) between(t xmlToken) {
	raw := contents(t)
	switch {
	case c.gone > 0:
		c.b.drop(t.raw)
	case c.inText():
		take(c.b, t, func(raw []byte, as characters) {
			as.pre = c.open[len(c.open)-1].pre
			c.flow.characters(raw, as)
		}, c.flow.xmlReference)
	case t.kind == xmlCharacters && spaces(raw) == len(raw):
		c.b.keep(raw)
	default:
		c.b.drop(t.raw)
	}
}

// inText reports whether there may be text here.
func (c *cdaReader) inText() bool {
	if len(c.open) == 0 {
		return false
	}
	switch c.open[len(c.open)-1].element.kind {
	case cdaText, cdaMarkup, cdaUntyped:
		return true
	default:
		return false
	}
}

// element returns what is known of an element where it is.
func (c *cdaReader) element(t xmlToken) cdaElement {
	name := c.elementName(t.name)
	e := cdaElements[name]
	around := cdaElement{}
	if len(c.open) > 0 {
		around = c.open[len(c.open)-1].element
	}
	if cdaInner[name] {
		if inner, ok := cdaElements[around.name+"/"+name]; ok {
			e = inner
		}
	}
	switch {
	case c.inText():
		return inText(e, t.name)
	case e.kind == cdaMarkup:
		return cdaElement{}
	case e.kind == cdaPart && around.kind != cdaTime && around.kind != cdaQuantity:
		return cdaElement{}
	case e.kind == cdaPart:
		e.kind = around.kind
	case e.kind == cdaTyped:
		e.kind = c.typed(t, around)
	}
	return e
}

// inText returns what an element in text is: one of text, a link, or one whose tags are left out.
func inText(e cdaElement, name []byte) cdaElement {
	if e.kind == cdaMarkup || e.kind == cdaLink || e.kind == cdaNone {
		return e
	}
	_, local := splitName(name)
	other := htmlElements[local]
	if other.none {
		return cdaElement{kind: cdaNone}
	}
	return cdaElement{kind: cdaUntyped, display: other.display}
}

// typed returns what an element holds by its type; without one, what it holds is masked, unless it is media.
func (c *cdaReader) typed(t xmlToken, around cdaElement) cdaKind {
	if around.name == "observationMedia" {
		return cdaText
	}
	for _, a := range t.attributes {
		if c.attributeName(a.name) != "xsi:type" {
			continue
		}
		prefix, local := splitName([]byte(unescaped(a.value)))
		if kind, ok := cdaTypes[local]; ok && (prefix == "" || cdaValues["prefix"][prefix]) {
			return kind
		}
	}
	return cdaIdentifier
}
