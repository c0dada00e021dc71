package surrogate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spellOut finds the person whose initials a span consists of ("JCS", "J. C. S.") and records
// which names each word abbreviates.
func (w *work) spellOut(words []nameWord) {
	var letters strings.Builder
	for _, word := range words {
		if word.class == nameToken {
			return
		}
		if word.class == initials {
			letters.WriteString(word.plain)
		}
	}
	people := w.people()
	order := people.persons.byInitials(letters.String())
	sure := order != nil
	if !sure {
		order = people.met.byInitials(letters.String())
	}
	for i := range words {
		if n := utf8.RuneCountInString(words[i].plain); len(order) >= n && words[i].class == initials {
			words[i].names, order = order[:n], order[n:]
			words[i].sure = sure
		}
	}
}

// initials replaces letters that abbreviate names: by the initials of the surrogates of a person
// in the record or the text, otherwise by letters that are the same in all notes of the patient.
// Letters that the record does not determine are stored. Full stops and case stay.
func (w *work) initials(text string, word nameWord, family string) string {
	if !word.sure && len(word.names) == 0 {
		if word.names = w.people().persons.allBehind(word.plain, family); word.names != nil {
			word.sure = true
		} else {
			word.names = w.people().met.allBehind(word.plain, family)
		}
	}
	if word.sure {
		return overlayLetters(text, w.lettersOf(word))
	}
	stored := w.find(kindInitials, word.plain+" "+family, func(c *choices, try int) string {
		letters := w.lettersOf(word)
		if try > 8 { // the record holds such letters as a word
			for i := range letters {
				letters[i] = rune(usualLetters[c.below(len(usualLetters))])
			}
		}
		return strings.ToUpper(string(letters)) + " " + strconv.FormatUint(c.uint64()>>16, 36)
	})
	letters, _, _ := strings.Cut(stored, " ")
	return overlayLetters(text, []rune(letters))
}

// lettersOf returns the surrogate letters of initials: of the names that they abbreviate, or of
// each letter by itself.
func (w *work) lettersOf(word nameWord) []rune {
	letters := make([]rune, 0, 4)
	for _, name := range word.names {
		letters = append(letters, w.initialOf(name))
	}
	if len(letters) == 0 {
		for _, l := range word.plain {
			letters = append(letters, w.letter(l))
		}
	}
	return letters
}

// initialOf returns the first letter of a name's surrogate; a name that is itself a single letter
// ("middle: C") is mapped as a letter.
func (w *work) initialOf(name string) rune {
	if utf8.RuneCountInString(name) == 1 {
		l, _ := utf8.DecodeRuneInString(name)
		return w.letter(l)
	}
	l, _ := utf8.DecodeRuneInString(w.nameToken(name, w.people().role(name)))
	return l
}

// Common and rare initials: a letter is replaced by one of the same group.
const (
	usualLetters = "abcdefghjklmnprstvw"
	rareLetters  = "ioquxyz"
)

// letterLabels are labels of the permutation above the numbers of strata.
const letterLabels = 1 << 32

// letter maps a letter to another one, one to one within a patient.
func (w *work) letter(l rune) rune {
	for label, set := range []string{usualLetters, rareLetters} {
		if i := strings.IndexRune(set, unicode.ToLower(l)); i >= 0 {
			return rune(set[w.source.perm.rotate(letterLabels+uint64(label), uint64(len(set)), uint64(i), 0)])
		}
	}
	c := w.source.choices("letter", string(l))
	return rune(usualLetters[c.below(len(usualLetters))])
}

// overlayLetters writes letters over those of a text, in its case.
func overlayLetters(text string, letters []rune) string {
	i := 0
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) || i >= len(letters) {
			return r
		}
		l := letters[i]
		i++
		if unicode.IsLower(r) {
			return unicode.ToLower(l)
		}
		return unicode.ToUpper(l)
	}, text)
}
