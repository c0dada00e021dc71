package cdatest

import (
	"encoding/xml"
	"slices"
	"strings"
)

// Written returns the values of attributes and the text of a document, as another parser reads them, and those of them
// that are in elements of a list or are values of identifying attributes.
func Written(document []byte) (all, identifiers []string) {
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	within := 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return all, identifiers
		}
		switch e := token.(type) {
		case xml.StartElement:
			if within > 0 || e.Name.Local == "name" || e.Name.Local == "addr" {
				within++
			}
			for _, a := range e.Attr {
				all = append(all, a.Value)
				if identifies(e.Name.Local, a.Name.Local) {
					identifiers = append(identifiers, a.Value)
				}
			}
		case xml.EndElement:
			within = max(0, within-1)
		case xml.CharData:
			text := strings.TrimSpace(string(e))
			all = append(all, text)
			if within > 0 {
				identifiers = append(identifiers, text)
			}
		}
	}
}

// identifies reports whether an attribute of the header holds what identifies somebody.
func identifies(element, attribute string) bool {
	switch element {
	case "id", "setId":
		return attribute == "extension"
	case "telecom", "birthTime", "effectiveTime", "time":
		return attribute == "value"
	}
	return false
}

// Within reports whether all names of a list are in another one, in the same order.
func Within(names, all []string) bool {
	for _, name := range all {
		if len(names) > 0 && names[0] == name {
			names = names[1:]
		}
	}
	return len(names) == 0
}

// opaque are elements whose contents do not stay.
var opaque = []string{"addr", "name", "telecom", "lotNumberText", "softwareName", "manufacturerModelName"}

// Outline returns the names of the elements of a document, each behind as many blanks as it lies deep. What is in elements whose
// contents do not stay is left out.
func Outline(document []byte) []string {
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	var names []string
	depth, skipped := 0, 0
	for {
		token, err := decoder.Token()
		if err != nil {
			return names
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			if skipped == 0 && slices.Contains(opaque, e.Name.Local) {
				skipped = depth
			}
			if skipped == 0 || skipped == depth {
				names = append(names, strings.Repeat(" ", depth)+e.Name.Local)
			}
		case xml.EndElement:
			if skipped == depth {
				skipped = 0
			}
			depth--
		}
	}
}
