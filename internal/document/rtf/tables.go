package rtf

import (
	"bytes"
	"strconv"
	"strings"
)

// table reads the table of fonts, of colours or of styles. Layout in it stays, and names that every installation has.
type table struct {
	*parser
	class  wordClass
	depth  int
	font   int    // that the current entry defines
	family string // its family
	named  bool   // whether the current entry has a name
}

// table reads a group that is a table and begins at an offset.
func (p *parser) table(class wordClass, from int) error {
	if err := p.scan.group(len(p.stack)); err != nil {
		return err
	}
	end := p.scan.at + 1
	p.scan.at = from
	t := table{parser: p, class: class, family: "fnil"}
	for p.scan.at < end {
		tok, err := p.scan.next()
		if err != nil {
			return err
		}
		if err := t.token(tok); err != nil {
			return err
		}
	}
	p.starred = false
	return nil
}

func (t *table) token(tok token) error {
	switch tok.kind {
	case tokenOpen:
		return t.begin(tok)
	case tokenClose:
		t.depth--
		t.keep(tok.raw)
	case tokenWord:
		t.word(tok)
	case tokenNewline:
		t.keep(tok.raw)
	case tokenBytes:
		t.names(tok.raw)
	case tokenSymbol:
		t.symbol(tok)
	case tokenHex, tokenControl, tokenEnd:
		t.b.Drop(tok.raw)
	}
	return nil
}

// begin opens an entry. Groups within entries, and those that are no entries, are left out.
func (t *table) begin(brace token) error {
	class, starred, _, err := t.head()
	if err != nil {
		return err
	}
	entry := t.depth == 1 && t.class != classColours && (class == classLayout || class == classUnknown && !starred)
	if t.depth > 0 && !entry {
		return t.skip(t.scan.at - len(brace.raw))
	}
	t.depth++
	t.named = false
	t.keep(brace.raw)
	return nil
}

// symbol keeps the mark of an entry of the style sheet that older programs skip.
func (t *table) symbol(tok token) {
	next, err := t.scan.peek()
	if err == nil && tok.param == '*' && t.class == classStyles && next.kind == tokenWord && t.words[string(next.name)].class == classLayout {
		t.keep(tok.raw)
		return
	}
	t.b.Drop(tok.raw)
}

func (t *table) word(tok token) {
	name := string(tok.name)
	class := t.words[name].class
	limit := maxLayout
	if t.class == classColours {
		limit = 255
	}
	if class != t.class && (class != classLayout || tok.param > limit || tok.param < -limit) {
		t.b.Drop(tok.raw)
		return
	}
	t.keepWord(tok.raw)
	if t.class != classFonts {
		return
	}
	switch page := codePage(tok.param); {
	case name == "f":
		t.font = tok.param
		t.family = "fnil"
		t.named = false
	case name == "fcharset":
		if page, ok := charsets[tok.param]; ok {
			t.fonts[t.font] = page
		}
	case name == "cpg" && page.known():
		t.fonts[t.font] = page
	case knownNames().families[name] != "":
		t.family = name
	}
}

// names takes the text of a table: names that end with semicolons.
func (t *table) names(raw []byte) {
	for len(raw) > 0 {
		n := bytes.IndexByte(raw, ';')
		if n < 0 {
			t.name(raw)
			return
		}
		t.name(raw[:n])
		if !t.named && t.class != classColours {
			t.space()
			t.b.Put([]byte(t.plainName()))
		}
		t.named = false
		t.keep(raw[n : n+1])
		raw = raw[n+1:]
	}
}

// name takes a name, or a part of one.
func (t *table) name(raw []byte) {
	name := strings.TrimSpace(string(raw))
	if !t.named && (t.class == classFonts && knownNames().font(name) || t.class == classStyles && knownNames().style(name)) {
		t.space()
		t.keep(raw)
		t.named = true
		return
	}
	t.b.Drop(raw)
}

// plainName returns what a font or a style is called whose name is left out.
func (t *table) plainName() string {
	if t.class == classFonts {
		return knownNames().families[t.family]
	}
	t.styles++
	return "Style " + strconv.Itoa(t.styles)
}
