package document

import (
	_ "embed"
	"strings"
)

//go:embed cda_elements.txt
var cdaElementList string

//go:embed cda_attributes.txt
var cdaAttributeList string

// cdaKind says what an element of a clinical document holds.
type cdaKind uint8

const (
	cdaUnknown    cdaKind = iota
	cdaStructure          // elements
	cdaIdentifier         // what is masked
	cdaCode               // a code of a code system
	cdaStatus             // a code of the format
	cdaTime
	cdaQuantity
	cdaPart // a part of a time or a quantity
	cdaFlag
	cdaText
	cdaLink // where a text lies in the document
	cdaTyped
	cdaTemplate
	cdaFixed
	cdaNone    // what is left out, also in text
	cdaMarkup  // an element of text
	cdaUntyped // an element in text whose tags are left out
)

// cdaElement is what is known of an element.
type cdaElement struct {
	name    string
	kind    cdaKind
	display display
}

var cdaClasses = map[string]cdaKind{
	"structure": cdaStructure, "identifier": cdaIdentifier, "code": cdaCode, "status": cdaStatus, "time": cdaTime,
	"quantity": cdaQuantity, "part": cdaPart, "flag": cdaFlag, "text": cdaText, "link": cdaLink, "typed": cdaTyped,
	"template": cdaTemplate, "fixed": cdaFixed, "none": cdaNone,
}

// cdaElements has elements by name, and by the name of the element around them, a slash and their name.
var cdaElements = readCDAElements(cdaElementList)

func readCDAElements(text string) map[string]cdaElement {
	all := map[string]cdaElement{}
	for class, names := range list(text) {
		e := cdaElement{kind: cdaMarkup, display: displays[class[0]]}
		if kind, ok := cdaClasses[class[0]]; ok {
			e = cdaElement{kind: kind, display: block}
		}
		for _, name := range names {
			e.name = name[strings.IndexByte(name, '/')+1:]
			all[name] = e
		}
	}
	return all
}

// cdaInner has the names that mean something else in some elements.
var cdaInner = readCDAInner(cdaElements)

func readCDAInner(elements map[string]cdaElement) map[string]bool {
	inner := map[string]bool{}
	for name, e := range elements {
		if strings.Contains(name, "/") {
			inner[e.name] = true
		}
	}
	return inner
}

var cdaValues = setsOf(cdaAttributeList)

func setsOf(text string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for name, words := range lists(text) {
		all[name] = set(words)
	}
	return all
}

// cdaTypes has what an element holds by the type that it has.
var cdaTypes = readCDATypes(cdaValues)

func readCDATypes(values map[string]map[string]bool) map[string]cdaKind {
	types := map[string]cdaKind{}
	for class, kind := range cdaClasses {
		for name := range values["as-"+class] {
			types[name] = kind
		}
	}
	return types
}
