package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// gluedLabels are labels that notes glue to the word before them where a form's lines were joined, "NotePt: Moss" and
// "MossMC # 0937884Date: 10/07/69" (Dernoncourt et al., 2016, Table 4), with the marks that may follow them.
var gluedLabels = sync.OnceValue(func() map[string]string {
	labels := map[string]string{}
	for list, marks := range map[string]string{"glued/field": ":", "glued/number": ":#", "glued/title": "."} {
		for _, word := range lexicon.Words(list) {
			labels[word] = marks
		}
	}
	return labels
})

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
	var buf [longestLabel]byte
	word, _ := lexicon.LowerASCII(buf[:], s[cut:end])
	marks, after := gluedLabels()[string(word)], s[end:]
	if marks != "." {
		after = strings.TrimLeft(after, " \t")
	}
	if marks == "" || after == "" || strings.IndexByte(marks, after[0]) < 0 {
		return 0
	}
	return cut
}

// endsLower reports whether a text ends in a small letter.
func endsLower(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLower(r)
}
