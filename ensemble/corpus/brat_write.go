package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// FormatBRAT returns the annotation (.ann) of a document's text (.txt). A label with white space
// in it is an error.
func FormatBRAT(doc Annotated) ([]byte, error) {
	var b bytes.Buffer
	for i, points := range codePointsOf(doc.Text, doc.Marks) {
		m := doc.Marks[i]
		if m.Label == "" || strings.ContainsFunc(m.Label, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return nil, errors.New("BRAT can't hold a label that is empty or has white space in it")
		}
		fmt.Fprintf(&b, "T%d\t%s %d %d\t%s\n", i+1, m.Label, points[0], points[1], oneLine(doc.Text[m.Start:m.End]))
	}
	return b.Bytes(), nil
}

// oneLine replaces each character that some tool treats as a line end by a blank.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
