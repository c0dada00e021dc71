package ensemble

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How long a word in base64 is: below, it says too little; above, it is decoded in pieces.
const (
	leastEncoded = 8
	mostEncoded  = 1 << 12 // a multiple of 4
)

// encoded finds text in base64 that holds a word of the record. It is taken whole.
func (r *oddReader) encoded() {
	for i := 0; i < len(r.text); {
		end := i
		for end < len(r.text) && isBase64(r.text[end]) {
			end++
		}
		if end-i >= leastEncoded {
			r.encodedAt(i, end)
		}
		i = max(end, i+1)
	}
}

func (r *oddReader) encodedAt(start, end int) {
	for at := start; at < end; at += mostEncoded {
		text, ok := decoded(r.text[at:min(end, at+mostEncoded)])
		if !ok {
			return
		}
		m := newMatcher(r.g, &Note{Text: text}, false)
		m.mustOnly = true
		m.run()
		r.steps += m.steps
		if len(m.out) == 0 {
			continue
		}
		for end < len(r.text) && r.text[end] == '=' {
			end++
		}
		r.hits = append(r.hits, oddHit{Span: Span{Start: start, End: end, Type: IDNum, Sure: true}})
		return
	}
}

// decoded returns the text that base64 holds; ok is false where it is no text.
func decoded(s string) (text string, ok bool) {
	if !beginsText(s) {
		return "", false
	}
	s = strings.NewReplacer("-", "+", "_", "/").Replace(s)
	if len(s)%4 == 1 { // no length of base64
		s = s[:len(s)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return "", false
	}
	text = strings.ToValidUTF8(string(b), " ")
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
		if r == utf8.RuneError && i+utf8.UTFMax <= len(head) || r < ' ' && r != '\n' && r != '\r' && r != '\t' {
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

// readable reports whether a text has no control characters but those between lines.
func readable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

func isBase64(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
