package note

import "github.com/pgdeid/pgdeid/ensemble/phi"

// Shown returns where spans of the value, sorted and counted as those of [Written], lie in Text, in code points. Those that no
// text shows, and those in documents within the document, are the zero range.
func (n *Note) Shown(spans []phi.Range) []phi.Range {
	if n.doc == nil {
		return spans
	}
	list := make([]phi.Range, len(spans))
	inValue, inText := offsets{in: string(n.data)}, offsets{in: n.doc.Text()}
	for i, s := range spans {
		if !n.countsBytes() {
			s.Start = inValue.byte(s.Start)
			s.End = inValue.byte(s.End)
		}
		if begin, end, ok := n.doc.Shown(s.Start, s.End); ok && begin >= inText.bytes {
			list[i].Start = inText.point(begin)
			list[i].End = inText.point(end)
		}
	}
	return list
}

// Shown returns where spans of the rows' values, of each sorted and counted as those of [Written], lie in Text, in code points,
// one after another. Those that no text shows are the zero range.
func (l *Lines) Shown(rows [][]phi.Range) []phi.Range {
	switch p := l.pieces; {
	case p == nil || p.coding.Separate() && l.ends != nil:
		return l.shownInLines(rows)
	case !p.coding.Separate(): // the first row has all of them
		var list []phi.Range
		for _, spans := range rows {
			list = append(list, spans...)
		}
		return p.doc.Shown(list)
	default:
		return p.shownInParts(rows)
	}
}

// shownInLines is Shown where each row is a part of the text.
func (l *Lines) shownInLines(rows [][]phi.Range) []phi.Range {
	var list []phi.Range
	count := offsets{in: l.text}
	for i, spans := range rows {
		begin := 0
		if i < len(l.ends) {
			begin = count.point(l.begin(i))
		}
		inLine := offsets{}
		if i < len(l.ends) {
			inLine.in = l.text[l.begin(i):l.ends[i]]
		}
		for _, s := range spans {
			if l.pieces != nil && l.pieces.doc.countsBytes() {
				s.Start = inLine.point(min(s.Start, len(inLine.in)))
				s.End = inLine.point(min(s.End, len(inLine.in)))
			}
			list = append(list, phi.Range{Start: begin + s.Start, End: begin + s.End})
		}
	}
	return list
}

// shownInParts is Shown where each row is a part of the document.
func (p *pieces) shownInParts(rows [][]phi.Range) []phi.Range {
	var list []phi.Range
	count := counter{of: p.doc.data, bytes: p.doc.countsBytes()}
	for i, spans := range rows {
		begin := 0
		if i > 0 && i <= len(p.ends) {
			begin = count.at(p.ends[i-1] + p.joined)
		}
		for _, s := range spans {
			list = append(list, phi.Range{Start: begin + s.Start, End: begin + s.End})
		}
	}
	return p.doc.Shown(list)
}
