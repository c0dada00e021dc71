package note

import (
	"strings"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/surrogate"
)

// edits returns what Replace has to do for the text of res.
func edits(doc *document.Document, res surrogate.Result) []document.Edit {
	list := make([]document.Edit, 0, len(res.Segments))
	for _, s := range res.Segments {
		whole := document.Edit{Begin: s.In.Start, End: s.In.End, Text: res.Text[s.Out.Start:s.Out.End]}
		list = append(list, split(whole, doc)...)
	}
	return list
}

// split cuts an edit of text that comes from several places, such as a name in two cells: each place gets its part of the
// replacement, if that has the same line breaks and tabs.
func split(e document.Edit, doc *document.Document) []document.Edit {
	gaps := doc.Gaps(e.Begin, e.End)
	if len(gaps) == 0 {
		return []document.Edit{e}
	}
	var parts []document.Edit
	begin, rest := e.Begin, e.Text
	for _, g := range append(gaps, [2]int{e.End, e.End}) {
		part, more, found := rest, "", true
		if g[0] < e.End {
			part, more, found = strings.Cut(rest, doc.Text()[g[0]:g[1]])
		}
		if !found || g[0] == begin {
			return []document.Edit{e}
		}
		parts = append(parts, document.Edit{Begin: begin, End: g[0], Text: part})
		begin, rest = g[1], more
	}
	return parts
}
