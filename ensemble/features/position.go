package features

import (
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// glue writes what is before and after a token: a blank (_), nothing (.) or the end of a line (|).
func (s *Sheet) glue(buf []byte, i int) []byte {
	buf = append(buf, s.gap(i))
	return append(buf, s.gap(i+1))
}

func (s *Sheet) gap(i int) byte {
	switch {
	case i == len(s.tokens) || s.tokens[i].Line:
		return '|'
	case s.tokens[i].Space:
		return '_'
	}
	return '.'
}

func (s *Sheet) line(buf []byte, i int) []byte {
	m := &s.marks[i]
	return place(buf, i, int(m.lineStart), int(m.lineEnd))
}

// sentence adds to the place the length of the sentence, in powers of two.
func (s *Sheet) sentence(buf []byte, i int) []byte {
	m := &s.marks[i]
	buf = place(buf, i, int(m.sentenceStart), int(m.sentenceEnd))
	size := 0
	for n := int(m.sentenceEnd - m.sentenceStart); n > 1 && size < 7; n >>= 1 {
		size++
	}
	return strconv.AppendInt(append(buf, '/'), int64(size), 10)
}

// place writes the position of i in [from, to).
func place(buf []byte, i, from, to int) []byte {
	switch {
	case to-from == 1:
		return append(buf, "only"...)
	case i-from < 4:
		return strconv.AppendInt(buf, int64(i-from), 10)
	case i == to-1:
		return append(buf, "last"...)
	}
	return append(buf, '+')
}

// label is a range of tokens before a colon; it is empty if to is 0.
type label struct{ from, to int32 }

const (
	labelWords   = 3   // of a label that count
	fieldTokens  = 16  // after a label that belong to it
	sectionReach = 600 // tokens after a header that belong to its section
)

// markLabels finds the header of each token's section and the label of its field.
func (s *Sheet) markLabels() {
	var section, field label
	for i := range s.tokens {
		m := &s.marks[i]
		if s.tokens[i].Line && !(field.to > 0 && int(field.to) == i-1) {
			field = label{} // a label at the end of a line belongs to the next one
		}
		if int(field.to)+fieldTokens < i {
			field = label{}
		}
		if int(section.to)+sectionReach < i {
			section = label{}
		}
		m.section, m.field = section, field
		if s.colon(i) {
			field = s.labelBefore(i)
			if field.to > 0 && field.from == m.lineStart {
				section = field
			}
		}
	}
}

// colon reports whether token i is a colon after a word and before a blank or a line's end.
func (s *Sheet) colon(i int) bool {
	return s.tokens[i].Kind == text.Punct && s.note.Text[s.tokens[i].Start] == ':' && i > 0 && !s.tokens[i].Line &&
		s.tokens[i-1].Kind == text.Word && s.gap(i+1) != '.'
}

// labelBefore returns at most count words before the colon at token i, back to the line's start or
// a punctuation mark.
func (s *Sheet) labelBefore(i int) label {
	from := i
	for from > int(s.marks[i].lineStart) && i-from < labelWords && s.tokens[from-1].Kind == text.Word {
		from--
	}
	return label{int32(from), int32(i)}
}

func (s *Sheet) section(buf []byte, i int) []byte { return s.label(buf, s.marks[i].section) }

func (s *Sheet) field(buf []byte, i int) []byte { return s.label(buf, s.marks[i].field) }

func (s *Sheet) label(buf []byte, l label) []byte {
	for i := int(l.from); i < int(l.to); i++ {
		if i > int(l.from) {
			buf = append(buf, ' ')
		}
		buf = append(buf, s.fold(i)...)
	}
	return buf
}
