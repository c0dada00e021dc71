package text

import (
	"strings"
	"unicode/utf8"
)

// AppendSentence appends the normal form of a sentence, in which it is counted, shown to the
// person who verifies it, and looked up. Two sentences of one normal form have the same words,
// numbers and marks in the same order, with white space at the same places, so that none of
// them holds PHI that the others do not show:
//
//   - Case is kept: "seen by rose" and "seen by Rose" differ, as do "may" and "May".
//   - Numbers are kept: "Room 7" and "Room 8" differ.
//   - One blank or two and the line break of a wrapped line are one blank. A tab or three
//     blanks are a gap between columns and become a tab: "Smith   Brown stool".
//   - A bullet in front goes, with the blank after it. Hyphens and dashes stay, since names
//     are signed with them, and so do numbers of items: "12. May" may be a date.
func AppendSentence(dst []byte, sentence string) []byte {
	sentence = TrimBullets(sentence)
	first := len(dst)
	for i := 0; i < len(sentence); {
		class, size := ClassOf(sentence[i:])
		if class != SpaceRune && class != LineRune {
			dst = append(dst, sentence[i:i+size]...)
			i += size
			continue
		}
		gap, end := Gap(sentence, i)
		if len(dst) > first && end < len(sentence) {
			dst = append(dst, gap...)
		}
		i = end
	}
	return dst
}

// Gap returns the normal form of the white space that begins at i, and where it ends.
func Gap(s string, i int) (gap string, end int) {
	blanks, breaks, tab := 0, 0, false
	for i < len(s) {
		class, size := ClassOf(s[i:])
		if class != SpaceRune && class != LineRune {
			break
		}
		switch {
		case class == LineRune && !(s[i] == '\n' && i > 0 && s[i-1] == '\r'):
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

// bullets begin items of lists and have no other meaning.
const bullets = "*•▪◦●·■○‣"

// TrimBullets returns a sentence without white space and bullets in front.
func TrimBullets(s string) string {
	for {
		s = trimSpaces(s)
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || !strings.ContainsRune(bullets, r) || size == len(s) {
			return s
		}
		if class, _ := ClassOf(s[size:]); class != SpaceRune && class != LineRune {
			return s
		}
		s = s[size:]
	}
}

func trimSpaces(s string) string {
	for s != "" {
		class, size := ClassOf(s)
		if class != SpaceRune && class != LineRune {
			break
		}
		s = s[size:]
	}
	return s
}
