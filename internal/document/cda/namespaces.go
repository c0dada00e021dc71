package cda

import (
	"github.com/pgdeid/pgdeid/internal/document/xml"
)

// Namespaces of clinical documents.
const (
	namespaceV3   = "urn:hl7-org:v3"
	namespaceSDTC = "urn:hl7-org:sdtc"
	namespaceXSI  = "http://www.w3.org/2001/XMLSchema-instance"
)

// namespace is what a prefix means from its declaration on.
type namespace struct{ prefix, uri string }

// declare takes the namespaces that a start tag declares and returns how many there were before.
func (c *reader) declare(t xml.Token) int {
	before := len(c.namespaces)
	for _, a := range t.Attributes {
		prefix, local := xml.SplitName(a.Name)
		switch {
		case prefix == "xmlns":
			c.namespaces = append(c.namespaces, namespace{local, xml.Unescape(a.Value)})
		case prefix == "" && local == "xmlns":
			c.namespaces = append(c.namespaces, namespace{"", xml.Unescape(a.Value)})
		}
	}
	return before
}

// uri returns the namespace that a prefix means here.
func (c *reader) uri(prefix string) string {
	for i := len(c.namespaces) - 1; i >= 0; i-- {
		if c.namespaces[i].prefix == prefix {
			return c.namespaces[i].uri
		}
	}
	return ""
}

// elementName returns the name of an element as the lists have it, or "" if it is of no known namespace.
func (c *reader) elementName(name []byte) string {
	prefix, local := xml.SplitName(name)
	if prefix != "" && !keptValues["prefix"][prefix] {
		return ""
	}
	switch c.uri(prefix) {
	case namespaceV3:
		return local
	case namespaceSDTC:
		return "sdtc:" + local
	}
	return ""
}

// attributeName returns the name of an attribute as the lists have it, or "" if it is of no known namespace.
func (c *reader) attributeName(name []byte) string {
	prefix, local := xml.SplitName(name)
	switch {
	case prefix == "":
		return local
	case !keptValues["prefix"][prefix] && prefix != "xmlns", prefix == "xmlns" && !keptValues["prefix"][local]:
		return ""
	case prefix == "xmlns":
		return "xmlns:" + local
	case c.uri(prefix) == namespaceXSI:
		return "xsi:" + local
	}
	return ""
}
