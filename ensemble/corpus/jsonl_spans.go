package corpus

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// SpanLine is a span of JSON Lines output. Start and End count Unicode code points; End is
// exclusive.
type SpanLine struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Type  string   `json:"type"`
	By    []string `json:"by"`
}

// DetectLine is a line that "pgdeid detect" prints.
type DetectLine struct {
	ID    json.RawMessage `json:"id"`
	Spans []SpanLine      `json:"spans"`
}

// DeidLine is a line that "pgdeid deid" prints.
type DeidLine struct {
	phi.Redacted

	ID   json.RawMessage `json:"id"`
	Text string          `json:"text"`
}

// SpanLines converts the sorted spans of a text from bytes to code points. names returns the names
// of votes, as [ensemble.Ensemble.Names] does.
func SpanLines(text string, spans []phi.Span, names func(phi.Votes) []string) []SpanLine {
	lines := make([]SpanLine, 0, len(spans))
	at := CodePoints{text: text}
	for _, s := range spans {
		start := at.Of(s.Start)
		lines = append(lines, SpanLine{Start: start, End: at.Of(s.End), Type: s.Type.String(), By: names(s.By)})
	}
	return lines
}

// CodePoints counts the code points before non-decreasing byte offsets, in one pass over the text.
type CodePoints struct {
	phi.Redacted

	text         string
	bytes, runes int
}

// NewCodePoints starts counting at the start of a text.
func NewCodePoints(text string) *CodePoints { return &CodePoints{text: text} }

// Of returns the number of code points before a byte offset, which must be on a rune border and
// not before the previous one.
func (c *CodePoints) Of(offset int) int {
	c.runes += utf8.RuneCountInString(c.text[c.bytes:offset])
	c.bytes = offset
	return c.runes
}

// ByteOffset is the inverse: it returns the byte offset of the n-th code point of a text; ok is
// false if the text has fewer.
func ByteOffset(text string, n int) (int, bool) {
	if n < 0 {
		return 0, false
	}
	for i := range text {
		if n == 0 {
			return i, true
		}
		n--
	}
	return len(text), n == 0
}
