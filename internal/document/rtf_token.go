package document

import (
	"bytes"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// rtfKind is a kind of token of RTF.
type rtfKind uint8

const (
	rtfEnd     rtfKind = iota
	rtfOpen            // {
	rtfClose           // }
	rtfWord            // \name, \name12, \name-12, with the space behind it
	rtfSymbol          // \ and a character that is no letter
	rtfHex             // \'hh
	rtfNewline         // CR and LF between tokens, which show nothing
	rtfControl         // other control characters
	rtfBytes           // text
)

// rtfToken is a token of RTF.
type rtfToken struct {
	kind      rtfKind
	raw       []byte
	name      []byte // a word's name
	param     int    // a word's parameter, the code of a symbol or of a hexadecimal escape
	has       bool   // whether the word has a parameter
	delimited bool   // whether a space behind the word belongs to it
}

// maxParam bounds parameters, which have 32 bits. A larger one counts as this.
const maxParam = 1 << 31

// rtfScanner cuts RTF into tokens.
type rtfScanner struct {
	data []byte
	at   int
}

func (s *rtfScanner) fail(reason string) error {
	return &syntax.Error{Offset: s.at, Reason: reason}
}

// next returns the next token. The data of \bin belongs to its word.
func (s *rtfScanner) next() (rtfToken, error) {
	if s.at == len(s.data) {
		return rtfToken{}, nil
	}
	switch c := s.data[s.at]; {
	case c == '{':
		return s.token(rtfOpen, 1), nil
	case c == '}':
		return s.token(rtfClose, 1), nil
	case c == '\\':
		return s.escape()
	case isNewline(c):
		return s.token(rtfNewline, s.span(isNewline)), nil
	case isRTFText(c):
		return s.token(rtfBytes, s.span(isRTFText)), nil
	default:
		return s.token(rtfControl, 1), nil
	}
}

// peek returns the next token without taking it.
func (s *rtfScanner) peek() (rtfToken, error) {
	at := s.at
	t, err := s.next()
	s.at = at
	return t, err
}

func isNewline(c byte) bool { return c == '\r' || c == '\n' }

func isRTFText(c byte) bool {
	return c >= ' ' && c != '\\' && c != '{' && c != '}' && c != 0x7f
}

// span returns how many bytes from here on have a property.
func (s *rtfScanner) span(is func(byte) bool) int {
	n := 0
	for s.at+n < len(s.data) && is(s.data[s.at+n]) {
		n++
	}
	return n
}

func (s *rtfScanner) token(k rtfKind, n int) rtfToken {
	t := rtfToken{kind: k, raw: s.data[s.at : s.at+n]}
	s.at += n
	return t
}

// escape takes what begins with a backslash.
func (s *rtfScanner) escape() (rtfToken, error) {
	rest := s.data[s.at:]
	switch {
	case len(rest) < 2:
		return rtfToken{}, s.fail("a backslash at the end")
	case isLetter(rest[1]):
		return s.word()
	case rest[1] == '\'':
		if len(rest) < 4 || hexDigit(rest[2]) < 0 || hexDigit(rest[3]) < 0 {
			return rtfToken{}, s.fail("an escape that is not of two hexadecimal digits")
		}
		code := hexDigit(rest[2])<<4 | hexDigit(rest[3])
		t := s.token(rtfHex, 4)
		t.param = code
		return t, nil
	case rest[1] >= 0x80:
		return rtfToken{}, s.fail("a backslash before a character that is not ASCII")
	}
	t := s.token(rtfSymbol, 2)
	t.param = int(t.raw[1])
	return t, nil
}

// word takes a control word: letters, a number, a space.
func (s *rtfScanner) word() (rtfToken, error) {
	rest := s.data[s.at:]
	n := 1
	for n < len(rest) && isLetter(rest[n]) {
		n++
	}
	t := rtfToken{kind: rtfWord, name: rest[1:n]}
	end := s.number(&t, n)
	if end < len(rest) && rest[end] == ' ' {
		t.delimited = true
		end++
	}
	if string(t.name) == "bin" {
		if t.param < 0 || t.param > len(rest)-end {
			return t, s.fail("binary data that is longer than the document")
		}
		end += t.param
	}
	t.raw = rest[:end]
	s.at += end
	return t, nil
}

// number takes the parameter of a word that begins n bytes from here, and returns where it ends.
func (s *rtfScanner) number(t *rtfToken, n int) int {
	rest := s.data[s.at:]
	digits := n
	if digits < len(rest) && rest[digits] == '-' {
		digits++
	}
	end := digits
	for end < len(rest) && isDigit(rest[end]) {
		t.param = min(t.param*10+int(rest[end]-'0'), maxParam)
		end++
	}
	if end == digits {
		return n
	}
	t.has = true
	if digits > n {
		t.param = -t.param
	}
	return end
}

// group takes what remains of a group up to the brace that closes it, which it leaves. Depth bounds the groups within.
func (s *rtfScanner) group(depth int) error {
	open := 0
	for {
		t, err := s.next()
		switch {
		case err != nil:
			return err
		case t.kind == rtfEnd:
			return s.fail("a group without an end")
		case t.kind == rtfOpen:
			open++
		case t.kind == rtfClose && open == 0:
			s.at -= len(t.raw)
			return nil
		case t.kind == rtfClose:
			open--
		}
		if depth+open > maxRTFDepth {
			return s.fail(rtfTooDeep)
		}
	}
}

// isRTF reports whether data begins as RTF does: with a brace and the word rtf, which has a version of one digit if any.
func isRTF(data []byte) bool {
	rest, ok := bytes.CutPrefix(data[leading(data):], []byte(`{\rtf`))
	if ok && len(rest) > 0 && isDigit(rest[0]) {
		rest = rest[1:]
	}
	return ok && len(rest) > 0 && !isLetter(rest[0]) && !isDigit(rest[0]) && rest[0] != '-'
}

// leading returns the length of what may be before a document: a byte order mark, white space.
func leading(data []byte) int {
	n := 0
	if hasPrefix(data, "\ufeff") {
		n = len("\ufeff")
	}
	for n < len(data) && isSpace(data[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
