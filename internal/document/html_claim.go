package document

import (
	"bytes"
	"strings"
)

// beginsHTML reports whether a document begins as whole documents of HTML do.
func beginsHTML(data []byte) bool {
	tag := firstTag(data)
	return strings.HasPrefix(tag, "<!doctype html") || tag == "<html" || tag == "<head" || tag == "<body"
}

// holdsHTML reports whether a document begins with an element that is shown on lines of its own, and ends an element.
func holdsHTML(data []byte) bool {
	tag := firstTag(data)
	if len(tag) < 2 {
		return false
	}
	e := htmlElements[tag[1:]]
	return e.known && e.display != inline && (bytes.Contains(data, []byte("</")) || e.void)
}

// firstTag returns the begin and the name of the tag that a document begins with, in lower case, or "".
func firstTag(data []byte) string {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	data = data[spaces(data):]
	if hasPrefix(data, "<?xml") {
		_, data, _ = bytes.Cut(data, []byte("?>"))
		data = data[spaces(data):]
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
