package stacking

import (
	"math/bits"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func count(v phi.Votes) int { return bits.OnesCount32(uint32(v)) }

// setVotes sets who proposed a word, and how much they agree.
func (d *describer) setVotes(s phi.Span, votes []phi.Span, at int) {
	word := d.c.View.Tokens[at]
	var voters phi.Votes
	var classes, same, scored int
	var seen [16]bool
	var best, sum float32
	nearest := len(d.c.View.Text)
	for _, v := range votes {
		if v.Start >= word.End || v.End <= word.Start {
			continue
		}
		voters |= v.By
		if class := v.Type.Class(); !seen[class] {
			seen[class] = true
			classes++
		}
		if v.Start == s.Start && v.End == s.End {
			same++
		}
		if v.Score > 0 {
			best, sum = max(best, v.Score), sum+v.Score
			scored++
		}
		nearest = min(nearest, word.Start-v.Start, v.End-word.End)
	}
	x := &d.row
	x.put(float32(count(voters)))
	x.put(float32(count(voters & d.c.Learned)))
	x.put(float32(count(voters &^ d.c.Learned)))
	x.put(best)
	x.put(sum / float32(max(scored, 1)))
	x.put(float32(classes))
	x.put(float32(min(nearest, 99)))
	x.put(float32(same))
}

// setMembers sets, for each member, how sure it is of a word (1 if it gives no probability, 0 if
// it did not vote), and whether it has the candidate's type.
func (d *describer) setMembers(s phi.Span, votes []phi.Span, at int) {
	word := d.c.View.Tokens[at]
	first := len(d.row.values)
	for range 2 * d.members {
		d.row.put(0)
	}
	by := d.row.values[first:]
	for _, v := range votes {
		slot := d.slot[bits.TrailingZeros32(uint32(v.By))%len(d.slot)]
		if slot < 0 || v.Start >= word.End || v.End <= word.Start {
			continue
		}
		score := v.Score
		if score == 0 {
			score = 1
		}
		by[2*slot] = max(by[2*slot], score)
		if v.Type == s.Type {
			by[2*slot+1] = 1
		}
	}
}

// strangers reports whether a member votes for a word that the model was not trained with.
func (d *describer) strangers(votes []phi.Span, word text.Token) bool {
	for _, v := range votes {
		if v.By&d.strange != 0 && v.Start < word.End && v.End > word.Start {
			return true
		}
	}
	return false
}

// repeats are the occurrences of a word in a note.
type repeats struct {
	all, candidate, lower int
	voters                phi.Votes
}

// repeated counts the words of a note that are in candidates.
func repeated(c *merge.Candidates) map[string]repeats {
	words := map[string]repeats{}
	tokens := c.View.Tokens
	for _, s := range c.Spans {
		from, to := tokensOf(c.View, s)
		for i := from; i < to; i++ {
			if tokens[i].Kind != text.Word {
				continue
			}
			key := lexicon.Fold(c.View.Str(i))
			r := words[key]
			r.candidate++
			r.voters |= s.By
			words[key] = r
		}
	}
	for i, t := range tokens {
		if t.Kind != text.Word {
			continue
		}
		key := lexicon.Fold(c.View.Str(i))
		if r, ok := words[key]; ok {
			r.all++
			if t.Case == text.Lower {
				r.lower++
			}
			words[key] = r
		}
	}
	return words
}

// setRepeats sets where else the note has a word.
func (d *describer) setRepeats(at int) {
	x := &d.row
	r := repeats{}
	if d.c.View.Tokens[at].Kind == text.Word {
		r = d.words[lexicon.Fold(d.c.View.Str(at))]
	}
	x.put(float32(r.all))
	x.put(float32(r.all - r.candidate))
	x.put(float32(count(r.voters)))
	x.put(float32(r.lower))
}
