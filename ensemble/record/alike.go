package record

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// lookAlikes are the characters, and pairs of them, that scanners take for one another.
type lookAlikes struct {
	one   [utf8.RuneSelf]byte // of each character the one that it is compared as
	digit [utf8.RuneSelf]byte // of what characters are compared as, the digit among them
	pair  map[[2]byte]byte    // of two characters the one that they look like together
	from  [utf8.RuneSelf]bool // a pair begins with the character
}

var alike = sync.OnceValue(func() *lookAlikes {
	a := &lookAlikes{pair: map[[2]byte]byte{}}
	for c := range a.one {
		a.one[c] = byte(c)
		if 'A' <= c && c <= 'Z' {
			a.one[c] += 'a' - 'A'
		}
	}
	for c := byte('0'); c <= '9'; c++ {
		a.digit[c] = c
	}
	for _, line := range lexicon.Words("record/look-alikes") {
		groups := strings.Fields(line)
		to := groups[0][0]
		for _, g := range groups[1:] {
			if len(g) == 1 {
				a.one[g[0]], a.one[strings.ToUpper(g)[0]] = to, to
				a.digit[to] = max(a.digit[to], a.digit[g[0]])
				continue
			}
			a.pair[[2]byte{g[0], g[1]}] = to
			a.from[g[0]] = true
		}
	}
	return a
})

// skeleton appends a folded word in which every character that a scanner takes for others is the
// same one, and, with pairs, every pair that looks like one too. Words that look alike have the
// same skeleton.
func (a *lookAlikes) skeleton(dst, word []byte, pairs bool) []byte {
	for i := 0; i < len(word); i++ {
		c := word[i]
		if pairs && c < utf8.RuneSelf && a.from[c] && i+1 < len(word) {
			if to, ok := a.pair[[2]byte{c, word[i+1]}]; ok {
				c = to
				i++
			}
		}
		if c < utf8.RuneSelf {
			c = a.one[c]
		}
		dst = append(dst, c)
	}
	return dst
}

// digits reads a run of letters and digits as a number if each of its letters looks like a digit,
// else it returns "".
func (a *lookAlikes) digits(run string) string {
	out := []byte(run)
	for i, c := range out {
		if c >= utf8.RuneSelf || a.digit[a.one[c]] == 0 {
			return ""
		}
		if c > '9' {
			out[i] = a.digit[a.one[c]]
		}
	}
	return string(out)
}

// oneEdit reports whether two words differ by one letter that is missing, wrong or too many, or by
// two neighbours that are exchanged.
func oneEdit(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 1:
		return string(a[i:]) == string(b[i+1:])
	case 0:
		return i < len(a) && string(a[i+1:]) == string(b[i+1:]) ||
			i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && string(a[i+2:]) == string(b[i+2:])
	}
	return false
}
