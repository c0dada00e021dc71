package statement

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// token is a word, a literal or a sign of a statement.
type token struct {
	phi.Redacted

	kind tokenKind
	text string // words in lower case, literals as they are meant
	pos  int    // in bytes
}

type tokenKind byte

const (
	endToken tokenKind = iota
	wordToken
	nameToken // in double quotes
	stringToken
	numberToken
	paramToken // the number of $1
	signToken
)

// lexer reads tokens, one at a time: how many there are costs no memory.
type lexer struct {
	phi.Redacted

	text string
	pos  int
}

// signs are what may be between words; the longest come first.
var signs = []string{"::", "<>", "<=", ">=", "!=", "=", "<", ">", "(", ")", "[", "]", ",", ".", ";", "*", "-", "/"}

// next returns the next token, and endToken at the end.
func (l *lexer) next() (token, error) {
	l.space()
	t := token{pos: l.pos}
	if l.pos == len(l.text) {
		return t, nil
	}
	rest := l.text[l.pos:]
	switch c := rest[0]; {
	case (c == 'e' || c == 'E') && len(rest) > 1 && rest[1] == '\'':
		l.pos++
		return l.quoted(t, stringToken, true)
	case c == '\'':
		return l.quoted(t, stringToken, false)
	case c == '"':
		return l.quoted(t, nameToken, false)
	case isLetter(c):
		t.kind, t.text = wordToken, l.run(func(c byte) bool { return isLetter(c) || isDigit(c) })
		if len(t.text) > maxName {
			return t, unsupported("a word of that length", t.pos)
		}
		t.text = strings.ToLower(t.text)
		return t, nil
	case isDigit(c):
		t.kind, t.text = numberToken, l.run(isDigit)
		return t, l.borders(t)
	case c == '$' && len(rest) > 1 && isDigit(rest[1]):
		l.pos++
		t.kind, t.text = paramToken, l.run(isDigit)
		return t, l.borders(t)
	}
	if strings.HasPrefix(rest, "/*") {
		return t, unsupported("a comment", t.pos)
	}
	for _, sign := range signs {
		if strings.HasPrefix(rest, sign) {
			t.kind, t.text = signToken, sign
			l.pos += len(sign)
			return t, nil
		}
	}
	return t, unsupported("that sign", t.pos)
}

// space passes over white space and comments up to the end of a line.
func (l *lexer) space() {
	for l.pos < len(l.text) {
		switch {
		case strings.IndexByte(" \t\r\n\f", l.text[l.pos]) >= 0:
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "--"):
			l.run(func(c byte) bool { return c != '\n' })
		default:
			return
		}
	}
}

// maxName is PostgreSQL's limit of names.
const maxName = 63

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// run takes the characters that belong to a token.
func (l *lexer) run(belongs func(byte) bool) string {
	start := l.pos
	for l.pos < len(l.text) && belongs(l.text[l.pos]) {
		l.pos++
	}
	return l.text[start:l.pos]
}

// borders refuses a number that a letter or a point follows: it would mean something else.
func (l *lexer) borders(t token) error {
	if l.pos < len(l.text) && (isLetter(l.text[l.pos]) || l.text[l.pos] == '.') || len(t.text) > len("9223372036854775807") {
		return unsupported("that number", t.pos)
	}
	return nil
}

// quoted reads up to the closing quote, which is doubled inside or, where escapes count, behind a backslash.
func (l *lexer) quoted(t token, kind tokenKind, escapes bool) (token, error) {
	quote := l.text[l.pos]
	start := l.pos + 1
	special := 0
	end := start
	for ; end < len(l.text); end++ {
		if c := l.text[end]; c == quote {
			if end+1 == len(l.text) || l.text[end+1] != quote {
				break
			}
		} else if c != '\\' || !escapes {
			continue
		}
		special++
		end++ // the character that is meant
	}
	if end >= len(l.text) {
		return t, unsupported("a literal without an end", t.pos)
	}
	t.kind, t.text, l.pos = kind, l.text[start:end], end+1
	if kind == nameToken && (t.text == "" || len(t.text) > maxName) {
		return t, unsupported("a name of that length", t.pos)
	}
	if special == 0 {
		return t, nil
	}
	return t, t.unescape(quote, escapes, len(t.text)-special)
}

// unescape replaces the escapes of a literal, which is size bytes long without them.
func (t *token) unescape(quote byte, escapes bool, size int) error {
	var b strings.Builder
	b.Grow(size)
	for i := 0; i < len(t.text); i++ {
		c := t.text[i]
		if c == quote || escapes && c == '\\' {
			i++
			if c == '\\' && t.text[i] != '\\' && t.text[i] != '\'' {
				return unsupported("that escape", t.pos)
			}
		}
		b.WriteByte(t.text[i])
	}
	t.text = b.String()
	return nil
}
