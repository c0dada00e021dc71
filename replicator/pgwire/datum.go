package pgwire

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
)

// datum is a value on its way between the wire and a table: NULL, a text (of
// whatever type), or a list. It prints itself redacted.
type datum struct {
	null   bool
	isList bool
	text   string
	list   []datum
}

func (d datum) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "datum[redacted]") }

// LogValue keeps values out of logs.
func (d datum) LogValue() slog.Value { return slog.StringValue("datum[redacted]") }

func textDatum(s string) datum { return datum{text: s} }

func intDatum[N int | int64 | uint32](n N) datum { return datum{text: strconv.FormatInt(int64(n), 10)} }

func boolDatum(b bool) datum {
	if b {
		return datum{text: "t"}
	}
	return datum{text: "f"}
}

func listDatum(list []datum) datum { return datum{isList: true, list: list} }

// textList returns a list of texts.
func textList(texts []string) datum {
	list := make([]datum, len(texts))
	for i, s := range texts {
		list[i] = textDatum(s)
	}
	return listDatum(list)
}

// size is what a value holds of memory, beside the datum itself.
func (d datum) size() int64 {
	n := int64(datumBytes + len(d.text))
	for _, e := range d.list {
		n += e.size()
	}
	return n
}

// datumBytes is the size of a datum without what it points to.
const datumBytes = 48

// string writes a value in PostgreSQL's text format.
func (d datum) string() string {
	if !d.isList {
		return d.text
	}
	var b strings.Builder
	d.writeList(&b)
	return b.String()
}

func (d datum) writeList(b *strings.Builder) {
	b.WriteByte('{')
	for i, e := range d.list {
		if i > 0 {
			b.WriteByte(',')
		}
		switch {
		case e.null:
			b.WriteString("NULL")
		case e.isList:
			e.writeList(b)
		default:
			quoteElement(b, e.text)
		}
	}
	b.WriteByte('}')
}

// quoteElement writes an element of an array, in quotes where it needs them
// (PostgreSQL documentation, 8.15.6).
func quoteElement(b *strings.Builder, s string) {
	if s != "" && !strings.EqualFold(s, "null") && !strings.ContainsAny(s, "{}\",\\ \t\n\r\v\f") {
		b.WriteString(s)
		return
	}
	b.WriteByte('"')
	for {
		i := strings.IndexAny(s, "\"\\")
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		b.WriteByte('\\')
		b.WriteByte(s[i])
		s = s[i+1:]
	}
	b.WriteString(s)
	b.WriteByte('"')
}

// elements returns a value as a list: an array, or a text in the format of one. A list that
// is made is accounted for before, as held.
func (d datum) elements(b *sessionBudget, held *int64) ([]datum, *failure) {
	if d.isList {
		return d.list, nil
	}
	most := int64(strings.Count(d.text, ",")) + 1
	if err := b.keep(elementBytes*most+int64(len(d.text)), held); err != nil {
		return nil, err
	}
	list, ok := parseArray(d.text, most)
	if !ok {
		return nil, failf(stateBadText, "malformed array literal")
	}
	return list, nil
}

// elementBytes is the size of an element without its text, which is a copy.
const elementBytes = datumBytes + 16

// parseArray reads an array of one dimension in PostgreSQL's text format, of most elements.
func parseArray(s string, most int64) ([]datum, bool) {
	s = strings.Trim(s, " \t\n\r\v\f")
	if i := strings.Index(s, "={"); strings.HasPrefix(s, "[") && i > 0 { // "[0:1]={…}"
		s = s[i+1:]
	}
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, false
	}
	r := arrayReader{s: s[1 : len(s)-1], list: make([]datum, 0, most)}
	return r.read()
}

type arrayReader struct {
	s    string
	list []datum
}

func (r *arrayReader) skip() { r.s = strings.TrimLeft(r.s, " \t\n\r\v\f") }

func (r *arrayReader) read() ([]datum, bool) {
	if r.skip(); r.s == "" {
		return r.list, true
	}
	for {
		r.skip()
		d, ok := r.element()
		if !ok {
			return nil, false
		}
		r.list = append(r.list, d)
		if r.skip(); r.s == "" {
			return r.list, true
		}
		if r.s[0] != ',' {
			return nil, false
		}
		r.s = r.s[1:]
	}
}

func (r *arrayReader) element() (datum, bool) {
	if strings.HasPrefix(r.s, "\"") {
		return r.quoted()
	}
	var b strings.Builder
	for r.s != "" && r.s[0] != ',' {
		switch c := r.s[0]; {
		case c == '\\' && len(r.s) > 1:
			b.WriteByte(r.s[1])
			r.s = r.s[2:]
			continue
		case c == '\\', c == '"', c == '{', c == '}':
			return datum{}, false
		default:
			b.WriteByte(c)
		}
		r.s = r.s[1:]
	}
	text := strings.TrimRight(b.String(), " \t\n\r\v\f")
	if text == "" {
		return datum{}, false
	}
	if strings.EqualFold(text, "null") {
		return datum{null: true}, true
	}
	return textDatum(text), true
}

func (r *arrayReader) quoted() (datum, bool) {
	var b strings.Builder
	for rest := r.s[1:]; ; {
		i := strings.IndexAny(rest, "\"\\")
		switch {
		case i < 0 || i+1 == len(rest) && rest[i] == '\\':
			return datum{}, false
		case rest[i] == '\\':
			b.WriteString(rest[:i])
			b.WriteByte(rest[i+1])
			rest = rest[i+2:]
		default:
			b.WriteString(rest[:i])
			r.s = rest[i+1:]
			return textDatum(b.String()), true
		}
	}
}
