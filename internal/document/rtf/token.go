package rtf

import (
	"bytes"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// tokenKind is a kind of token of RTF.
type tokenKind uint8

const (
	tokenEnd     tokenKind = iota
	tokenOpen              // {
	tokenClose             // }
	tokenWord              // \name, \name12, \name-12, with the space behind it
	tokenSymbol            // \ and a character that is no letter
	tokenHex               // \'hh
	tokenNewline           // CR and LF between tokens, which show nothing
	tokenControl           // other control characters
	tokenBytes             // text
)

// token is a token of RTF.
type token struct {
	kind      tokenKind
	raw       []byte
	name      []byte // a word's name
	param     int    // a word's parameter, the code of a symbol or of a hexadecimal escape
	has       bool   // whether the word has a parameter
	delimited bool   // whether a space behind the word belongs to it
}

// maxParam bounds parameters, which have 32 bits. A larger one counts as this.
const maxParam = 1 << 31

// scanner cuts RTF into tokens.
type scanner struct {
	data []byte
	at   int
}

func (s *scanner) fail(reason string) error {
	return &syntax.Error{Offset: s.at, Reason: reason}
}

// next returns the next token. The data of \bin belongs to its word.
func (s *scanner) next() (token, error) {
	if s.at == len(s.data) {
		return token{}, nil
	}
	switch c := s.data[s.at]; {
	case c == '{':
		return s.token(tokenOpen, 1), nil
	case c == '}':
		return s.token(tokenClose, 1), nil
	case c == '\\':
		return s.escape()
	case char.IsNewline(c):
		return s.token(tokenNewline, s.span(char.IsNewline)), nil
	case isText(c):
		return s.token(tokenBytes, s.span(isText)), nil
	default:
		return s.token(tokenControl, 1), nil
	}
}

// peek returns the next token without taking it.
func (s *scanner) peek() (token, error) {
	at := s.at
	t, err := s.next()
	s.at = at
	return t, err
}

func isText(c byte) bool {
	return c >= ' ' && c != '\\' && c != '{' && c != '}' && c != 0x7f
}

// span returns how many bytes from here on have a property.
func (s *scanner) span(is func(byte) bool) int {
	n := 0
	for s.at+n < len(s.data) && is(s.data[s.at+n]) {
		n++
	}
	return n
}

func (s *scanner) token(k tokenKind, n int) token {
	t := token{kind: k, raw: s.data[s.at : s.at+n]}
	s.at += n
	return t
}

// escape takes what begins with a backslash.
func (s *scanner) escape() (token, error) {
	rest := s.data[s.at:]
	switch {
	case len(rest) < 2:
		return token{}, s.fail("a backslash at the end")
	case char.IsLetter(rest[1]):
		return s.word()
	case rest[1] == '\'':
		if len(rest) < 4 || char.HexDigit(rest[2]) < 0 || char.HexDigit(rest[3]) < 0 {
			return token{}, s.fail("an escape that is not of two hexadecimal digits")
		}
		code := char.HexDigit(rest[2])<<4 | char.HexDigit(rest[3])
		t := s.token(tokenHex, 4)
		t.param = code
		return t, nil
	case rest[1] >= 0x80:
		return token{}, s.fail("a backslash before a character that is not ASCII")
	}
	t := s.token(tokenSymbol, 2)
	t.param = int(t.raw[1])
	return t, nil
}

// word takes a control word: letters, a number, a space.
func (s *scanner) word() (token, error) {
	rest := s.data[s.at:]
	n := 1
	for n < len(rest) && char.IsLetter(rest[n]) {
		n++
	}
	t := token{kind: tokenWord, name: rest[1:n]}
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
func (s *scanner) number(t *token, n int) int {
	rest := s.data[s.at:]
	digits := n
	if digits < len(rest) && rest[digits] == '-' {
		digits++
	}
	end := digits
	for end < len(rest) && char.IsDigit(rest[end]) {
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
func (s *scanner) group(depth int) error {
	open := 0
	for {
		t, err := s.next()
		switch {
		case err != nil:
			return err
		case t.kind == tokenEnd:
			return s.fail("a group without an end")
		case t.kind == tokenOpen:
			open++
		case t.kind == tokenClose && open == 0:
			s.at -= len(t.raw)
			return nil
		case t.kind == tokenClose:
			open--
		}
		if depth+open > maxDepth {
			return s.fail(tooDeep)
		}
	}
}

// Begins reports whether data begins as RTF does: with a brace and the word rtf, which has a version of one digit if any.
func Begins(data []byte) bool {
	rest, ok := bytes.CutPrefix(data[leading(data):], []byte(`{\rtf`))
	if ok && len(rest) > 0 && char.IsDigit(rest[0]) {
		rest = rest[1:]
	}
	return ok && len(rest) > 0 && !char.IsLetter(rest[0]) && !char.IsDigit(rest[0]) && rest[0] != '-'
}

// leading returns the length of what may be before a document: a byte order mark, white space.
func leading(data []byte) int {
	n := 0
	if char.HasPrefix(data, char.ByteOrderMark) {
		n = len(char.ByteOrderMark)
	}
	for n < len(data) && char.IsSpace(data[n]) {
		n++
	}
	return n
}
