package surrogate

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// nationalDigits is how many digits a British number has without the trunk prefix.
const nationalDigits = 10

// regroup returns where a text has the groups of digits of a British number from the one on that ends with the dialling code, and
// how large they are in another number, whose code is longer or shorter: "0113 496 0123" is written like "01632 960 123". There
// are none where groups stay as they are.
func regroup(text, norm, to string) (groups []phi.Range, sizes []int) {
	was, is := codeDigits(norm), codeDigits(to)
	if was == is || was == 0 || is == 0 || len(norm) != len(to) {
		return nil, nil
	}
	rest := nationalDigits - was
	all := digitGroups(text)
	for i := len(all) - 1; i > 0; i-- {
		rest -= all[i].End - all[i].Start
		if rest > 0 {
			continue
		}
		behind := len(all) - i
		if rest < 0 || behind > 2 { // the code is no group of its own, or others are pairs of digits
			return nil, nil
		}
		code, last := all[i-1].End-all[i-1].Start+is-was, min(4, nationalDigits-is-3)
		switch {
		case code < 1:
			return nil, nil
		case behind == 1:
			return all[i-1:], []int{code, nationalDigits - is}
		}
		return all[i-1:], []int{code, nationalDigits - is - last, last}
	}
	return nil, nil
}

// codeDigits returns how many digits the dialling code of a British town has, without the trunk prefix: two in 020, three in 0113 and
// 0161, four in most others; 0 for other numbers.
func codeDigits(norm string) int {
	if len(norm) < nationalDigits {
		return 0
	}
	switch national := norm[len(norm)-nationalDigits:]; {
	case national[0] == '2':
		return 2
	case national[0] != '1':
		return 0
	case national[1] == '1' || national[2] == '1':
		return 3
	}
	return 4
}

// digitGroups returns where a text has digits, one after another.
func digitGroups(text string) []phi.Range {
	var groups []phi.Range
	for at := 0; at < len(text); at++ {
		if n := digitsAt(text[at:]); n > 0 {
			groups = append(groups, phi.Range{Start: at, End: at + n})
			at += n
		}
	}
	return groups
}

// sized returns a text with groups of digits of other sizes.
func sized(text string, groups []phi.Range, sizes []int) string {
	var out strings.Builder
	at := 0
	for i, g := range groups {
		out.WriteString(text[at:g.Start])
		out.WriteString(strings.Repeat("0", sizes[i]))
		at = g.End
	}
	return out.String() + text[at:]
}
