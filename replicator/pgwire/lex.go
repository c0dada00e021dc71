package pgwire

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// tokenKind says what a token of SQL is.
type tokenKind uint8

const (
	endToken    tokenKind = iota
	wordToken             // a keyword or a name, in lower case
	nameToken             // a name in double quotes
	textToken             // a literal, without its quotes
	numberToken           // digits, with a point or an exponent
	paramToken            // $1
	signToken             // punctuation or an operator
)

// token is a piece of a statement. text is decoded: literals and names without
// quotes, words in lower case.
type token struct {
	kind tokenKind
	text string
	pos  int // byte offset in the query
}

// is reports whether t is this keyword or sign. A quoted name is neither.
func (t token) is(s string) bool {
	return (t.kind == wordToken || t.kind == signToken) && t.text == s
}

// isName reports whether t can name something.
func (t token) isName() bool { return t.kind == wordToken || t.kind == nameToken }

// maxTokens bounds the length of a query: an INSERT with every parameter that the
// protocol can count has about two tokens for each.
const maxTokens = 400_000

// lexer cuts a query into tokens (PostgreSQL documentation, 4.1).
type lexer struct {
	src string
	at  int
}

// tokenCost is about what a token comes to, with the expression that it is parsed to and the
// room that growing lists leave.
const tokenCost = 256

// tokenChunk is how many tokens are accounted for at a time.
const tokenChunk = 512

// lex returns the tokens of a query, without an end token. They are accounted for before
// they are made; held is what the caller gives back, also after an error.
func lex(src string, b *sessionBudget, held *int64) ([]token, *failure) {
	if !utf8.ValidString(src) {
		return nil, failf(stateBadEncoding, "the statement is not valid UTF-8").hinted("set client_encoding to UTF8")
	}
	l := lexer{src: src}
	var tokens []token
	room := 0 // for tokens that are accounted for
	for {
		if err := l.space(); err != nil {
			return nil, err
		}
		if l.at >= len(src) {
			return tokens, nil
		}
		if len(tokens) >= maxTokens {
			return nil, failf(stateTooLarge, "the statement has more than %d words", maxTokens).hinted("send fewer rows in one statement")
		}
		if len(tokens) == room {
			more := min(tokenChunk, len(src)-l.at)
			if err := b.keep(int64(more)*tokenCost, held); err != nil {
				return nil, err
			}
			room += more
			tokens = slices.Grow(tokens, more)
		}
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
	}
}

// space passes white space and comments.
func (l *lexer) space() *failure {
	for l.at < len(l.src) {
		switch rest := l.src[l.at:]; {
		case strings.IndexByte(" \t\n\r\f\v", rest[0]) >= 0:
			l.at++
		case strings.HasPrefix(rest, "--"):
			end := strings.IndexAny(rest, "\n\r")
			if end < 0 {
				end = len(rest)
			}
			l.at += end
		case strings.HasPrefix(rest, "/*"):
			if err := l.comment(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// comment passes a comment between /* and */; such comments nest.
func (l *lexer) comment() *failure {
	start, depth := l.at, 0
	for l.at < len(l.src) {
		switch rest := l.src[l.at:]; {
		case strings.HasPrefix(rest, "/*"):
			depth++
			l.at += 2
		case strings.HasPrefix(rest, "*/"):
			depth--
			l.at += 2
			if depth == 0 {
				return nil
			}
		default:
			l.at++
		}
	}
	return failf(stateSyntax, "unterminated comment").near(token{pos: start})
}

func (l *lexer) next() (token, *failure) {
	c := l.src[l.at]
	switch {
	case c == '\'':
		return l.quoted(l.at)
	case (c == 'e' || c == 'E') && l.peek(1) == '\'':
		return l.escaped()
	case (c == 'u' || c == 'U') && l.peek(1) == '&' && (l.peek(2) == '\'' || l.peek(2) == '"'):
		return token{}, failf(stateUnsupported, "U& literals are not supported").near(token{pos: l.at})
	case (c == 'b' || c == 'B' || c == 'x' || c == 'X') && l.peek(1) == '\'':
		return token{}, failf(stateUnsupported, "bit strings are not supported").near(token{pos: l.at})
	case c == '"':
		return l.name()
	case c == '$':
		return l.dollar()
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		return l.number(), nil
	case isWordStart(c):
		return l.word(), nil
	}
	return l.sign()
}

// peek returns the byte n after the current one, 0 at the end.
func (l *lexer) peek(n int) byte {
	if l.at+n < len(l.src) {
		return l.src[l.at+n]
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}

func isWordByte(c byte) bool { return isWordStart(c) || isDigit(c) || c == '$' }

func (l *lexer) word() token {
	start := l.at
	for l.at < len(l.src) && isWordByte(l.src[l.at]) {
		l.at++
	}
	return token{wordToken, lowerASCII(l.src[start:l.at]), start}
}

// lowerASCII folds names as PostgreSQL does in UTF-8: ASCII letters only.
func lowerASCII(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			return strings.Map(func(r rune) rune {
				if r >= 'A' && r <= 'Z' {
					return r + 'a' - 'A'
				}
				return r
			}, s)
		}
	}
	return s
}

func (l *lexer) number() token {
	start := l.at
	for l.at < len(l.src) && (isDigit(l.src[l.at]) || l.src[l.at] == '.') {
		l.at++
	}
	if c := l.peek(0); c == 'e' || c == 'E' {
		n := 1
		if s := l.peek(1); s == '+' || s == '-' {
			n = 2
		}
		if isDigit(l.peek(n)) {
			l.at += n
			l.passDigits()
		}
	}
	return token{numberToken, l.src[start:l.at], start}
}

func (l *lexer) passDigits() {
	for isDigit(l.peek(0)) {
		l.at++
	}
}

// quoted reads a literal in which only a doubled quote stands for a quote
// (standard_conforming_strings).
func (l *lexer) quoted(start int) (token, *failure) {
	text, ok := l.between('\'')
	if !ok {
		return token{}, failf(stateSyntax, "unterminated quoted string").near(token{pos: start})
	}
	return token{textToken, text, start}, nil
}

func (l *lexer) name() (token, *failure) {
	start := l.at
	text, ok := l.between('"')
	if !ok || text == "" {
		return token{}, failf(stateSyntax, "unterminated or empty quoted identifier").near(token{pos: start})
	}
	return token{nameToken, text, start}, nil
}

// between reads what stands between quotes, from the opening one on.
func (l *lexer) between(quote byte) (string, bool) {
	l.at++
	start, doubled := l.at, false
	for {
		i := strings.IndexByte(l.src[l.at:], quote)
		if i < 0 {
			return "", false
		}
		l.at += i + 1
		if l.peek(0) != quote {
			break
		}
		doubled = true
		l.at++
	}
	text := l.src[start : l.at-1]
	if doubled {
		text = strings.ReplaceAll(text, string([]byte{quote, quote}), string(quote))
	}
	return text, true
}

// dollar reads a parameter or a dollar-quoted literal.
func (l *lexer) dollar() (token, *failure) {
	start := l.at
	if isDigit(l.peek(1)) {
		l.at++
		l.passDigits()
		return token{paramToken, l.src[start+1 : l.at], start}, nil
	}
	end := strings.IndexByte(l.src[start+1:], '$')
	if end >= 0 {
		tag := l.src[start : start+end+2]
		if inner := tag[1 : len(tag)-1]; inner == "" || isWordStart(inner[0]) && plainTag(inner) {
			body := l.src[start+len(tag):]
			if stop := strings.Index(body, tag); stop >= 0 {
				l.at = start + len(tag) + stop + len(tag)
				return token{textToken, body[:stop], start}, nil
			}
			return token{}, failf(stateSyntax, "unterminated dollar-quoted string").near(token{pos: start})
		}
	}
	return token{}, failf(stateSyntax, "a $ that starts nothing").near(token{pos: start})
}

func plainTag(s string) bool {
	for i := range len(s) {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return true
}

// operatorBytes are those that operators are made of.
const operatorBytes = "+-*/<>=~!@#%^&|`?"

func (l *lexer) sign() (token, *failure) {
	start := l.at
	c := l.src[start]
	switch {
	case strings.HasPrefix(l.src[start:], "::"):
		l.at += 2
	case strings.IndexByte("()[],;.:", c) >= 0:
		l.at++
	case strings.IndexByte(operatorBytes, c) >= 0:
		for l.at < len(l.src) && strings.IndexByte(operatorBytes, l.src[l.at]) >= 0 {
			if rest := l.src[l.at:]; l.at > start && (strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*")) {
				break
			}
			l.at++
			// An operator ends before a sign unless it has one of these (4.1.3): "=-1" is two.
			if n := l.peek(0); (n == '-' || n == '+') && !strings.ContainsAny(l.src[start:l.at], "~!@#%^&|`?") {
				break
			}
		}
	default:
		return token{}, failf(stateSyntax, "a character that starts nothing").near(token{pos: start})
	}
	return token{signToken, l.src[start:l.at], start}, nil
}
