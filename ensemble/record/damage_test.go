package record_test

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Way is one way of writing a value.
type Way struct {
	Name string
	// Write returns the value as it is written this way, or "" if it can't be written so.
	Write func(rng *rand.Rand, value string) string
	// Damages says that letters, digits or what divides them are not those of the value.
	Damages bool
	// Glue says that the blank before or behind the value is left out at times.
	Glue bool
}

// Ways returns every way of writing a value, in the order of reports.
func Ways() []Way {
	return []Way{
		{Name: "plain", Write: func(_ *rand.Rand, value string) string { return value }},
		{Name: "misspelt", Write: Misspelt, Damages: true},
		{Name: "OCR", Write: Scanned, Damages: true},
		{Name: "spelled out", Write: SpelledOut, Damages: true},
		{Name: "lower case", Write: func(_ *rand.Rand, value string) string { return changed(value, strings.ToLower(value)) }},
		{Name: "capitals", Write: func(_ *rand.Rand, value string) string { return changed(value, strings.ToUpper(value)) }},
		{Name: "glued", Write: Glued, Damages: true, Glue: true},
		{Name: "line break", Write: Broken, Damages: true},
	}
}

// changed returns written, or "" if it is the value itself.
func changed(value, written string) string {
	if written == value {
		return ""
	}
	return written
}

// leastMisspelt is the number of letters from which a word with one wrong letter can still be
// recognized.
const leastMisspelt = 5

// Misspelt makes one typing error in one word of letters: a letter is missing, doubled,
// exchanged with its neighbour or replaced by another. The first letter stays.
func Misspelt(rng *rand.Rand, value string) string {
	var words [][2]int
	for _, w := range wordsOf(value) {
		if word := value[w[0]:w[1]]; len(word) >= leastMisspelt && isLetters(word) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return ""
	}
	w := words[rng.IntN(len(words))]
	return changed(value, value[:w[0]]+misspell(rng, value[w[0]:w[1]])+value[w[1]:])
}

func misspell(rng *rand.Rand, word string) string {
	i := 1 + rng.IntN(len(word)-2)
	switch rng.IntN(4) {
	case 0:
		return word[:i] + word[i+1:]
	case 1:
		return word[:i] + word[i:i+1] + word[i:]
	case 2:
		return word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:]
	}
	return word[:i] + string(rune('a'+rng.IntN(26))) + word[i+1:]
}

// confusions are groups of characters that scanners take for one another.
var confusions = [][2]string{
	{"o", "0"},
	{"O", "0"},
	{"l", "1"},
	{"I", "1"},
	{"i", "1"},
	{"l", "I"},
	{"i", "l"},
	{"S", "5"},
	{"s", "5"},
	{"B", "8"},
	{"Z", "2"},
	{"G", "6"},
	{"rn", "m"},
	{"cl", "d"},
	{"vv", "w"},
	{"e", "c"},
	{"h", "b"},
	{"n", "ri"},
}

// Scanned takes one character, or a pair of them, for another that looks like it: not a letter that
// is a word of its own, since an initial that has become another letter is that person's no more.
func Scanned(rng *rand.Rand, value string) string {
	var all []string
	for _, c := range confusions {
		for _, pair := range [][2]string{c, {c[1], c[0]}} {
			for at := 0; ; {
				n := strings.Index(value[at:], pair[0])
				if n < 0 {
					break
				}
				at += n
				if !isInitial(value, at) {
					all = append(all, value[:at]+pair[1]+value[at+len(pair[0]):])
				}
				at += len(pair[0])
			}
		}
	}
	if len(all) == 0 || utf8.RuneCountInString(value) < leastMisspelt {
		return ""
	}
	return all[rng.IntN(len(all))]
}

// isInitial reports whether the byte at i is a letter that is a word of its own.
func isInitial(value string, i int) bool {
	for _, w := range wordsOf(value) {
		if w[0] == i && w[1] == i+1 {
			return isLetters(value[i : i+1])
		}
	}
	return false
}

// digitWords are how digits are said.
var digitWords = [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// leastSpelled is the number of letters from which a word is spelled out.
const leastSpelled = 4

// SpelledOut writes words letter by letter and numbers digit by digit.
func SpelledOut(rng *rand.Rand, value string) string {
	mark := []string{"-", " ", ".", ". "}[rng.IntN(4)]
	if strings.ContainsFunc(value, unicode.IsDigit) {
		return saidDigits(value)
	}
	var b strings.Builder
	done := 0
	for _, w := range wordsOf(value) {
		word := value[w[0]:w[1]]
		if utf8.RuneCountInString(word) < leastSpelled {
			continue
		}
		b.WriteString(value[done:w[0]] + strings.Join(strings.Split(word, ""), mark))
		done = w[1]
	}
	b.WriteString(value[done:])
	return changed(value, b.String())
}

// saidDigits writes a number of digits and marks in words.
func saidDigits(value string) string {
	var said []string
	for _, r := range value {
		switch {
		case r >= '0' && r <= '9':
			said = append(said, digitWords[r-'0'])
		case unicode.IsLetter(r):
			return "" // a street or a code
		}
	}
	if len(said) <= leastMisspelt {
		return ""
	}
	return strings.Join(said, " ")
}

// Glued leaves out the blanks inside a value.
func Glued(_ *rand.Rand, value string) string {
	return changed(value, strings.ReplaceAll(strings.ReplaceAll(value, " ", ""), "\n", ""))
}

// Broken puts the end of a line inside the value: for a blank, or inside a word, with or without a
// hyphen.
func Broken(rng *rand.Rand, value string) string {
	if blanks := strings.Count(value, " "); blanks > 0 && rng.IntN(2) == 0 {
		nth := rng.IntN(blanks)
		at := strings.IndexFunc(value, func(r rune) bool {
			if r == ' ' {
				nth--
			}
			return nth < 0
		})
		return value[:at] + "\n" + value[at+1:]
	}
	var words [][2]int
	for _, w := range wordsOf(value) {
		if w[1]-w[0] > leastMisspelt {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return ""
	}
	w := words[rng.IntN(len(words))]
	at := w[0] + 2 + rng.IntN(w[1]-w[0]-3)
	for !utf8.RuneStart(value[at]) {
		at--
	}
	return value[:at] + []string{"-\n", "\n"}[rng.IntN(2)] + value[at:]
}

// wordsOf returns the runs of letters and digits of a text.
func wordsOf(s string) [][2]int {
	var out [][2]int
	from := -1
	for i, r := range s + " " {
		inWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case inWord && from < 0:
			from = i
		case !inWord && from >= 0:
			out = append(out, [2]int{from, i})
			from = -1
		}
	}
	return out
}

// isLetters reports whether a word consists of ASCII letters.
func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' })
}
