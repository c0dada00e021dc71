package fold

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// leastEncoded is the length below which a word in base64 says too little.
	leastEncoded = 8
	// mostEncoded is the length above which base64 is decoded in pieces; a multiple of 4.
	mostEncoded = 1 << 12
	// encodedOverlap is how much of the next piece is decoded with each, so that what
	// lies over the border is found; a multiple of 4.
	encodedOverlap = 1 << 8
	// leastWrapped is the length from which a line of base64 may go on in the next one.
	leastWrapped = 40
)

// Encoded returns the ranges of base64 in s, each with its padding, of which matches reports true
// for the text they hold or for a part of it. Lines that programs have wrapped are read as one.
func Encoded(s string, matches func(text string) bool) [][2]int {
	var found [][2]int
	joined := 0 // the end of the lines that were last read as one
	for i := 0; i < len(s); {
		end := endOfEncoded(s, i)
		if end-i >= leastEncoded && beginsText(s[i:end]) {
			all := end
			if i >= joined {
				all = endOfWrapped(s, i, end)
				joined = all
			}
			switch {
			case holds(s[i:all], matches):
				end = all
			case all == end || !holds(s[i:end], matches):
				i = end
				continue
			}
			for end < len(s) && s[end] == '=' {
				end++
			}
			found = append(found, [2]int{i, end})
		}
		i = max(end, i+1)
	}
	return found
}

// endOfEncoded returns where the characters of base64 from i on end.
func endOfEncoded(s string, i int) int {
	for i < len(s) && isBase64(s[i]) {
		i++
	}
	return i
}

// endOfWrapped returns where the last of the lines ends that the one at [start, end) goes
// on in.
func endOfWrapped(s string, start, end int) int {
	for end-start >= leastWrapped && (end-start)%4 == 0 {
		next := end
		if next < len(s) && s[next] == '\r' {
			next++
		}
		if next == len(s) || s[next] != '\n' {
			break
		}
		next++
		last := endOfEncoded(s, next)
		if last == next || last < len(s) && !strings.ContainsRune("\r\n=", rune(s[last])) {
			break // none, or a word of a sentence
		}
		start, end = next, last
	}
	return end
}

var plainBase64 = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "")

// holds reports whether base64 holds a text that matches.
func holds(encoded string, matches func(text string) bool) bool {
	s := plainBase64.Replace(encoded)
	for at := 0; at < len(s); at += mostEncoded {
		if part, ok := decoded(s[at:min(len(s), at+mostEncoded+encodedOverlap)]); ok && matches(part) {
			return true
		}
	}
	return false
}

// decoded returns the text that base64 holds; ok is false where it is no text.
func decoded(s string) (text string, ok bool) {
	if len(s)%4 == 1 { // no length of base64
		s = s[:len(s)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return "", false
	}
	text = strings.ToValidUTF8(string(b), " ") // a piece may begin and end inside a character
	return text, readable(text)
}

// beginsText reports whether the first characters of base64 may begin a text: a quick look
// that nearly no word of a note passes.
func beginsText(s string) bool {
	var head [leastEncoded / 4 * 3]byte
	for i := range len(head) / 3 {
		group := uint32(0)
		for _, c := range []byte(s[4*i : 4*i+4]) {
			group = group<<6 | uint32(sextets[c])
		}
		head[3*i], head[3*i+1], head[3*i+2] = byte(group>>16), byte(group>>8), byte(group)
	}
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && i+utf8.UTFMax <= len(head) || r < ' ' && !unicode.IsSpace(r) {
			return false
		}
		i += size
	}
	return true
}

// sextets are the values of the characters of base64, in both its alphabets.
var sextets = func() (t [256]byte) {
	for _, alphabet := range []string{"+/", "-_"} {
		for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + alphabet) {
			t[c] = byte(i)
		}
	}
	return t
}()

// readable reports whether what was decoded is a text: of data, one byte in nine is a
// control character; of a message, those that frame it.
func readable(s string) bool {
	const oneIn = 32
	controls := 0
	for _, r := range s {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			controls++
		}
	}
	return controls*oneIn <= len(s)
}

func isBase64(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
