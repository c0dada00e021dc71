package document

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/internal/terminology"
)

// masked is what elements whose value was left out are marked with: HL7's null flavor for what exists and is not shown.
const masked = ` nullFlavor="MSK"`

// What is fixed in each document of CDA release 2.
const (
	fixedRoot      = "2.16.840.1.113883.1.3"
	fixedExtension = "POCD_HD000040"
)

// cdaTag decides which attributes of a start tag stay.
type cdaTag struct {
	reader  *cdaReader
	element cdaElement
	values  map[string]string // by name, with the prefix that the document's schema has
	whole   bool              // a code or an amount may stay
	lost    bool              // what the element holds is left out
	null    bool              // the element says itself that it holds nothing
}

// newTag reads the attributes of a start tag.
func (c *cdaReader) newTag(t xmlToken, e cdaElement) *cdaTag {
	tag := &cdaTag{reader: c, element: e, values: map[string]string{}}
	for _, a := range t.attributes {
		tag.values[c.attributeName(a.name)] = unescaped(a.value)
	}
	switch e.kind {
	case cdaCode:
		tag.whole = terminology.IsCode(tag.values["codeSystem"], tag.values["code"])
	case cdaQuantity:
		tag.whole = isAmount(tag.values["value"], tag.values["unit"])
	case cdaTemplate:
		tag.whole = isTemplate(tag.values["root"])
	case cdaFixed:
		tag.whole = tag.values["root"] == fixedRoot && tag.values["extension"] == fixedExtension
	default:
	}
	return tag
}

// write takes the attributes of a start tag, and marks the element where what it holds is left out.
func (tag *cdaTag) write(attributes []xmlAttribute) {
	b := tag.reader.b
	for _, a := range attributes {
		name := tag.reader.attributeName(a.name)
		value := tag.values[name]
		if tag.element.kind == cdaCode && name == "displayName" && tag.whole {
			tag.shown(a)
			continue
		}
		stays := tag.stays(name, value)
		switch {
		case stays == "":
			tag.lost = tag.lost || carries(tag.element.kind, name)
			b.drop(a.raw)
		case stays == value || string(a.raw) == attribute(a.name, stays):
			b.keep(a.raw)
		default:
			b.drop(a.raw)
			b.put([]byte(attribute(a.name, stays)))
		}
		tag.null = tag.null || name == "nullFlavor" && stays != ""
	}
	if !tag.null && (tag.lost || tag.element.kind == cdaIdentifier || tag.element.kind == cdaTemplate && !tag.whole) {
		b.put([]byte(masked))
	}
}

// attribute writes an attribute whose value needs no escapes.
func attribute(name []byte, value string) string { return " " + string(name) + `="` + value + `"` }

// carries reports whether an attribute holds what its element is there for.
func carries(kind cdaKind, name string) bool {
	switch kind {
	case cdaCode, cdaStatus:
		return name == "code"
	case cdaTime, cdaQuantity, cdaFlag, cdaLink:
		return name == "value"
	case cdaTemplate, cdaFixed:
		return name == "root"
	default:
		return false
	}
}

// shown takes the name of a code as text: an attribute that people see.
func (tag *cdaTag) shown(a xmlAttribute) {
	c := tag.reader
	begin := bytes.IndexAny(a.raw, `"'`) + 1
	end := len(a.raw) - 1
	text := c.flow.writer
	c.flow.writer = markupText{quotes: true}
	c.flow.edge(block)
	c.b.keep(a.raw[:begin])
	c.flow.characters(a.raw[begin:end], characters{closes: true, reference: c.flow.xmlReference})
	c.b.keep(a.raw[end:])
	c.flow.edge(block)
	c.flow.writer = text
}

// stays returns the value with which an attribute stays, or "".
func (tag *cdaTag) stays(name, value string) string {
	switch {
	case name == "ID", name == "IDREF", name == "referencedObject":
		return tag.reader.renumber(value)
	case name == "href", tag.element.kind == cdaLink && name == "value":
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
		if cdaValues[name][local] && (prefix == "" || cdaValues["prefix"][prefix]) {
			return value
		}
		return ""
	}
	if tag.own(name, value) {
		return value
	}
	return known(cdaValues[name], value)
}

// own reports whether an attribute of the kind of element that this is stays.
func (tag *cdaTag) own(name, value string) bool {
	switch tag.element.kind {
	case cdaCode:
		return tag.whole && (name == "code" || name == "codeSystem")
	case cdaQuantity:
		return tag.whole && (name == "value" || name == "unit")
	case cdaStatus:
		return name == "code" && isStatus(tag.element.name, value)
	case cdaFlag:
		return name == "value" && (value == "true" || value == "false")
	case cdaTemplate:
		return tag.whole && (name == "root" || name == "extension" && cdaValues["version"][value])
	case cdaFixed:
		return tag.whole && (name == "root" || name == "extension")
	default:
		return false
	}
}

// namespace returns the name of a namespace if it is known.
func (tag *cdaTag) namespace(uri string) string {
	switch uri {
	case namespaceV3, namespaceSDTC, namespaceXSI, namespaceV3 + "/voc":
		return uri
	}
	return ""
}

// known returns those of the words of a value that may stay.
func known(values map[string]bool, value string) string {
	if values["NUMBER"] && isMeasure(value) {
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
func (c *cdaReader) renumber(names string) string {
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
