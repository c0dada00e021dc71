package fold

import "unicode/utf8"

// Edit says what [From, To) of a text is read as.
type Edit struct {
	From, To int
	As       string
}

// nearEdit is how many bytes on either side of an edit are read with it.
const nearEdit = 160

// Rewrite reads a text with edits, which are in order and do not overlap. What is far from all of
// them is left out, so that the reading is no longer than the edits and their surroundings.
func Rewrite(s string, edits []Edit) Text {
	if len(edits) == 0 {
		return Text{}
	}
	w := writer{original: s}
	kept := 0 // up to here the text around the last edit is read
	for _, e := range edits {
		if from := runeStart(s, e.From-nearEdit); from > kept {
			w.put(kept, from, betweenTags)
		}
		w.put(e.From, e.To, e.As)
		kept = runeStart(s, e.To+nearEdit)
	}
	w.put(kept, len(s), "")
	return w.text()
}

// runeStart returns i, or where the character begins that it is inside of, within the text.
func runeStart(s string, i int) int {
	i = min(max(i, 0), len(s))
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
