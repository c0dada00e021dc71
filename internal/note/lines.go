package note

import (
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Lines are the lines of one note, to be searched as one text. They hold PHI and print themselves redacted.
type Lines struct {
	phi.Redacted

	text   string
	ends   []int   // where each line ends in text; nil where lines are parts of a document
	joined int     // the length of what is between two lines
	pieces *pieces // of a document; nil where lines are their own text
}

// JoinLines puts lines together, with a separator between them.
func JoinLines(lines []string, separator string) *Lines {
	l := &Lines{ends: make([]int, len(lines)), joined: len(separator)}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(line)
		l.ends[i] = b.Len()
	}
	l.text = b.String()
	return l
}

// Text returns the lines as one text.
func (l *Lines) Text() string { return l.text }

// split returns the lines of the text with what replaced parts of it, each with the spans in it. What replaced a part that
// goes over the ends of lines is divided where it has the line breaks of that part; otherwise the line in which the part
// begins has all of it, and the others what is left of them.
func (l *Lines) split(res surrogate.Result) []Written {
	out := make([]Written, len(l.ends))
	spans, at := res.Spans, offsets{in: res.Text}
	for i, r := range l.places(res) {
		begin := at.point(r.Start)
		end := at.point(r.End)
		value := res.Text[r.Start:r.End]
		if !hasBreak(l.text[l.begin(i):l.ends[i]]) {
			value = flat(value)
		}
		for len(spans) > 0 && spans[0].End <= begin {
			spans = spans[1:]
		}
		out[i] = Written{Value: value, Spans: within(spans, begin, end)}
	}
	return out
}

// begin returns where line i begins in the text.
func (l *Lines) begin(i int) int {
	if i == 0 {
		return 0
	}
	return l.ends[i-1] + l.joined
}

// places returns where the lines are in a text with replacements.
func (l *Lines) places(res surrogate.Result) []phi.Range {
	list := make([]phi.Range, len(l.ends))
	if len(list) == 0 {
		return nil
	}
	segments, moved, last := res.Segments, 0, len(list)-1
	for i := 0; i < last; {
		border := l.ends[i]
		for len(segments) > 0 && segments[0].In.End <= border {
			moved = segments[0].Out.End - segments[0].In.End
			segments = segments[1:]
		}
		if len(segments) == 0 || segments[0].In.Start >= border+l.joined {
			list[i].End, list[i+1].Start = border+moved, border+l.joined+moved
			i++
			continue
		}
		i = l.divide(res.Text, segments[0], i, list)
	}
	list[last].End = len(res.Text)
	return list
}

// divide places the ends of lines that a segment goes over, the first of which is that of line i, and returns the line in
// which the segment ends.
func (l *Lines) divide(text string, s surrogate.Segment, i int, list []phi.Range) int {
	was, now := l.text[s.In.Start:s.In.End], text[s.Out.Start:s.Out.End]
	alike := l.joined > 0 && strings.Count(was, "\n") == strings.Count(now, "\n")
	first, from, at := i, 0, 0 // places behind the same break in was and in now
	for ; i+1 < len(list) && l.ends[i] < s.In.End; i++ {
		border := l.ends[i] - s.In.Start
		switch {
		case alike:
			for range strings.Count(was[from:border+1], "\n") {
				at += strings.IndexByte(now[at:], '\n') + 1
			}
			from = border + 1
			list[i].End, list[i+1].Start = s.Out.Start+at-1, s.Out.Start+at
		case i == first && border == 0: // nothing of it is in this line
			list[i].End, list[i+1].Start = s.Out.Start, s.Out.Start
		default:
			list[i].End, list[i+1].Start = s.Out.End, s.Out.End
		}
	}
	return i
}

// within returns the spans in a range of a text, which begins where none of them ends before.
func within(spans []surrogate.Span, begin, end int) []surrogate.Span {
	var list []surrogate.Span
	for _, s := range spans {
		if s.Start >= end {
			break
		}
		s.Start, s.End = max(s.Start, begin)-begin, min(s.End, end)-begin
		list = append(list, s)
	}
	return list
}

func hasBreak(s string) bool { return strings.ContainsAny(s, "\n\r") }

// flat writes line breaks of surrogates as spaces: a row of one line stays one.
func flat(s string) string {
	if !hasBreak(s) {
		return s
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
}
