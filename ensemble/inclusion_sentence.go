package ensemble

import (
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// AppendSentence appends a sentence as it is counted, verified and looked up. Two
// sentences that come out alike have the same words, numbers and marks in the same
// order, with white space at the same places, so that one can't hold PHI which the
// other does not show to whoever verifies it:
//
//   - Case is kept: "seen by rose" and "seen by Rose" differ, as do "may" and "May".
//   - Numbers are kept: "Room 7" and a room that a person may not be known by differ.
//   - A blank, or two, or the line break of a wrapped line is one blank. A tab or three
//     blanks are a gap between columns, written as a tab: "Smith   Brown stool".
//   - A bullet in front goes, with the blank behind it. Hyphens and dashes stay: they
//     sign names. So do numbers of items: "12. May" may be a date.
func AppendSentence(dst []byte, sentence string) []byte {
	sentence = afterBullets(sentence)
	first := len(dst)
	for i := 0; i < len(sentence); {
		class, size := text.ClassOf(sentence[i:])
		if class != text.SpaceRune && class != text.LineRune {
			dst = append(dst, sentence[i:i+size]...)
			i += size
			continue
		}
		gap, end := scanGap(sentence, i)
		if len(dst) > first && end < len(sentence) {
			dst = append(dst, gap...)
		}
		i = end
	}
	return dst
}

// scanGap returns what stands for the white space at i, and where it ends.
func scanGap(s string, i int) (gap string, end int) {
	blanks, breaks, tab := 0, 0, false
	for i < len(s) {
		class, size := text.ClassOf(s[i:])
		if class != text.SpaceRune && class != text.LineRune {
			break
		}
		switch {
		case class == text.LineRune && !(s[i] == '\n' && i > 0 && s[i-1] == '\r'):
			breaks++
		case s[i] == '\t':
			tab = true
		}
		blanks++
		i += size
	}
	switch {
	case breaks > 1:
		return "\n\n", i
	case breaks == 1:
		return " ", i
	case tab || blanks > 2:
		return "\t", i
	}
	return " ", i
}

// bullets open items of lists and nothing else.
const bullets = "*•▪◦●·■○‣"

// afterBullets returns a sentence from its first word on, without bullets.
func afterBullets(s string) string {
	for {
		s = trimSpaces(s)
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || !strings.ContainsRune(bullets, r) || size == len(s) {
			return s
		}
		if class, _ := text.ClassOf(s[size:]); class != text.SpaceRune && class != text.LineRune {
			return s
		}
		s = s[size:]
	}
}

func trimSpaces(s string) string {
	for s != "" {
		class, size := text.ClassOf(s)
		if class != text.SpaceRune && class != text.LineRune {
			break
		}
		s = s[size:]
	}
	return s
}
