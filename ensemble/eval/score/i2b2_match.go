package score

import (
	"slices"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// pairing matches gold entities with predictions one to one.
type pairing struct {
	text      string
	gold      []entity
	predicted []phi.Span // sorted, free of overlap
	found     []bool     // of gold
	right     []bool     // of predictions
}

func newPairing(text string, gold []entity, predicted []phi.Span) *pairing {
	return &pairing{text, gold, predicted, make([]bool, len(gold)), make([]bool, len(predicted))}
}

// entities counts the ways that compare spans. Each looser way starts from the matches of the
// stricter one, so that no entity loses its best partner.
func (c i2b2Counts) entities(k Track, text string, gold []entity, predicted []phi.Span) {
	p := newPairing(text, gold, predicted)
	p.match(p.strict)
	c.pairs(k, Strict, p)
	p.match(p.relaxed)
	c.pairs(k, Relaxed, p)
	p.match(p.overlap)
	c.pairs(k, Overlap, p)

	borders := newPairing(text, oneOfEach(gold), predicted)
	borders.match(borders.borders)
	c.pairs(k, Borders, borders)
}

// match pairs what is still unpaired.
func (p *pairing) match(same func(entity, phi.Span) bool) {
	for i, g := range p.gold {
		if p.found[i] {
			continue
		}
		at, _ := slices.BinarySearchFunc(p.predicted, g.Start, func(s phi.Span, start int) int { return s.End - start - 1 })
		for ; at < len(p.predicted) && p.predicted[at].Start < g.End; at++ {
			if !p.right[at] && same(g, p.predicted[at]) {
				p.found[i], p.right[at] = true, true
				break
			}
		}
	}
}

func (p *pairing) strict(g entity, s phi.Span) bool {
	return p.borders(g, s) && sameType(g.Types, s.Type)
}

func (p *pairing) relaxed(g entity, s phi.Span) bool {
	if g.Start != s.Start || !sameType(g.Types, s.Type) {
		return false
	}
	return utf8.RuneCountInString(p.text[min(g.End, s.End):max(g.End, s.End)]) <= relaxedEnd
}

func (p *pairing) overlap(g entity, s phi.Span) bool { return sameType(g.Types, s.Type) }

func (p *pairing) borders(g entity, s phi.Span) bool {
	return g.Start == s.Start && g.End == s.End
}

func (c i2b2Counts) pairs(k Track, w Way, p *pairing) {
	for i, g := range p.gold {
		c.gold(k, w, g.Main, p.found[i])
	}
	for i, s := range p.predicted {
		c.predicted(k, w, s.Type, p.right[i])
	}
}

// oneOfEach keeps the first of several entities with the same borders.
func oneOfEach(gold []entity) []entity {
	seen := map[phi.Range]bool{}
	return slices.DeleteFunc(slices.Clone(gold), func(e entity) bool {
		was := seen[e.Range]
		seen[e.Range] = true
		return was
	})
}

// predictedToken is a run of letters and digits in a prediction.
type predictedToken struct {
	typ   phi.Type
	right [numWays]bool // what gold matches, by the ways that compare tokens
}

// tokenWays are the ways that compare runs of letters and digits. Gold for the same run counts
// once for each meaning; for BinaryTokens, once.
var tokenWays = []struct {
	way  Way
	same func(corpus.TypeSet, phi.Type) bool
}{
	{Tokens, sameType},
	{CategoryTokens, sameCategory},
	{BinaryTokens, func(corpus.TypeSet, phi.Type) bool { return true }},
}

// goldToken is a run of letters and digits in gold.
type goldToken struct {
	phi.Range
	types corpus.TypeSet // none for BinaryTokens
	way   Way
}

// tokens counts the ways that compare runs of letters and digits, cut to their spans as in the
// script.
func (c i2b2Counts) tokens(k Track, text string, gold []entity, predicted []phi.Span) {
	at := map[phi.Range]*predictedToken{}
	for _, s := range predicted {
		EachWord(text, s.Start, s.End, func(w phi.Range) { at[w] = &predictedToken{typ: s.Type} })
	}
	seen := map[goldToken]bool{}
	for _, g := range gold {
		EachWord(text, g.Start, g.End, func(w phi.Range) {
			for _, by := range tokenWays {
				t := goldToken{w, g.Types, by.way}
				if by.way == BinaryTokens {
					t.types = 0
				}
				if seen[t] {
					continue
				}
				seen[t] = true
				p := at[w]
				same := p != nil && by.same(g.Types, p.typ)
				c.gold(k, by.way, g.Main, same)
				if same {
					p.right[by.way] = true
				}
			}
		})
	}
	for _, p := range at {
		for _, by := range tokenWays {
			c.predicted(k, by.way, p.typ, p.right[by.way])
		}
	}
}
