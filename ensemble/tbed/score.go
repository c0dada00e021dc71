package tbed

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Counts are the numbers that determine precision and recall.
type Counts struct {
	Gold, Predicted, Right int
}

// Precision is the share of predictions that are right, 1 without predictions.
func (c Counts) Precision() float64 { return share(c.Right, c.Predicted) }

// Recall is the share of the gold that was found, 1 without gold.
func (c Counts) Recall() float64 { return share(c.Right, c.Gold) }

// F1 is the harmonic mean of both.
func (c Counts) F1() float64 {
	p, r := c.Precision(), c.Recall()
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func (c Counts) plus(o Counts) Counts {
	return Counts{c.Gold + o.Gold, c.Predicted + o.Predicted, c.Right + o.Right}
}

// Score measures how well a model finds annotated PHI.
type Score struct {
	// Entities are right if type and both ends equal those of the gold, as in i2b2's strict
	// evaluation.
	Entities Counts
	// Words, excluding punctuation marks, are right if the class is.
	Words Counts
}

// AllClasses is the key of the sum over all classes.
const AllClasses = ""

// Score adds the model's results for an example to scores, by class: NAME, LOCATION, ORG, AGE,
// DATE, ID, CONTACT, PROFESSION and AllClasses. TIME, which is kept, does not count. Where the
// gold leaves type or extent open, neither gold nor finds count.
func (m *Model) Score(ctx context.Context, e Example, scores map[string]Score) error {
	if len(e.Tags) != len(e.Note.View().Tokens) {
		return fmt.Errorf("%d tags for %d tokens", len(e.Tags), len(e.Note.View().Tokens))
	}
	t, err := m.tag(ctx, e.Note)
	if err != nil {
		return err
	}
	g, err := goldOf(e)
	if err != nil {
		return err
	}
	right := map[spanOf]bool{}
	for _, s := range g.spans {
		right[s] = true
		addEntity(scores, s.typ, Counts{Gold: 1})
	}
	for _, s := range t.spans(m.precision) {
		s.sure = 0
		s.trim(e.Note)
		switch {
		case s.from == s.to || slices.Contains(g.open[s.from:s.to], true):
		case right[s]:
			addEntity(scores, s.typ, Counts{Predicted: 1, Right: 1})
		case e.marks(s.typ):
			addEntity(scores, s.typ, Counts{Predicted: 1})
		}
	}
	scoreWords(scores, e, t.tags, g)
	return nil
}

// scoreWords compares classes word by word.
func scoreWords(scores map[string]Score, e Example, tags []Tag, g gold) {
	for i, tok := range e.Note.View().Tokens {
		if tok.Kind == text.Punct || g.open[i] {
			continue
		}
		want, got := classOf(g.tags[i].Type()), classOf(tags[i].Type())
		if want != AllClasses {
			c := Counts{Gold: 1}
			if want == got {
				c = Counts{1, 1, 1}
			}
			addWord(scores, want, c)
		}
		if got != AllClasses && got != want && e.marks(tags[i].Type()) {
			addWord(scores, got, Counts{Predicted: 1})
		}
	}
}

// classOf returns the class of a type as in models' cards, AllClasses for None and TIME.
func classOf(t phi.Type) string {
	switch {
	case t == phi.None || t == phi.Time:
		return AllClasses
	case inClass(t, classOrg):
		return classOrg
	}
	return t.Class().String()
}

func addEntity(scores map[string]Score, t phi.Type, c Counts) {
	class := classOf(t)
	if class == AllClasses {
		return
	}
	for _, key := range []string{AllClasses, class} {
		s := scores[key]
		s.Entities = s.Entities.plus(c)
		scores[key] = s
	}
}

func addWord(scores map[string]Score, class string, c Counts) {
	for _, key := range []string{AllClasses, class} {
		s := scores[key]
		s.Words = s.Words.plus(c)
		scores[key] = s
	}
}

// gold is the annotation of an example.
type gold struct {
	tags  []Tag    // Outside where open
	spans []spanOf // spans of the tags
	open  []bool   // by token: the type is unknown
}

func goldOf(e Example) (gold, error) {
	var g gold
	t := tagged{by: slices.Repeat([]int32{byPattern}, len(e.Tags))}
	for i, tag := range e.Tags {
		truth, ok := truthOf(tag, e.marks)
		if !ok {
			return g, badTag(i)
		}
		known := truth.want
		if !truth.given {
			known = Outside
		}
		g.tags, g.open = append(g.tags, known), append(g.open, !truth.given)
	}
	t.tags = g.tags
	for _, s := range t.spans(nil) {
		s.sure = 0
		g.spans = append(g.spans, s)
	}
	return g, nil
}
