package document

import (
	"bytes"
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
func (c *cdaReader) declare(t xmlToken) int {
	before := len(c.namespaces)
	for _, a := range t.attributes {
		prefix, local := splitName(a.name)
		switch {
		case prefix == "xmlns":
			c.namespaces = append(c.namespaces, namespace{local, unescaped(a.value)})
		case prefix == "" && local == "xmlns":
			c.namespaces = append(c.namespaces, namespace{"", unescaped(a.value)})
		}
	}
	return before
}

// splitName returns the prefix of a name and what is behind it.
func splitName(name []byte) (prefix, local string) {
	before, after, found := bytes.Cut(name, []byte(":"))
	if !found {
		return "", string(name)
	}
	return string(before), string(after)
}

// uri returns the namespace that a prefix means here.
func (c *cdaReader) uri(prefix string) string {
	for i := len(c.namespaces) - 1; i >= 0; i-- {
		if c.namespaces[i].prefix == prefix {
			return c.namespaces[i].uri
		}
	}
	return ""
}

// elementName returns the name of an element as the lists have it, or "" if it is of no known namespace.
func (c *cdaReader) elementName(name []byte) string {
	prefix, local := splitName(name)
	if prefix != "" && !cdaValues["prefix"][prefix] {
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
func (c *cdaReader) attributeName(name []byte) string {
	prefix, local := splitName(name)
	switch {
	case prefix == "":
		return local
	case !cdaValues["prefix"][prefix] && prefix != "xmlns", prefix == "xmlns" && !cdaValues["prefix"][local]:
		return ""
	case prefix == "xmlns":
		return "xmlns:" + local
	case c.uri(prefix) == namespaceXSI:
		return "xsi:" + local
	}
	return ""
}
