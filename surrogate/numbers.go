package surrogate

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/number"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

// labelWords may occur inside a number's span without being part of the number.
var labelWords = words.Set("known/number-labels")

// id replaces the numbers of an ID or contact span: digits by digits, letters by letters, keeping
// length, punctuation, case and label words ("MRN", "lot"). The numbers of a list are replaced one
// by one.
func (w *work) id(text string, typ phi.Type) string {
	if isPhone(typ) && isOnePhone(text) {
		return w.labelled(text, typ)
	}
	var out strings.Builder
	for text != "" {
		part, sep := text, ""
		if i := strings.IndexAny(text, ",;\n\r"); i >= 0 {
			part, sep = text[:i], text[i:i+1]
		}
		out.WriteString(w.labelled(part, typ))
		out.WriteString(sep)
		text = text[len(part)+len(sep):]
	}
	return out.String()
}

// labelled replaces the one number of a text that may contain label words.
func (w *work) labelled(text string, typ phi.Type) string {
	if typ == phi.Username {
		return w.number(text)
	}
	if isPhone(typ) {
		if at := extensionAt(text); at > 0 {
			return w.labelled(text[:at], typ) + w.labelled(text[at:], phi.IDNum)
		}
	}
	mask := maskLabels(text)
	norm := letter.Alnum(mask)
	if isPhone(typ) {
		if to := w.phone(norm, strings.Contains(mask, "+")); to != "" {
			groups, sizes := regroup(mask, norm, to)
			return overlay(sized(text, groups, sizes), sized(mask, groups, sizes), to)
		}
	}
	if norm == "" { // only label words: replaced rather than kept, to be safe
		mask, norm = text, letter.Alnum(text)
	}
	return overlay(text, mask, w.numberFor(norm, typ))
}

// extensionAt returns the offset of "x123", "ext. 123" after a telephone number, or 0.
func extensionAt(s string) int {
	digits := false
	for _, t := range text.Tokenize(s) {
		if t.Kind == text.Word && digits {
			switch strings.ToLower(s[t.Start:t.End]) {
			case "x", "ext", "extn", "extension":
				return t.Start
			}
		}
		digits = digits || t.Kind == text.Number
	}
	return 0
}

// number replaces a text without label words.
func (w *work) number(text string) string {
	return overlay(text, text, w.numberFor(letter.Alnum(text), phi.IDNum))
}

// maskLabels blanks out the label words of a text, byte for byte. A word that touches a digit is
// part of the number ("53RHM"), except an "x" before an extension.
func maskLabels(s string) string {
	mask := []byte(s)
	for _, t := range text.Tokenize(s) {
		if t.Kind == text.Word && isLabel(s, t) {
			for i := t.Start; i < t.End; i++ {
				mask[i] = ' '
			}
		}
	}
	return string(mask)
}

// isLabel reports whether a word of a number's span is not part of the number: a label word, or an
// ordinary lower-case word that is not a name ("isolette 11").
func isLabel(s string, t text.Token) bool {
	word := s[t.Start:t.End]
	if touchesDigit(s, t) {
		return false
	}
	if labelWords[strings.ToLower(word)] {
		return true
	}
	e, _ := lexicon.Lookup(word)
	return t.Case == text.Lower && len(word) >= 4 && e.Common > 0 && e.Surname == 0 && e.First == 0
}

func touchesDigit(text string, t text.Token) bool {
	if t.End-t.Start >= 3 && (t.Start == 0 || !letter.IsAlnum(rune(text[t.Start-1]))) && digitsAt(text[t.End:]) >= keptZeros {
		return false // "MRN482913" is the number 482913
	}
	before := t.Start > 0 && letter.IsDigit(text[t.Start-1])
	after := t.End < len(text) && letter.IsDigit(text[t.End])
	if word := text[t.Start:t.End]; t.Start == 0 && (strings.EqualFold(word, "x") || strings.EqualFold(word, "ext")) {
		return false // "x12" after a telephone number
	}
	return before || after
}

// digitsAt counts the leading digits of a text.
func digitsAt(text string) int {
	n := 0
	for n < len(text) && letter.IsDigit(text[n]) {
		n++
	}
	return n
}

// overlay writes a surrogate's letters and digits over those of mask within text, in their case.
// Surplus characters are appended.
func overlay(text, mask, surrogate string) string {
	var out strings.Builder
	next := []rune(surrogate)
	last := len(strings.TrimRightFunc(mask, func(r rune) bool { return !letter.IsAlnum(r) }))
	for i, r := range text {
		if !letter.IsAlnum(r) || mask[i] == ' ' || unicode.IsMark(r) {
			out.WriteRune(r)
			continue
		}
		n := 1
		if i >= last-len(string(r)) {
			n = len(next)
		}
		for ; n > 0 && len(next) > 0; n-- {
			if unicode.IsLower(r) {
				out.WriteRune(next[0])
			} else {
				out.WriteRune(unicode.ToUpper(next[0]))
			}
			next = next[1:]
		}
	}
	return out.String()
}

// keptZeros is the number of characters that must follow leading zeros for the zeros to count as
// padding: "00012345" is the number 12345.
const keptZeros = 4

// phone returns the surrogate of a telephone number whose plan has numbers for fiction, or "".
func (w *work) phone(norm string, plus bool) string {
	d := readPhone(norm, plus)
	if isBritishTrunk(norm) && !plus && w.wasAbroad(norm) {
		d = dialled{before: "011", number: norm[len("011"):], form: phoneAbroad}
	}
	if d.form == nil {
		return ""
	}
	to := w.find(kindNumber, d.number, func(c *choices, try int) string { return d.form(w, d.number, c, try) })
	return d.before + to[min(d.cut, len(to)):]
}

// numberFor returns the surrogate of a normalised number. The type only determines the form of a
// new surrogate: a number has one surrogate for all types.
func (w *work) numberFor(norm string, typ phi.Type) string {
	pad := ""
	if rest := strings.TrimLeft(norm, "0"); len(rest) >= keptZeros {
		pad, norm = norm[:len(norm)-len(rest)], rest
	}
	if norm == "" {
		return pad
	}
	if short, ok := w.shortNumber(norm); ok {
		return pad + short
	}
	form := formOf(kindOfNumber(pad+norm, typ), pad)
	return pad + w.find(kindNumber, norm, func(c *choices, try int) string { return form(w, norm, c, try) })
}

// shortLabels are labels, above those of letters, for the permutations of numbers of one and two
// digits.
const shortLabels = letterLabels + 8

// shortNumber maps numbers of one or two digits one to one to others of the same length. There are
// too few to search for a free one: a patient who was in beds 1 to 9 would leave none for the
// last.
func (w *work) shortNumber(norm string) (string, bool) {
	n, err := strconv.Atoi(norm)
	switch {
	case err != nil || norm[0] < '0' || norm[0] > '9' || len(norm) > 2:
		return "", false
	case len(norm) == 2 && n >= 10: // 10 to 99
		return strconv.Itoa(10 + int(w.source.perm.rotate(shortLabels, 90, uint64(n-10), 0))), true
	}
	// 0 to 9, and 00 to 09
	return norm[:len(norm)-1] + strconv.Itoa(int(w.source.perm.rotate(shortLabels+1, 10, uint64(n), 0))), true
}

// form proposes a surrogate for a normalised number.
type form func(w *work, norm string, c *choices, try int) string

// kindOfNumber returns the kind of identifier that a number is, or nil. Telephones, logins and ZIP codes are none.
func kindOfNumber(norm string, typ phi.Type) *number.Kind {
	if isPhone(typ) || typ == phi.Username || typ == phi.Zip {
		return nil
	}
	return number.Of(norm, typ)
}

// formOf returns the form of a number of a kind, nil for any number, behind leading zeros, which are not part of it and
// stay: no authority issues what it proposes, as far as its form tells.
func formOf(kind *number.Kind, pad string) form {
	return func(w *work, norm string, c *choices, try int) string {
		to := pad
		if places := kind.Places(pad + norm); places != nil {
			to = drawn(places, c)
		} else {
			to += anyNumber(w, norm, c, try)
		}
		rest, ok := strings.CutPrefix(to, pad)
		if !ok || !kind.Fits(to) || number.Issued(to) {
			return ""
		}
		return rest
	}
}

// drawn picks a character of each set.
func drawn(sets []string, c *choices) string {
	out := make([]byte, len(sets))
	for i, set := range sets {
		out[i] = set[c.below(len(set))]
	}
	return string(out)
}

func digit(c *choices, low, high int) byte { return byte('0' + low + c.below(high-low+1)) }
