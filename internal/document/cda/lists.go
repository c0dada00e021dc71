package cda

import (
	_ "embed"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

//go:embed elements.txt
var elementList string

//go:embed attributes.txt
var attributeList string

// kind says what an element of a clinical document holds.
type kind uint8

const (
	kindUnknown    kind = iota
	kindStructure       // elements
	kindIdentifier      // what is masked
	kindCode            // a code of a code system
	kindStatus          // a code of the format
	kindTime
	kindQuantity
	kindPart // a part of a time or a quantity
	kindFlag
	kindText
	kindLink // where a text lies in the document
	kindTyped
	kindTemplate
	kindFixed
	kindNone    // what is left out, also in text
	kindMarkup  // an element of text
	kindUntyped // an element in text whose tags are left out
)

// element is what is known of an element.
type element struct {
	name    string
	kind    kind
	display markup.Display
}

var classes = map[string]kind{
	"structure": kindStructure, "identifier": kindIdentifier, "code": kindCode, "status": kindStatus, "time": kindTime,
	"quantity": kindQuantity, "part": kindPart, "flag": kindFlag, "text": kindText, "link": kindLink, "typed": kindTyped,
	"template": kindTemplate, "fixed": kindFixed, "none": kindNone,
}

// elements has elements by name, and by the name of the element around them, a slash and their name.
var elements = readElements(elementList)

func readElements(text string) map[string]element {
	all := map[string]element{}
	for class, names := range wordlist.Lines(text) {
		e := element{kind: kindMarkup, display: markup.Displays[class[0]]}
		if kind, ok := classes[class[0]]; ok {
			e = element{kind: kind, display: markup.Block}
		}
		for _, name := range names {
			e.name = name[strings.IndexByte(name, '/')+1:]
			all[name] = e
		}
	}
	return all
}

// innerNames has the names that mean something else in some elements.
var innerNames = readInner(elements)

func readInner(elements map[string]element) map[string]bool {
	inner := map[string]bool{}
	for name, e := range elements {
		if strings.Contains(name, "/") {
			inner[e.name] = true
		}
	}
	return inner
}

var keptValues = setsOf(attributeList)

func setsOf(text string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for name, words := range wordlist.ByName(text) {
		all[name] = wordlist.Set(words)
	}
	return all
}

// types has what an element holds by the type that it has.
var types = readTypes(keptValues)

func readTypes(values map[string]map[string]bool) map[string]kind {
	types := map[string]kind{}
	for class, kind := range classes {
		for name := range values["as-"+class] {
			types[name] = kind
		}
	}
	return types
}
