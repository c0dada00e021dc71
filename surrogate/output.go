package surrogate

import (
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// segment is a span of the input beside what stands for it in the output.
type segment struct {
	in, out phi.Range
	span    phi.Span
	kept    bool // on purpose: by an action, or because it is no identifier
}

// output is a text in the making, with the borders of its segments.
type output struct {
	work     *work
	input    string
	text     string
	segments []segment
}

// codePoints turns the segments that were replaced into spans of the output.
func (o *output) codePoints() []Span {
	spans := make([]Span, 0, len(o.segments))
	bytes, points := 0, 0
	for _, s := range o.segments {
		if s.kept || s.out.Start == s.out.End {
			continue
		}
		start := points + utf8.RuneCountInString(o.text[bytes:s.out.Start])
		end := start + utf8.RuneCountInString(o.text[s.out.Start:s.out.End])
		bytes, points = s.out.End, end
		if n := len(spans); n > 0 && spans[n-1].End == start && spans[n-1].Type == s.span.Type {
			spans[n-1].End, spans[n-1].Was.End = end, s.in.End
			spans[n-1].By |= s.span.By
			continue
		}
		spans = append(spans, Span{Start: start, End: end, Type: s.span.Type, By: s.span.By, Was: s.in})
	}
	return spans
}

// wholeNumbers widens spans that begin or end within a number, so that no part of it
// stays; up to the next span. It returns spans itself where there are none.
func wholeNumbers(text string, spans []phi.Span) []phi.Span {
	out := spans
	for i := range spans {
		start, end := spans[i].Start, spans[i].End
		for floor := endBefore(out, i); start > floor && isDigit(text[start]) && isDigit(text[start-1]); {
			start--
		}
		for limit := startAfter(spans, i, len(text)); end < limit && isDigit(text[end-1]) && isDigit(text[end]); {
			end++
		}
		if start == spans[i].Start && end == spans[i].End {
			continue
		}
		if &out[0] == &spans[0] {
			out = slices.Clone(spans)
		}
		out[i].Start, out[i].End = start, end
	}
	return out
}

func endBefore(spans []phi.Span, i int) int {
	if i == 0 {
		return 0
	}
	return spans[i-1].End
}

func startAfter(spans []phi.Span, i, end int) int {
	if i+1 == len(spans) {
		return end
	}
	return spans[i+1].Start
}
