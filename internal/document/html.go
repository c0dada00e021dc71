package document

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/syntax"

	"golang.org/x/net/html"
)

// htmlReader reads HTML as browsers do: what is broken is read leniently. Tags that may stay are copied or written without the
// attributes that may not; comments, hidden text and what is no text are dropped.
type htmlReader struct {
	b      *builder
	flow   flow
	tokens *html.Tokenizer
	open   openElements
	// newline says that a line break right here belongs to the start tag before it.
	newline bool
	// left out is the element that is being left out with its contents, and how many of its name are open.
	leftOut string
	depth   int
}

func parseHTML(b *builder) error {
	if !utf8.Valid(b.input) {
		return &syntax.Error{Offset: invalidAt(b.input), Reason: "the document is not UTF-8"}
	}
	if i := bytes.IndexByte(b.input, 0); i >= 0 {
		return &syntax.Error{Offset: i, Reason: "a NUL byte"}
	}
	if hasPrefix(b.input, byteOrderMark) {
		b.keep(b.input[:len(byteOrderMark)])
	}
	h := htmlReader{b: b, flow: flow{b: b, writer: markupText{controls: true}}, tokens: html.NewTokenizer(bytes.NewReader(b.input[b.at:]))}
	for {
		token := h.tokens.Next()
		if token == html.ErrorToken {
			return h.finish()
		}
		raw := b.input[b.at : b.at+len(h.tokens.Raw())]
		if err := h.token(token, raw); err != nil {
			return err
		}
	}
}

const byteOrderMark = "\ufeff"

// finish refuses a document of which a part was not read, or may not have been hidden to its end.
func (h *htmlReader) finish() error {
	switch {
	case h.b.at < len(h.b.input):
		return h.b.fail("a tag without an end")
	case h.leftOut != "":
		return h.b.fail("an element that is no text, without an end")
	case h.open.hidden > 0:
		return h.b.fail("a hidden element without an end")
	}
	return nil
}

func (h *htmlReader) token(token html.TokenType, raw []byte) error {
	switch token {
	case html.StartTagToken, html.SelfClosingTagToken:
		return h.start(raw, token == html.SelfClosingTagToken)
	case html.EndTagToken:
		h.end(raw)
	case html.TextToken:
		if h.leftOut != "" || h.open.hidden > 0 {
			h.b.drop(raw)
		} else {
			h.text(raw)
		}
	case html.DoctypeToken:
		if !closedComment(raw) {
			return h.b.fail("a document type without an end")
		}
		h.doctype(raw)
	default:
		if !closedComment(raw) {
			return h.b.fail("a comment without an end")
		}
		h.b.drop(raw)
	}
	return nil
}

// closedComment reports whether a comment, or what is read as one, ends before the document does.
func closedComment(raw []byte) bool {
	if hasPrefix(raw, "<!--") {
		return bytes.HasSuffix(raw, []byte("-->")) || bytes.HasSuffix(raw, []byte("--!>"))
	}
	return bytes.HasSuffix(raw, []byte(">"))
}

const doctype = "<!DOCTYPE html>"

// doctype writes the document type without the names in it.
func (h *htmlReader) doctype(raw []byte) {
	if strings.EqualFold(string(raw), doctype) {
		h.b.keep(raw)
		return
	}
	h.b.drop(raw)
	h.b.put([]byte(doctype))
}

// start takes a start tag.
func (h *htmlReader) start(raw []byte, selfClosing bool) error {
	tag := h.readTag()
	kind := htmlElements[tag.name]
	switch {
	case h.leftOut != "":
		if tag.name == h.leftOut && !selfClosing {
			h.depth++
		}
		h.b.drop(raw)
		return nil
	case kind.none:
		h.b.drop(raw)
		if tag.name != "svg" || !selfClosing { // only there a slash ends the element
			h.leftOut, h.depth = tag.name, 1
		}
		return nil
	case kind.refused:
		return h.b.fail("an element whose text can't be written with escapes")
	}
	h.open.imply(kind)
	e := openElement{tag.name, kind, tag.hidden && !kind.void}
	if h.show(raw, kind, tag.write, isPlainTag(raw[len("<")+len(tag.name):])) {
		h.newline = kind.pre
	}
	if (kind.known || tag.hidden) && !kind.void && !h.open.push(e) {
		return h.b.fail("elements are nested too deeply")
	}
	return nil
}

// end takes an end tag.
func (h *htmlReader) end(raw []byte) {
	name, _ := h.tokens.TagName()
	kind := htmlElements[string(name)]
	switch {
	case h.leftOut != "":
		if string(name) == h.leftOut {
			h.depth--
		}
		if h.depth == 0 {
			h.leftOut = ""
		}
		h.b.drop(raw)
		return
	case kind.none:
		h.b.drop(raw)
		return
	}
	h.open.end(string(name), kind)
	tag := "</" + string(name) + ">"
	h.show(raw, kind, tag, isPlainTag(raw[len("</")+len(name):]))
}

// show takes a tag, as it is where it is plain, otherwise as it may be written, and reports whether the tag stays. An empty
// tag does not.
func (h *htmlReader) show(raw []byte, kind htmlElement, tag string, plain bool) bool {
	if h.open.hidden > 0 || !kind.known || tag == "" {
		h.b.drop(raw)
		return false
	}
	h.newline = false
	h.flow.edge(kind.display)
	if plain || string(raw) == tag {
		h.b.keep(raw)
		return true
	}
	h.b.drop(raw)
	h.b.put([]byte(tag))
	return true
}

// htmlTag is a start tag.
type htmlTag struct {
	name   string
	write  string // the tag with the attributes that may stay; empty where it shows nothing without them
	hidden bool
}

// readTag reads the tag that the tokenizer is at.
func (h *htmlReader) readTag() htmlTag {
	name, more := h.tokens.TagName()
	tag := htmlTag{name: string(name)}
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
	if attributes.Len() > 0 || !htmlElements[tag.name].bare {
		tag.write = "<" + tag.name + attributes.String() + ">"
	}
	return tag
}

// hidingStyles are declarations of CSS, without white space, that hide text.
var hidingStyles = lists(htmlAttributeList)["hiding"]

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
		if c != '/' && !isSpace(c) {
			return false
		}
	}
	return true
}
