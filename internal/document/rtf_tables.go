package document

import (
	"bytes"
	"strconv"
	"strings"
)

// rtfTable reads the table of fonts, of colours or of styles. Layout in it stays, and names that every installation has.
type rtfTable struct {
	*rtfParser
	class  rtfClass
	depth  int
	font   int    // that the current entry defines
	family string // its family
	named  bool   // whether the current entry has a name
}

// table reads a group that is a table and begins at an offset.
func (p *rtfParser) table(class rtfClass, from int) error {
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	end := p.scan.at + 1
	p.scan.at = from
	t := rtfTable{rtfParser: p, class: class, family: "fnil"}
	for p.scan.at < end {
		token, err := p.scan.next()
		if err != nil {
			return err
		}
		if err := t.token(token); err != nil {
			return err
		}
	}
	p.starred = false
	return nil
}

func (t *rtfTable) token(token rtfToken) error {
	switch token.kind {
	case rtfOpen:
		return t.begin(token)
	case rtfClose:
		t.depth--
		t.keep(token.raw)
	case rtfWord:
		t.word(token)
	case rtfNewline:
		t.keep(token.raw)
	case rtfBytes:
		t.names(token.raw)
	case rtfSymbol:
		t.symbol(token)
	case rtfHex, rtfControl, rtfEnd:
		t.b.drop(token.raw)
	}
	return nil
}

// begin opens an entry. Groups within entries, and those that are no entries, are left out.
func (t *rtfTable) begin(brace rtfToken) error {
	class, starred, _, err := t.head()
	if err != nil {
		return err
	}
	entry := t.depth == 1 && t.class != rtfColours && (class == rtfLayout || class == rtfUnknown && !starred)
	if t.depth > 0 && !entry {
		return t.skip(t.scan.at - len(brace.raw))
	}
	t.depth++
	t.named = false
	t.keep(brace.raw)
	return nil
}

// symbol keeps the mark of an entry of the style sheet that older programs skip.
func (t *rtfTable) symbol(token rtfToken) {
	next, err := t.scan.peek()
	if err == nil && token.param == '*' && t.class == rtfStyles && next.kind == rtfWord && t.words[string(next.name)].class == rtfLayout {
		t.keep(token.raw)
		return
	}
	t.b.drop(token.raw)
}

func (t *rtfTable) word(token rtfToken) {
	name := string(token.name)
	class := t.words[name].class
	limit := maxRTFLayout
	if t.class == rtfColours {
		limit = 255
	}
	if class != t.class && (class != rtfLayout || token.param > limit || token.param < -limit) {
		t.b.drop(token.raw)
		return
	}
	t.keepWord(token.raw)
	if t.class != rtfFonts {
		return
	}
	switch page := codePage(token.param); {
	case name == "f":
		t.font = token.param
		t.family = "fnil"
		t.named = false
	case name == "fcharset":
		if page, ok := charsets[token.param]; ok {
			t.fonts[t.font] = page
		}
	case name == "cpg" && page.known():
		t.fonts[t.font] = page
	case rtfKnownNames().families[name] != "":
		t.family = name
	}
}

// names takes the text of a table: names that end with semicolons.
func (t *rtfTable) names(raw []byte) {
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, ';')
		if n < 0 {
			t.name(raw)
			return
		}
		t.name(raw[:n])
		if !t.named && t.class != rtfColours {
			t.space()
			t.b.put([]byte(t.plainName()))
		}
		t.named = false
		t.keep(raw[n : n+1])
		raw = raw[n+1:]
	}
}

// name takes a name, or a part of one.
func (t *rtfTable) name(raw []byte) {
	name := strings.TrimSpace(string(raw))
	if !t.named && (t.class == rtfFonts && rtfKnownNames().font(name) || t.class == rtfStyles && rtfKnownNames().style(name)) {
		t.space()
		t.keep(raw)
		t.named = true
		return
	}
	t.b.drop(raw)
}

// plainName returns what a font or a style is called whose name is left out.
func (t *rtfTable) plainName() string {
	if t.class == rtfFonts {
		return rtfKnownNames().families[t.family]
	}
	t.styles++
	return "Style " + strconv.Itoa(t.styles)
}
