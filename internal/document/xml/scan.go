package xml

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// Kind says what a token of XML is.
type Kind uint8

// Kinds of tokens.
const (
	EOF Kind = iota
	Start
	End
	Characters
	CDATA
	Skipped // a comment or a processing instruction
)

// Token is a token of XML. Its attributes are valid until the next one is read.
type Token struct {
	Kind       Kind
	Raw        []byte
	Name       []byte
	Attributes []Attribute
	Empty      bool // the tag is an element without contents and without an end tag
}

// Attribute is an attribute as it is written.
type Attribute struct {
	Raw   []byte // with the white space before it
	Name  []byte
	Value []byte // without quotes, with references
}

// Scanner reads well-formed XML 1.0 without a document type, in UTF-8.
type Scanner struct {
	data       []byte
	at         int
	open       [][]byte // names of open elements
	rooted     bool     // whether the root element began
	attributes []Attribute
}

func (s *Scanner) fail(reason string) error {
	return &syntax.Error{Offset: s.at, Reason: reason}
}

// Next returns the next token.
func (s *Scanner) Next() (Token, error) {
	rest := s.data[s.at:]
	switch {
	case len(rest) == 0:
		if len(s.open) > 0 || !s.rooted {
			return Token{}, s.fail("the document ends within an element, or has none")
		}
		return Token{}, nil
	case rest[0] != '<':
		return s.characters(rest)
	case char.HasPrefix(rest, "<!--"):
		return s.comment(rest)
	case char.HasPrefix(rest, "<![CDATA["):
		return s.cdata(rest)
	case char.HasPrefix(rest, "<!"):
		return Token{}, s.fail("a document type, which could define entities")
	case char.HasPrefix(rest, "<?"):
		return s.instruction(rest)
	case char.HasPrefix(rest, "</"):
		return s.endTag(rest)
	}
	return s.startTag(rest)
}

// take returns a token of the next n bytes.
func (s *Scanner) take(kind Kind, n int) Token {
	t := Token{Kind: kind, Raw: s.data[s.at : s.at+n]}
	s.at += n
	return t
}

func (s *Scanner) characters(rest []byte) (Token, error) {
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		n = len(rest)
	}
	switch {
	case len(s.open) == 0 && char.Spaces(rest[:n]) < n:
		return Token{}, s.fail("text outside of the root element")
	case bytes.Contains(rest[:n], []byte("]]>")):
		return Token{}, s.fail("the end of a CDATA section that did not begin")
	case !isText(rest[:n]):
		return Token{}, s.fail("a character that XML does not have")
	case !references(rest[:n]):
		return Token{}, s.fail("an ampersand that begins no reference, or a reference to an entity that is not defined")
	}
	return s.take(Characters, n), nil
}

// delimited takes a token from its begin to its end.
func (s *Scanner) delimited(kind Kind, rest []byte, begin, end, reason string) (Token, error) {
	n := bytes.Index(rest[len(begin):], []byte(end))
	if n < 0 {
		return Token{}, s.fail(reason)
	}
	n += len(begin) + len(end)
	if !isText(rest[:n]) {
		return Token{}, s.fail("a character that XML does not have")
	}
	return s.take(kind, n), nil
}

func (s *Scanner) comment(rest []byte) (Token, error) {
	t, err := s.delimited(Skipped, rest, "<!--", "--", "a comment without an end")
	if err != nil || !char.HasPrefix(s.data[s.at:], ">") {
		return Token{}, s.fail("a comment without an end, or with two hyphens in it")
	}
	s.at++
	t.Raw = t.Raw[:len(t.Raw)+1]
	return t, nil
}

func (s *Scanner) cdata(rest []byte) (Token, error) {
	if len(s.open) == 0 {
		return Token{}, s.fail("text outside of the root element")
	}
	return s.delimited(CDATA, rest, cdataBegin, cdataEnd, "a CDATA section without an end")
}

const cdataBegin, cdataEnd = "<![CDATA[", "]]>"

func (s *Scanner) instruction(rest []byte) (Token, error) {
	n := nameLength(rest[2:])
	if n == 0 || bytes.EqualFold(rest[2:2+n], []byte("xml")) {
		return Token{}, s.fail("a processing instruction without a name, or an XML declaration that is not at the begin")
	}
	if after := rest[2+n:]; !char.HasPrefix(after, "?>") && char.Spaces(after) == 0 {
		return Token{}, s.fail("a processing instruction with a broken name")
	}
	return s.delimited(Skipped, rest, "<?", "?>", "a processing instruction without an end")
}

func (s *Scanner) endTag(rest []byte) (Token, error) {
	n := nameLength(rest[2:])
	name := rest[2 : 2+n]
	if len(s.open) == 0 || !bytes.Equal(s.open[len(s.open)-1], name) {
		return Token{}, s.fail("an end tag that ends no element, or not the innermost")
	}
	n += 2
	n += char.Spaces(rest[n:])
	if !char.HasPrefix(rest[n:], ">") || bytes.IndexByte(rest[:n], '\f') >= 0 {
		return Token{}, s.fail("an end tag without an end")
	}
	s.open = s.open[:len(s.open)-1]
	t := s.take(End, n+1)
	t.Name = name
	return t, nil
}

func (s *Scanner) startTag(rest []byte) (Token, error) {
	n := nameLength(rest[1:])
	switch {
	case n == 0:
		return Token{}, s.fail("a tag without a name")
	case s.rooted && len(s.open) == 0:
		return Token{}, s.fail("a second root element")
	case len(s.open) == markup.MaxDepth:
		return Token{}, s.fail("elements are nested too deeply")
	}
	name := rest[1 : 1+n]
	n, err := s.readAttributes(rest, 1+n)
	if err != nil {
		return Token{}, err
	}
	empty := char.HasPrefix(rest[n:], "/>")
	if !empty && !char.HasPrefix(rest[n:], ">") {
		return Token{}, s.fail("a tag without an end, or with a broken attribute")
	}
	s.rooted = true
	if empty {
		n++
	} else {
		s.open = append(s.open, name)
	}
	n++
	if bytes.IndexByte(rest[:n], '\f') >= 0 {
		return Token{}, s.fail("a character that XML does not have")
	}
	t := s.take(Start, n)
	t.Name, t.Attributes, t.Empty = name, s.attributes, empty
	return t, nil
}

// maxAttributes is how many attributes a tag can have.
const maxAttributes = 256

// readAttributes reads the attributes of a tag from an offset on and returns where they and the white space behind them end.
func (s *Scanner) readAttributes(tag []byte, at int) (int, error) {
	s.attributes = s.attributes[:0]
	for {
		a, ok := attributeAt(tag[at:])
		if !ok {
			return at + char.Spaces(tag[at:]), nil
		}
		switch {
		case slices.ContainsFunc(s.attributes, func(b Attribute) bool { return bytes.Equal(a.Name, b.Name) }):
			return 0, s.fail("an attribute that a tag has twice")
		case len(s.attributes) == maxAttributes:
			return 0, s.fail("a tag has too many attributes")
		case bytes.IndexByte(a.Value, '<') >= 0 || !isText(a.Value) || !references(a.Value):
			return 0, s.fail("a value of an attribute that XML does not have")
		}
		s.attributes = append(s.attributes, a)
		at += len(a.Raw)
	}
}

// attributeAt returns the attribute that raw begins with, and whether there is one.
func attributeAt(raw []byte) (Attribute, bool) {
	at := char.Spaces(raw)
	n := nameLength(raw[at:])
	if at == 0 || n == 0 {
		return Attribute{}, false
	}
	name := raw[at : at+n]
	at += n
	at += char.Spaces(raw[at:])
	if !char.HasPrefix(raw[at:], "=") {
		return Attribute{}, false
	}
	at++
	at += char.Spaces(raw[at:])
	if at == len(raw) || raw[at] != '"' && raw[at] != '\'' {
		return Attribute{}, false
	}
	n = bytes.IndexByte(raw[at+1:], raw[at])
	if n < 0 {
		return Attribute{}, false
	}
	return Attribute{Raw: raw[:at+n+2], Name: name, Value: raw[at+1 : at+1+n]}, true
}

// isText reports whether all characters are those that XML has.
func isText(raw []byte) bool {
	for i := 0; i < len(raw); {
		if c := raw[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 || r == '\uFFFE' || r == '\uFFFF' {
			return false
		}
		i += n
	}
	return true
}
