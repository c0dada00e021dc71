package record

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"

	"github.com/pgdeid/pgdeid/ensemble/text"
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

// encoded finds text in base64 that holds a word of the record. It is taken whole. Lines
// that programs have wrapped are read as one.
func (r *oddReader) encoded() {
	joined := 0 // the end of the lines that were last read as one
	for i := 0; i < len(r.text); {
		end := endOfEncoded(r.text, i)
		if end-i >= leastEncoded && beginsText(r.text[i:end]) {
			all := end
			if i >= joined {
				all = endOfWrapped(r.text, i, end)
				joined = all
			}
			if r.encodedAt(i, all) {
				end = all
			} else if all > end {
				r.encodedAt(i, end)
			}
		}
		i = max(end, i+1)
	}
}

// endOfEncoded returns where the characters of base64 from i on end.
func endOfEncoded(text string, i int) int {
	for i < len(text) && isBase64(text[i]) {
		i++
	}
	return i
}

// endOfWrapped returns where the last of the lines ends that the one at [start, end) goes
// on in.
func endOfWrapped(text string, start, end int) int {
	for end-start >= leastWrapped && (end-start)%4 == 0 {
		next := end
		if next < len(text) && text[next] == '\r' {
			next++
		}
		if next == len(text) || text[next] != '\n' {
			break
		}
		next++
		last := endOfEncoded(text, next)
		if last == next || last < len(text) && !strings.ContainsRune("\r\n=", rune(text[last])) {
			break // none, or a word of a sentence
		}
		start, end = next, last
	}
	return end
}

// encodedAt takes base64 that holds a word of the record, and reports whether it does.
func (r *oddReader) encodedAt(start, end int) bool {
	s := strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "").Replace(r.text[start:end])
	for at := 0; at < len(s); at += mostEncoded {
		part, ok := decoded(s[at:min(len(s), at+mostEncoded+encodedOverlap)])
		if !ok {
			continue
		}
		m := newMatcher(r.g, text.NewView(part), false)
		m.mustOnly = true
		m.run()
		r.steps += m.steps
		if len(m.out) == 0 {
			continue
		}
		for end < len(r.text) && r.text[end] == '=' {
			end++
		}
		r.hits = append(r.hits, oddHit{Span: phi.Span{Start: start, End: end, Type: phi.IDNum, Sure: true}})
		return true
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
