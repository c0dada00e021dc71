package template

import "github.com/pgdeid/pgdeid/ensemble/text"

// gap is the white space before a term, by the first byte of its normal form: a blank, a tab,
// or the line break of a paragraph; 0: none.
type gap byte

func (g gap) String() string {
	switch g {
	case 0:
		return ""
	case '\n':
		return "\n\n"
	}
	return string(rune(g))
}

// term is a piece of a sentence: a run of letters and digits, or a punctuation mark.
type term struct {
	start, end int
	gap        gap  // the white space before it
	class      Slot // of letters and digits; 0: punctuation
}

// nextTerm returns the first term from i on. At the end of the text it is empty.
func nextTerm(s string, i int) term {
	t := term{start: i}
	class, size := text.ClassOf(s[i:])
	if class == text.SpaceRune || class == text.LineRune {
		var space string
		space, t.start = text.Gap(s, i)
		t.gap = gap(space[0])
		if t.start == len(s) {
			t.end = t.start
			return t
		}
		class, size = text.ClassOf(s[t.start:])
	}
	t.end = t.start + size
	letters, digits := false, false
	for {
		switch class {
		case text.PunctRune, text.SpaceRune, text.LineRune:
			t.class = slotOf(letters, digits)
			return t
		case text.DigitRune:
			digits = true
		default:
			letters = true
		}
		if t.end == len(s) {
			t.class = slotOf(letters, digits)
			return t
		}
		if class, size = text.ClassOf(s[t.end:]); class == text.PunctRune || class == text.SpaceRune || class == text.LineRune {
			continue
		}
		t.end += size
	}
}

func slotOf(letters, digits bool) Slot {
	switch {
	case letters && digits:
		return MixedSlot
	case letters:
		return WordSlot
	case digits:
		return NumberSlot
	}
	return 0
}
