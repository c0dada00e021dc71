package document

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"
)

// xmlKind says what a token of XML is.
type xmlKind uint8

const (
	xmlEOF xmlKind = iota
	xmlStart
	xmlEnd
	xmlCharacters
	xmlCDATA
	xmlSkipped // a comment or a processing instruction
)

// xmlToken is a token of XML. Its attributes are valid until the next one is read.
type xmlToken struct {
	kind       xmlKind
	raw        []byte
	name       []byte
	attributes []xmlAttribute
	empty      bool // the tag is an element without contents and without an end tag
}

// xmlAttribute is an attribute as it is written.
type xmlAttribute struct {
	raw   []byte // with the white space before it
	name  []byte
	value []byte // without quotes, with references
}

// xmlScanner reads well-formed XML 1.0 without a document type, in UTF-8.
type xmlScanner struct {
	data       []byte
	at         int
	open       [][]byte // names of open elements
	rooted     bool     // whether the root element began
	attributes []xmlAttribute
}

func (s *xmlScanner) fail(reason string) error {
	return &syntax.Error{Offset: s.at, Reason: reason}
}

// next returns the next token.
func (s *xmlScanner) next() (xmlToken, error) {
	rest := s.data[s.at:]
	switch {
	case len(rest) == 0:
		if len(s.open) > 0 || !s.rooted {
			return xmlToken{}, s.fail("the document ends within an element, or has none")
		}
		return xmlToken{}, nil
	case rest[0] != '<':
		return s.characters(rest)
	case hasPrefix(rest, "<!--"):
		return s.comment(rest)
	case hasPrefix(rest, "<![CDATA["):
		return s.cdata(rest)
	case hasPrefix(rest, "<!"):
		return xmlToken{}, s.fail("a document type, which could define entities")
	case hasPrefix(rest, "<?"):
		return s.instruction(rest)
	case hasPrefix(rest, "</"):
		return s.endTag(rest)
	}
	return s.startTag(rest)
}

// take returns a token of the next n bytes.
func (s *xmlScanner) take(kind xmlKind, n int) xmlToken {
	t := xmlToken{kind: kind, raw: s.data[s.at : s.at+n]}
	s.at += n
	return t
}

func (s *xmlScanner) characters(rest []byte) (xmlToken, error) {
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		n = len(rest)
	}
	switch {
	case len(s.open) == 0 && spaces(rest[:n]) < n:
		return xmlToken{}, s.fail("text outside of the root element")
	case bytes.Contains(rest[:n], []byte("]]>")):
		return xmlToken{}, s.fail("the end of a CDATA section that did not begin")
	case !isXMLText(rest[:n]):
		return xmlToken{}, s.fail("a character that XML does not have")
	case !references(rest[:n]):
		return xmlToken{}, s.fail("an ampersand that begins no reference, or a reference to an entity that is not defined")
	}
	return s.take(xmlCharacters, n), nil
}

// delimited takes a token from its begin to its end.
func (s *xmlScanner) delimited(kind xmlKind, rest []byte, begin, end, reason string) (xmlToken, error) {
	n := bytes.Index(rest[len(begin):], []byte(end))
	if n < 0 {
		return xmlToken{}, s.fail(reason)
	}
	n += len(begin) + len(end)
	if !isXMLText(rest[:n]) {
		return xmlToken{}, s.fail("a character that XML does not have")
	}
	return s.take(kind, n), nil
}

func (s *xmlScanner) comment(rest []byte) (xmlToken, error) {
	t, err := s.delimited(xmlSkipped, rest, "<!--", "--", "a comment without an end")
	if err != nil || !hasPrefix(s.data[s.at:], ">") {
		return xmlToken{}, s.fail("a comment without an end, or with two hyphens in it")
	}
	s.at++
	t.raw = t.raw[:len(t.raw)+1]
	return t, nil
}

func (s *xmlScanner) cdata(rest []byte) (xmlToken, error) {
	if len(s.open) == 0 {
		return xmlToken{}, s.fail("text outside of the root element")
	}
	return s.delimited(xmlCDATA, rest, cdataBegin, cdataEnd, "a CDATA section without an end")
}

const cdataBegin, cdataEnd = "<![CDATA[", "]]>"

func (s *xmlScanner) instruction(rest []byte) (xmlToken, error) {
	n := nameLength(rest[2:])
	if n == 0 || bytes.EqualFold(rest[2:2+n], []byte("xml")) {
		return xmlToken{}, s.fail("a processing instruction without a name, or an XML declaration that is not at the begin")
	}
	if after := rest[2+n:]; !hasPrefix(after, "?>") && spaces(after) == 0 {
		return xmlToken{}, s.fail("a processing instruction with a broken name")
	}
	return s.delimited(xmlSkipped, rest, "<?", "?>", "a processing instruction without an end")
}

func (s *xmlScanner) endTag(rest []byte) (xmlToken, error) {
	n := nameLength(rest[2:])
	name := rest[2 : 2+n]
	if len(s.open) == 0 || !bytes.Equal(s.open[len(s.open)-1], name) {
		return xmlToken{}, s.fail("an end tag that ends no element, or not the innermost")
	}
	n += 2
	n += spaces(rest[n:])
	if !hasPrefix(rest[n:], ">") || bytes.IndexByte(rest[:n], '\f') >= 0 {
		return xmlToken{}, s.fail("an end tag without an end")
	}
	s.open = s.open[:len(s.open)-1]
	t := s.take(xmlEnd, n+1)
	t.name = name
	return t, nil
}

func (s *xmlScanner) startTag(rest []byte) (xmlToken, error) {
	n := nameLength(rest[1:])
	switch {
	case n == 0:
		return xmlToken{}, s.fail("a tag without a name")
	case s.rooted && len(s.open) == 0:
		return xmlToken{}, s.fail("a second root element")
	case len(s.open) == maxDepth:
		return xmlToken{}, s.fail("elements are nested too deeply")
	}
	name := rest[1 : 1+n]
	n, err := s.readAttributes(rest, 1+n)
	if err != nil {
		return xmlToken{}, err
	}
	empty := hasPrefix(rest[n:], "/>")
	if !empty && !hasPrefix(rest[n:], ">") {
		return xmlToken{}, s.fail("a tag without an end, or with a broken attribute")
	}
	s.rooted = true
	if empty {
		n++
	} else {
		s.open = append(s.open, name)
	}
	n++
	if bytes.IndexByte(rest[:n], '\f') >= 0 {
		return xmlToken{}, s.fail("a character that XML does not have")
	}
	t := s.take(xmlStart, n)
	t.name, t.attributes, t.empty = name, s.attributes, empty
	return t, nil
}

// maxAttributes is how many attributes a tag can have.
const maxAttributes = 256

// readAttributes reads the attributes of a tag from an offset on and returns where they and the white space behind them end.
func (s *xmlScanner) readAttributes(tag []byte, at int) (int, error) {
	s.attributes = s.attributes[:0]
	for {
		a, ok := attributeAt(tag[at:])
		if !ok {
			return at + spaces(tag[at:]), nil
		}
		switch {
		case slices.ContainsFunc(s.attributes, func(b xmlAttribute) bool { return bytes.Equal(a.name, b.name) }):
			return 0, s.fail("an attribute that a tag has twice")
		case len(s.attributes) == maxAttributes:
			return 0, s.fail("a tag has too many attributes")
		case bytes.IndexByte(a.value, '<') >= 0 || !isXMLText(a.value) || !references(a.value):
			return 0, s.fail("a value of an attribute that XML does not have")
		}
		s.attributes = append(s.attributes, a)
		at += len(a.raw)
	}
}

// attributeAt returns the attribute that raw begins with, and whether there is one.
func attributeAt(raw []byte) (xmlAttribute, bool) {
	at := spaces(raw)
	n := nameLength(raw[at:])
	if at == 0 || n == 0 {
		return xmlAttribute{}, false
	}
	name := raw[at : at+n]
	at += n
	at += spaces(raw[at:])
	if !hasPrefix(raw[at:], "=") {
		return xmlAttribute{}, false
	}
	at++
	at += spaces(raw[at:])
	if at == len(raw) || raw[at] != '"' && raw[at] != '\'' {
		return xmlAttribute{}, false
	}
	n = bytes.IndexByte(raw[at+1:], raw[at])
	if n < 0 {
		return xmlAttribute{}, false
	}
	return xmlAttribute{raw: raw[:at+n+2], name: name, value: raw[at+1 : at+1+n]}, true
}

// isXMLText reports whether all characters are those that XML has.
func isXMLText(raw []byte) bool {
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
