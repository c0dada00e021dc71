package document

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed html_elements.txt
var htmlElementList string

//go:embed html_attributes.txt
var htmlAttributeList string

//go:embed html_implied.txt
var htmlImpliedList string

// htmlElement is what is known of an element's name.
type htmlElement struct {
	known      bool // its tags may stay
	display    display
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

var htmlElements = readHTMLElements(htmlElementList, htmlImpliedList)

func readHTMLElements(elements, impliedEnds string) map[string]htmlElement {
	all := map[string]htmlElement{}
	for class, names := range list(elements) {
		for _, name := range names {
			e := all[name]
			e.set(class[0])
			all[name] = e
		}
	}
	for names, words := range list(impliedEnds) {
		ends, upTo := halves(words)
		rule := implied{set(ends), set(upTo)}
		for _, name := range names {
			e := all[name]
			e.ends = append(e.ends, rule)
			all[name] = e
		}
	}
	return all
}

// displays has the classes of elements whose tags may stay.
var displays = map[string]display{
	"inline": inline, "block": block, "paragraph": paragraph, "row": row, "cell": cell, "break": lineBreak,
}

func (e *htmlElement) set(class string) {
	if d, ok := displays[class]; ok {
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

// htmlAttribute is an attribute that may stay on an element.
type htmlAttribute struct{ element, name string } // element is "*" for any

var htmlAttributes = readHTMLAttributes(htmlAttributeList)

func readHTMLAttributes(text string) map[htmlAttribute][]string {
	all := map[htmlAttribute][]string{}
	for names, words := range list(text) {
		values, elements := halves(words)
		for _, name := range names {
			for _, element := range elements {
				all[htmlAttribute{element, name}] = values
			}
		}
	}
	return all
}

// allowed returns the value that an attribute of an element stays with, or reports that it does not stay.
func allowed(element, name, value string) (string, bool) {
	values, ok := htmlAttributes[htmlAttribute{element, name}]
	if !ok {
		values = htmlAttributes[htmlAttribute{"*", name}]
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
		case v == "NUMBER" && isMeasure(value), strings.EqualFold(v, value):
			return strings.ToLower(value), true
		}
	}
	return "", false
}

// isMeasure reports whether a value is up to four digits, in percent or not.
func isMeasure(value string) bool {
	value = strings.TrimSuffix(value, "%")
	return value != "" && len(value) <= 4 && strings.Trim(value, "0123456789") == ""
}
