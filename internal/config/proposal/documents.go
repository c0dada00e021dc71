package proposal

import (
	"fmt"
	"strings"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/document"
)

// common returns what the documents of a column are: their kind, or one that takes all of their kinds, and how many values
// are documents. It reports false where no one kind does.
func (s *shape) common() (kind, int, bool) {
	var all kind
	n := 0
	first := true
	for k, count := range s.kinds {
		n += count
		switch {
		case k.format == "":
			return kind{}, 0, false
		case first:
			all, first = k, false
		case k.encoding != all.encoding:
			return kind{}, 0, false
		case k.format != all.format:
			all.format = document.Auto
		}
	}
	switch {
	case n < s.values && all.encoding != "": // some are in no encoding
		return kind{}, 0, false
	case n < s.values:
		all.format = document.Auto
	}
	return all, n, true
}

// readable reports whether the values of a column of bytes can be read as text, and are no names or keys.
func (s *shape) readable() bool {
	all, _, ok := s.common()
	return ok && s.values > 0 && (all.format != document.Plain || all.encoding != "" && all.encoding != encoding.Windows || 2*s.words >= s.values)
}

// documents proposes for a column of which some values, at least, are documents.
func documents(c *column) choice {
	all, n, ok := c.shape.common()
	switch {
	case !ok:
		return drop(c, c.shape.share(c.shape.documents())+" are documents of several encodings, or of none that is text")
	case 2*(c.shape.of(document.JSON)+c.shape.of(document.XML)) >= c.shape.values:
		return drop(c, fmt.Sprintf("%s are %s: decide what of it is published: %s", c.shape.share(n), c.shape.formats(), "{publish: text, "+all.mapping()+"}"))
	}
	ch := publish(c, config.Text, fmt.Sprintf("%s are %s", c.shape.share(n), c.shape.formats()))
	ch.Format, ch.Encoding = all.format, all.encoding
	if ch.Format == document.Plain && config.BaseType(c.dataType) != "bytea" {
		ch.Format = ""
	}
	return ch
}

// documents returns how many values are documents.
func (s *shape) documents() int {
	n := 0
	for _, count := range s.kinds {
		n += count
	}
	return n
}

// of returns how many values are documents of a format.
func (s *shape) of(f document.Format) int {
	n := 0
	for k, count := range s.kinds {
		if k.format == f {
			n += count
		}
	}
	return n
}

// formats names the formats of a column's documents, and their encoding.
func (s *shape) formats() string {
	var names []string
	for _, f := range config.Formats() {
		if s.of(f) > 0 {
			names = append(names, string(f))
		}
	}
	text := strings.Join(names, " or ")
	if all, _, ok := s.common(); ok && all.encoding != "" {
		text += " in " + string(all.encoding)
	}
	return text
}

// mapping returns how the mapping says a kind.
func (k kind) mapping() string {
	text := "format: " + string(k.format)
	if k.encoding != "" {
		text += ", encoding: " + string(k.encoding)
	}
	return text
}
