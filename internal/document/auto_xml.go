package document

import "bytes"

// beginsXML reports whether a document begins with an XML declaration, or is one of the Clinical Document Architecture without
// it, as no text does.
func beginsXML(data []byte) bool {
	rest := data[leading(data):]
	return hasPrefix(rest, "<?xml") && len(rest) > 5 && isSpace(rest[5]) || beginsCDA(data)
}

// beginsCDA reports whether the root of a document is that of the Clinical Document Architecture, behind a declaration and
// comments.
func beginsCDA(data []byte) bool {
	rest := data[leading(data):]
	for {
		end := ""
		switch {
		case hasPrefix(rest, "<?"):
			end = "?>"
		case hasPrefix(rest, "<!--"):
			end = "-->"
		default:
			return isCDARoot(rest)
		}
		n := bytes.Index(rest, []byte(end))
		if n < 0 {
			return false
		}
		rest = bytes.TrimLeft(rest[n+len(end):], " \t\r\n")
	}
}

// isCDARoot reports whether a tag begins here that is the root of a CDA document, also with a prefix.
func isCDARoot(data []byte) bool {
	name, ok := bytes.CutPrefix(data, []byte("<"))
	if !ok {
		return false
	}
	n := bytes.IndexAny(name, " \t\r\n/>")
	if n < 0 {
		return false
	}
	name = name[:n]
	if _, local, ok := bytes.Cut(name, []byte(":")); ok {
		name = local
	}
	return string(name) == "ClinicalDocument"
}

// leading returns the length of what may be before a document: a byte order mark, white space.
func leading(data []byte) int {
	n := 0
	if hasPrefix(data, "\ufeff") {
		n = len("\ufeff")
	}
	for n < len(data) && isSpace(data[n]) {
		n++
	}
	return n
}
