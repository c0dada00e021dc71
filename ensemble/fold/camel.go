package fold

import "unicode"

// CamelCase reads a text with a blank between the words that "AnnMossDocs" and "MOSSAnn"
// glue together.
func CamelCase(s string) Text {
	w := writer{original: s}
	var before, last rune // of the word
	at := 0               // of last
	for i, r := range s {
		switch {
		case unicode.IsLower(last) && unicode.IsUpper(r):
			w.put(i, i, " ")
		case unicode.IsUpper(before) && unicode.IsUpper(last) && unicode.IsLower(r):
			w.put(at, at, " ")
		}
		before, last, at = last, r, i
	}
	return w.text()
}
