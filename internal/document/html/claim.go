package html

import (
	"bytes"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/char"
	"github.com/pgdeid/pgdeid/internal/document/markup"
)

// Begins reports whether a document begins as whole documents of HTML do.
func Begins(data []byte) bool {
	tag := firstTag(data)
	return strings.HasPrefix(tag, "<!doctype html") || tag == "<html" || tag == "<head" || tag == "<body"
}

// Holds reports whether a document begins with an element that is shown on lines of its own, and ends an element.
func Holds(data []byte) bool {
	tag := firstTag(data)
	if len(tag) < 2 {
		return false
	}
	e := elements[tag[1:]]
	return e.known && e.display != markup.Inline && (bytes.Contains(data, []byte("</")) || e.void)
}

// firstTag returns the begin and the name of the tag that a document begins with, in lower case, or "".
func firstTag(data []byte) string {
	data = bytes.TrimPrefix(data, []byte(char.ByteOrderMark))
	data = data[char.Spaces(data):]
	if char.HasPrefix(data, "<?xml") {
		_, data, _ = bytes.Cut(data, []byte("?>"))
		data = data[char.Spaces(data):]
	}
	const longest = len("<!doctype html") + 1
	data = data[:min(len(data), longest)]
	if len(data) == 0 || data[0] != '<' {
		return ""
	}
	tag := strings.ToLower(string(data))
	if strings.HasPrefix(tag, "<!") {
		return tag
	}
	if i := strings.IndexAny(tag, " \t\r\n\f/>"); i > 0 {
		return tag[:i]
	}
	return ""
}
