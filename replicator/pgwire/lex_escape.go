package pgwire

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// simpleEscapes are the escapes of one letter; other letters stand for themselves.
var simpleEscapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped reads a literal with C-style escapes, E'…' (PostgreSQL documentation,
// 4.1.2.2).
func (l *lexer) escaped() (token, *failure) {
	start := l.at
	var b strings.Builder
	for l.at += 2; l.at < len(l.src); {
		switch c := l.src[l.at]; {
		case c == '\'' && l.peek(1) == '\'':
			b.WriteByte('\'')
			l.at += 2
		case c == '\'':
			l.at++
			if text := b.String(); utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
				return token{textToken, text, start}, nil
			}
			return token{}, failf(stateBadEncoding, "the literal is not valid UTF-8").near(token{pos: start})
		case c == '\\' && l.at+1 < len(l.src):
			if !l.escape(&b) {
				return token{}, failf(stateSyntax, "invalid escape in a literal").near(token{pos: l.at})
			}
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	return token{}, failf(stateSyntax, "unterminated quoted string").near(token{pos: start})
}

// escape reads what a backslash starts.
func (l *lexer) escape(b *strings.Builder) bool {
	c := l.peek(1)
	if plain, ok := simpleEscapes[c]; ok {
		b.WriteByte(plain)
		l.at += 2
		return true
	}
	switch {
	case c == 'x' && isHex(l.peek(2)):
		l.at += 2
		b.WriteByte(byte(l.digits(16, 2))) //nolint:gosec // two digits
	case c == 'u' || c == 'U':
		want := 4
		if c == 'U' {
			want = 8
		}
		l.at += 2
		from := l.at
		n := l.digits(16, want)
		if l.at-from != want || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return false
		}
		b.WriteRune(rune(n))
	case c >= '0' && c <= '7':
		l.at++
		b.WriteByte(byte(l.digits(8, 3))) //nolint:gosec // PostgreSQL wraps around too
	default:
		l.at += 2
		b.WriteByte(c)
	}
	return true
}

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// digits reads up to most digits of a base.
func (l *lexer) digits(base, most int) uint64 {
	start := l.at
	for l.at-start < most && isHex(l.peek(0)) && (base == 16 || l.peek(0) >= '0' && l.peek(0) <= '7') {
		l.at++
	}
	n, err := strconv.ParseUint(l.src[start:l.at], base, 64)
	if err != nil {
		return 0
	}
	return n
}
