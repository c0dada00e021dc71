package cda

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/xml"
	"github.com/pgdeid/pgdeid/internal/terminology"
)

// masked is what elements whose value was left out are marked with: HL7's null flavor for what exists and is not shown.
const masked = ` nullFlavor="MSK"`

// What is fixed in each document of CDA release 2.
const (
	fixedRoot      = "2.16.840.1.113883.1.3"
	fixedExtension = "POCD_HD000040"
)

// startTag decides which attributes of a start tag stay.
type startTag struct {
	reader  *reader
	element element
	values  map[string]string // by name, with the prefix that the document's schema has
	whole   bool              // a code or an amount may stay
	lost    bool              // what the element holds is left out
	null    bool              // the element says itself that it holds nothing
}

// newTag reads the attributes of a start tag.
func (c *reader) newTag(t xml.Token, e element) *startTag {
	tag := &startTag{reader: c, element: e, values: map[string]string{}}
	for _, a := range t.Attributes {
		tag.values[c.attributeName(a.Name)] = xml.Unescape(a.Value)
	}
	switch e.kind {
	case kindCode:
		tag.whole = terminology.IsCode(tag.values["codeSystem"], tag.values["code"])
	case kindQuantity:
		tag.whole = isAmount(tag.values["value"], tag.values["unit"])
	case kindTemplate:
		tag.whole = isTemplate(tag.values["root"])
	case kindFixed:
		tag.whole = tag.values["root"] == fixedRoot && tag.values["extension"] == fixedExtension
	default:
	}
	return tag
}

// write takes the attributes of a start tag, and marks the element where what it holds is left out.
func (tag *startTag) write(attributes []xml.Attribute) {
	b := tag.reader.b
	for _, a := range attributes {
		name := tag.reader.attributeName(a.Name)
		value := tag.values[name]
		if tag.element.kind == kindCode && name == "displayName" && tag.whole {
			tag.shown(a)
			continue
		}
		stays := tag.stays(name, value)
		switch {
		case stays == "":
			tag.lost = tag.lost || carries(tag.element.kind, name)
			b.Drop(a.Raw)
		case stays == value || string(a.Raw) == attribute(a.Name, stays):
			b.Keep(a.Raw)
		default:
			b.Drop(a.Raw)
			b.Put([]byte(attribute(a.Name, stays)))
		}
		tag.null = tag.null || name == "nullFlavor" && stays != ""
	}
	if !tag.null && (tag.lost || tag.element.kind == kindIdentifier || tag.element.kind == kindTemplate && !tag.whole) {
		b.Put([]byte(masked))
	}
}

// attribute writes an attribute whose value needs no escapes.
func attribute(name []byte, value string) string { return " " + string(name) + `="` + value + `"` }

// carries reports whether an attribute holds what its element is there for.
func carries(kind kind, name string) bool {
	switch kind {
	case kindCode, kindStatus:
		return name == "code"
	case kindTime, kindQuantity, kindFlag, kindLink:
		return name == "value"
	case kindTemplate, kindFixed:
		return name == "root"
	default:
		return false
	}
}

// shown takes the name of a code as text: an attribute that people see.
func (tag *startTag) shown(a xml.Attribute) {
	c := tag.reader
	begin := bytes.IndexAny(a.Raw, `"'`) + 1
	end := len(a.Raw) - 1
	text := c.flow.Writer
	c.flow.Writer = markup.Escaper{Quotes: true}
	c.flow.Edge(markup.Block)
	c.b.Keep(a.Raw[:begin])
	c.flow.Characters(a.Raw[begin:end], markup.Rules{Closes: true, Reference: xml.Reference(&c.flow)})
	c.b.Keep(a.Raw[end:])
	c.flow.Edge(markup.Block)
	c.flow.Writer = text
}

// stays returns the value with which an attribute stays, or "".
func (tag *startTag) stays(name, value string) string {
	switch {
	case name == "ID", name == "IDREF", name == "referencedObject":
		return tag.reader.renumber(value)
	case name == "href", tag.element.kind == kindLink && name == "value":
		if target, ok := strings.CutPrefix(value, "#"); ok && !strings.ContainsAny(target, " \t\r\n") && target != "" {
			return "#" + tag.reader.renumber(target)
		}
		return ""
	case name == "xmlns", strings.HasPrefix(name, "xmlns:"):
		return tag.namespace(value)
	case name == "xsi:type":
		prefix, local, found := strings.Cut(value, ":")
		if !found {
			prefix, local = "", value
		}
		if keptValues[name][local] && (prefix == "" || keptValues["prefix"][prefix]) {
			return value
		}
		return ""
	}
	if tag.own(name, value) {
		return value
	}
	return known(keptValues[name], value)
}

// own reports whether an attribute of the kind of element that this is stays.
func (tag *startTag) own(name, value string) bool {
	switch tag.element.kind {
	case kindCode:
		return tag.whole && (name == "code" || name == "codeSystem")
	case kindQuantity:
		return tag.whole && (name == "value" || name == "unit")
	case kindStatus:
		return name == "code" && isStatus(tag.element.name, value)
	case kindFlag:
		return name == "value" && (value == "true" || value == "false")
	case kindTemplate:
		return tag.whole && (name == "root" || name == "extension" && keptValues["version"][value])
	case kindFixed:
		return tag.whole && (name == "root" || name == "extension")
	default:
		return false
	}
}

// namespace returns the name of a namespace if it is known.
func (tag *startTag) namespace(uri string) string {
	switch uri {
	case namespaceV3, namespaceSDTC, namespaceXSI, namespaceV3 + "/voc":
		return uri
	}
	return ""
}

// known returns those of the words of a value that may stay.
func known(values map[string]bool, value string) string {
	if values["NUMBER"] && markup.IsMeasure(value) {
		return value
	}
	words := strings.Fields(value)
	kept := words[:0]
	for _, word := range words {
		if values[word] {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// renumber returns other names for identifiers within the document: n1, n2 and so on, in the order in which they occur.
func (c *reader) renumber(names string) string {
	words := strings.Fields(names)
	for i, name := range words {
		n, ok := c.ids[name]
		if !ok {
			n = len(c.ids) + 1
			c.ids[name] = n
		}
		words[i] = "n" + strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}
