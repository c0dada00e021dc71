package text

import (
	"unicode"
	"unicode/utf8"
)

// gluedLabels are labels that notes glue to the word before them where a form's lines were
// joined, in lower case: "NotePt: Moss" and "MossMC # 0937884Date: 10/07/69" (Dernoncourt et
// al., 2016, Table 4). Titles stand before a full stop, the others before a colon or a
// number sign.
var gluedLabels = map[string]string{
	"mc": ":#", "mrn": ":#", "pt": ":", "patient": ":", "name": ":", "dob": ":#", "date": ":", "dd": ":", "dt": ":", "dv": ":", "acct": ":#",
	"account": ":#", "ssn": ":#", "age": ":", "sex": ":", "phone": ":#", "fax": ":#", "tel": ":", "unit": ":#", "room": ":#", "md": ":",
	"dr": ".", "mr": ".", "mrs": ".", "ms": ".",
}

// longestLabel is the length of the longest of them.
const longestLabel = 7

// gluedLabel returns where in the word s[start:end] such a label begins, or 0: at a capital
// behind a small letter (Zhao et al., 2020, split all words there; a name such as McDonald
// is better left whole).
func gluedLabel(s string, start, end int) int {
	cut := 0
	for i := end - 1; i > start && end-i <= longestLabel; i-- {
		if c := s[i]; c >= 'A' && c <= 'Z' && endsLower(s[start:i]) {
			cut = i
			break
		}
	}
	if cut < start+2 {
		return 0
	}
	var lower [longestLabel]byte
	n := copy(lower[:], s[cut:end])
	for i := range n {
		lower[i] |= 0x20
	}
	marks, ok := gluedLabels[string(lower[:n])]
	if !ok {
		return 0
	}
	after := end
	for after < len(s) && marks != "." && (s[after] == ' ' || s[after] == '\t') {
		after++
	}
	for i := range len(marks) {
		if after < len(s) && s[after] == marks[i] {
			return cut
		}
	}
	return 0
}

// endsLower reports whether a text ends in a small letter.
func endsLower(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLower(r)
}
