package surrogate

import (
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

// segment pairs a span of the input with its replacement in the output.
type segment struct {
	in, out phi.Range
	span    phi.Span
	kept    bool // by an action, or because it is not an identifier
}

// output is the text being written, with the borders of its segments.
type output struct {
	phi.Redacted

	work     *work
	input    string
	text     string
	segments []segment
}

// codePoints returns the replaced segments as spans of the output.
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

// replaced returns the segments that the output writes in another way than the input.
func (o *output) replaced() []Segment {
	segments := make([]Segment, 0, len(o.segments))
	for _, s := range o.segments {
		if o.input[s.in.Start:s.in.End] != o.text[s.out.Start:s.out.End] {
			segments = append(segments, Segment{In: s.in, Out: s.out})
		}
	}
	return segments
}

// wholeNumbers extends spans that begin or end within a number to the whole number, at most up to
// the next span. It returns spans itself if nothing changes.
func wholeNumbers(text string, spans []phi.Span) []phi.Span {
	out := spans
	for i := range spans {
		start, end := spans[i].Start, spans[i].End
		for floor := endBefore(out, i); start > floor && letter.IsDigit(text[start]) && letter.IsDigit(text[start-1]); {
			start--
		}
		for limit := startAfter(spans, i, len(text)); end < limit && letter.IsDigit(text[end-1]) && letter.IsDigit(text[end]); {
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
