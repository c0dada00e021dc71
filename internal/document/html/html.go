package html

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/markup"
	"github.com/pgdeid/pgdeid/internal/document/parts"
	"github.com/pgdeid/pgdeid/internal/document/syntax"
	"github.com/pgdeid/pgdeid/internal/document/wordlist"
)

// reader reads HTML as browsers do: what is broken is read leniently. Tags that may stay are copied or written without the
// attributes that may not; comments, hidden text and what is no text are dropped.
type reader struct {
	b      *parts.Builder
	flow   markup.Flow
	tokens *html.Tokenizer
	open   openElements
	// newline says that a line break right here belongs to the start tag before it.
	newline bool
	// leftOut is the element that is being left out with its contents, and how many of its name are open.
	leftOut string
	depth   int
}

// Read hands all of a document of HTML to the builder.
func Read(b *parts.Builder) error {
	if !utf8.Valid(b.Input()) {
		return &syntax.Error{Offset: char.InvalidAt(b.Input()), Reason: "the document is not UTF-8"}
	}
	if i := bytes.IndexByte(b.Input(), 0); i >= 0 {
		return &syntax.Error{Offset: i, Reason: "a NUL byte"}
	}
	if char.HasPrefix(b.Input(), char.ByteOrderMark) {
		b.Keep(b.Input()[:len(char.ByteOrderMark)])
	}
	h := reader{
		b: b, flow: markup.Flow{Builder: b, Writer: markup.Escaper{Controls: true}},
		tokens: html.NewTokenizer(bytes.NewReader(b.Input()[b.At():])),
	}
	for {
		token := h.tokens.Next()
		if token == html.ErrorToken {
			return h.finish()
		}
		raw := b.Input()[b.At() : b.At()+len(h.tokens.Raw())]
		if err := h.token(token, raw); err != nil {
			return err
		}
	}
}

// finish refuses a document of which a part was not read, or may not have been hidden to its end.
func (h *reader) finish() error {
	switch {
	case h.b.At() < len(h.b.Input()):
		return h.b.Fail("a tag without an end")
	case h.leftOut != "":
		return h.b.Fail("an element that is no text, without an end")
	case h.open.hidden > 0:
		return h.b.Fail("a hidden element without an end")
	}
	return nil
}

func (h *reader) token(token html.TokenType, raw []byte) error {
	switch token {
	case html.StartTagToken, html.SelfClosingTagToken:
		return h.start(raw, token == html.SelfClosingTagToken)
	case html.EndTagToken:
		h.end(raw)
	case html.TextToken:
		if h.leftOut != "" || h.open.hidden > 0 {
			h.b.Drop(raw)
		} else {
			h.text(raw)
		}
	case html.DoctypeToken:
		if !closedComment(raw) {
			return h.b.Fail("a document type without an end")
		}
		h.doctype(raw)
	default:
		if !closedComment(raw) {
			return h.b.Fail("a comment without an end")
		}
		h.b.Drop(raw)
	}
	return nil
}

// closedComment reports whether a comment, or what is read as one, ends before the document does.
func closedComment(raw []byte) bool {
	if char.HasPrefix(raw, "<!--") {
		return bytes.HasSuffix(raw, []byte("-->")) || bytes.HasSuffix(raw, []byte("--!>"))
	}
	return bytes.HasSuffix(raw, []byte(">"))
}

const doctype = "<!DOCTYPE html>"

// doctype writes the document type without the names in it.
func (h *reader) doctype(raw []byte) {
	if strings.EqualFold(string(raw), doctype) {
		h.b.Keep(raw)
		return
	}
	h.b.Drop(raw)
	h.b.Put([]byte(doctype))
}

// start takes a start tag.
func (h *reader) start(raw []byte, selfClosing bool) error {
	tag := h.readTag()
	kind := elements[tag.name]
	switch {
	case h.leftOut != "":
		if tag.name == h.leftOut && !selfClosing {
			h.depth++
		}
		h.b.Drop(raw)
		return nil
	case kind.none:
		h.b.Drop(raw)
		if tag.name != "svg" || !selfClosing { // only there a slash ends the element
			h.leftOut, h.depth = tag.name, 1
		}
		return nil
	case kind.refused:
		return h.b.Fail("an element whose text can't be written with escapes")
	}
	h.open.imply(kind)
	e := openElement{tag.name, kind, tag.hidden && !kind.void}
	if h.show(raw, kind, tag.write, isPlainTag(raw[len("<")+len(tag.name):])) {
		h.newline = kind.pre
	}
	if (kind.known || tag.hidden) && !kind.void && !h.open.push(e) {
		return h.b.Fail("elements are nested too deeply")
	}
	return nil
}

// end takes an end tag.
func (h *reader) end(raw []byte) {
	name, _ := h.tokens.TagName()
	kind := elements[string(name)]
	switch {
	case h.leftOut != "":
		if string(name) == h.leftOut {
			h.depth--
		}
		if h.depth == 0 {
			h.leftOut = ""
		}
		h.b.Drop(raw)
		return
	case kind.none:
		h.b.Drop(raw)
		return
	}
	h.open.end(string(name), kind)
	tag := "</" + string(name) + ">"
	h.show(raw, kind, tag, isPlainTag(raw[len("</")+len(name):]))
}

// show takes a tag, as it is where it is plain, otherwise as it may be written, and reports whether the tag stays. An empty
// tag does not.
func (h *reader) show(raw []byte, kind element, tag string, plain bool) bool {
	if h.open.hidden > 0 || !kind.known || tag == "" {
		h.b.Drop(raw)
		return false
	}
	h.newline = false
	h.flow.Edge(kind.display)
	if plain || string(raw) == tag {
		h.b.Keep(raw)
		return true
	}
	h.b.Drop(raw)
	h.b.Put([]byte(tag))
	return true
}

// startTag is a start tag.
type startTag struct {
	name   string
	write  string // the tag with the attributes that may stay; empty where it shows nothing without them
	hidden bool
}

// readTag reads the tag that the tokenizer is at.
func (h *reader) readTag() startTag {
	name, more := h.tokens.TagName()
	tag := startTag{name: string(name)}
	var attributes strings.Builder
	var seen []string
	for more {
		var key, value []byte
		key, value, more = h.tokens.TagAttr()
		k := string(key)
		if k == "http-equiv" && strings.EqualFold(string(value), "content-type") {
			k = "charset" // in which what is written is another
		}
		tag.hidden = tag.hidden || hides(k, string(value))
		v, ok := allowed(tag.name, k, string(value))
		if !ok || slices.Contains(seen, k) {
			continue
		}
		seen = append(seen, k)
		attributes.WriteString(" " + k)
		if v != "" {
			attributes.WriteString(`="` + v + `"`)
		}
	}
	if attributes.Len() > 0 || !elements[tag.name].bare {
		tag.write = "<" + tag.name + attributes.String() + ">"
	}
	return tag
}

// hidingStyles are declarations of CSS, without white space, that hide text.
var hidingStyles = wordlist.ByName(attributeList)["hiding"]

// hides reports whether an attribute hides the text of its element.
func hides(name, value string) bool {
	if name == "hidden" {
		return true
	}
	if name != "style" {
		return false
	}
	style := strings.ToLower(strings.Join(strings.Fields(value), ""))
	for _, s := range hidingStyles {
		if strings.Contains(style, s) {
			return true
		}
	}
	return false
}

// isPlainTag reports whether nothing but white space and slashes is between the name in a tag and its end.
func isPlainTag(behind []byte) bool {
	for _, c := range behind[:len(behind)-1] {
		if c != '/' && !char.IsSpace(c) {
			return false
		}
	}
	return true
}
