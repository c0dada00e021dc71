package leaks

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// gathered are the lines of the note at hand, which are searched as one text: a name can begin in one of them and end in the next,
// and a document can be in pieces.
type gathered struct {
	phi.Redacted

	feed  *feed
	owner string
	note  string
	texts []string
}

// gathers reports whether a column's texts are put together.
func (g *gathered) gathers(c *column) bool {
	return g.feed.order != "" && c.name == g.feed.table.Columns[g.feed.table.Lines.Text].Name
}

// holds reports whether a row is a line of the note at hand.
func (g *gathered) holds(r *row) bool { return g.owner == r.owner && g.note == r.note }

func (g *gathered) begin(r *row) { g.owner, g.note, g.texts = r.owner, r.note, g.texts[:0] }

// add adds a line. Rows without a text are no part of a document.
func (g *gathered) add(text string) {
	if text != "" || g.text().plain {
		g.texts = append(g.texts, text)
	}
}

// text returns the column whose texts are put together.
func (g *gathered) text() *column {
	for _, c := range g.feed.columns {
		if g.gathers(c) {
			return c
		}
	}
	return nil
}

// lookAtNote searches the lines of a note as one text. In plain text each line was searched already, so that only words over
// the ends of lines are new.
func (s *scanner) lookAtNote(g *gathered, who *record.Gazetteer) {
	if who == nil || len(g.texts) == 0 {
		return
	}
	defer func() { g.texts = g.texts[:0] }()
	c := g.text()
	whole, err := g.feed.table.Lines.Open(g.texts)
	if err != nil {
		s.res.Unread++
		return
	}
	text := whole.Text()
	for _, at := range who.Leaks(text) {
		if c.plain && g.withinLine(at) {
			continue
		}
		together := *c
		together.plain = false // no surrogate is placed in the text of all lines
		s.hits = append(s.hits, &hit{column: &together, row: g.note, word: text[at.Start:at.End], at: at, value: text, patient: g.owner})
	}
}

// withinLine reports whether a range of the text of all lines is in one of them.
func (g *gathered) withinLine(at phi.Range) bool {
	begin, between := 0, len(g.feed.table.Lines.Join.Separator())
	for _, text := range g.texts {
		if end := begin + len(text); begin <= at.Start && at.End <= end {
			return true
		}
		begin += len(text) + between
	}
	return false
}
