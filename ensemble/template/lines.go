package template

import (
	"iter"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// withLines yields a sentence and then, if it has several, its lines.
func withLines(s string, sentence phi.Range) iter.Seq[phi.Range] {
	return func(yield func(phi.Range) bool) {
		if !yield(sentence) || !mayBreak(s[sentence.Start:sentence.End]) {
			return
		}
		start, whole := -1, true // start is -1 within white space
		end := sentence.Start
		for i := sentence.Start; i < sentence.End; {
			class, size := text.ClassOf(s[i:])
			if class == text.LineRune && start >= 0 {
				whole = false
				if !yield(phi.Range{Start: start, End: end}) {
					return
				}
				start = -1
			}
			i += size
			if class != text.LineRune && class != text.SpaceRune {
				if start < 0 {
					start = i - size
				}
				end = i
			}
		}
		if !whole && start >= 0 {
			yield(phi.Range{Start: start, End: end})
		}
	}
}

// mayBreak reports whether a text may have a line break: one of four bytes, or the first byte
// of U+0085, U+2028 and U+2029.
func mayBreak(s string) bool {
	for _, c := range []byte{'\n', '\r', '\v', '\f', 0xc2, 0xe2} {
		if strings.IndexByte(s, c) >= 0 {
			return true
		}
	}
	return false
}
