package html

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

//go:embed elements.txt
var elementList string

//go:embed attributes.txt
var attributeList string

//go:embed implied.txt
var impliedList string

// element is what is known of an element's name.
type element struct {
	known      bool // its tags may stay
	display    markup.Display
	none       bool // left out with its contents
	void       bool // has no end tag
	bare       bool // kept only with an attribute
	pre        bool
	refused    bool
	formatting bool
	border     bool
	tabular    bool
	ends       []implied
}

// implied are the open elements that a start tag ends.
type implied struct {
	ends, upTo map[string]bool
}

var elements = readElements(elementList, impliedList)

func readElements(elements, impliedEnds string) map[string]element {
	all := map[string]element{}
	for class, names := range wordlist.Lines(elements) {
		for _, name := range names {
			e := all[name]
			e.set(class[0])
			all[name] = e
		}
	}
	for names, words := range wordlist.Lines(impliedEnds) {
		ends, upTo := wordlist.Halves(words)
		rule := implied{wordlist.Set(ends), wordlist.Set(upTo)}
		for _, name := range names {
			e := all[name]
			e.ends = append(e.ends, rule)
			all[name] = e
		}
	}
	return all
}

func (e *element) set(class string) {
	if d, ok := markup.Displays[class]; ok {
		e.known, e.display = true, d
		return
	}
	switch class {
	case "none":
		e.none = true
	case "void":
		e.void = true
	case "bare":
		e.bare = true
	case "pre":
		e.pre = true
	case "refused":
		e.refused = true
	case "formatting":
		e.formatting = true
	case "border":
		e.border = true
	case "tabular":
		e.tabular = true
	}
}

// attribute is an attribute that may stay on an element.
type attribute struct{ element, name string } // element is "*" for any

var attributes = readAttributes(attributeList)

func readAttributes(text string) map[attribute][]string {
	all := map[attribute][]string{}
	for names, words := range wordlist.Lines(text) {
		values, elements := wordlist.Halves(words)
		for _, name := range names {
			for _, element := range elements {
				all[attribute{element, name}] = values
			}
		}
	}
	return all
}

// allowed returns the value that an attribute of an element stays with, or reports that it does not stay.
func allowed(element, name, value string) (string, bool) {
	values, ok := attributes[attribute{element, name}]
	if !ok {
		values = attributes[attribute{"*", name}]
	}
	value = strings.TrimSpace(value)
	if slices.Contains(values, value) {
		return value, true
	}
	for _, v := range values {
		switch {
		case v == "FLAG":
			return "", true
		case v == "UTF-8":
			return "utf-8", true
		case v == "NUMBER" && markup.IsMeasure(value), strings.EqualFold(v, value):
			return strings.ToLower(value), true
		}
	}
	return "", false
}

// ShownAs returns how an element is shown among its neighbours; false for one whose contents are not shown.
func ShownAs(name string) (markup.Display, bool) {
	e := elements[name]
	return e.display, !e.none
}
