package eval

import "github.com/pgdeid/pgdeid/ensemble"

// The ways to compare entities.
const (
	strict  = iota // same borders and a type that the label may stand for
	relaxed        // overlap and a class that the label may stand for
)

// entityCounts matches each gold entity with at most one prediction.
func (t *tally) entityCounts(doc *Document, m *marks, found []ensemble.Span) {
	for way := strict; way <= relaxed; way++ {
		used := make([]bool, len(found))
		for _, gold := range doc.Spans {
			if gold.Ignored() {
				continue
			}
			class := gold.class(All, "")
			t.entities[way][class].Gold++
			if i := matchEntity(gold, found, used, way); i >= 0 {
				used[i] = true
				t.entities[way][class].Found++
			}
		}
		for i, s := range found {
			class, judged := ClassOf(s.Type)
			if !judged || m.ignored(doc.Text, ensemble.Range{Start: s.Start, End: s.End}) {
				continue
			}
			t.entities[way][class].Predicted++
			if !used[i] {
				t.entities[way][class].False++
			}
		}
	}
}

func matchEntity(gold GoldSpan, found []ensemble.Span, used []bool, way int) int {
	for i, s := range found {
		if s.Start >= gold.End {
			break
		}
		if used[i] || s.End <= gold.Start {
			continue
		}
		class, _ := ClassOf(s.Type)
		switch {
		case way == strict && s.Start == gold.Start && s.End == gold.End && gold.Types.Has(s.Type):
			return i
		case way == relaxed && s.Type != ensemble.Time && hasClass(gold.Types, class):
			return i
		}
	}
	return -1
}
