package stacking

import (
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// row is the classifier's input for a word, one value per column.
type row struct{ values []float32 }

func (x *row) put(v float32) { x.values = append(x.values, v) }

func (x *row) yes(is bool) {
	if is {
		x.put(1)
	} else {
		x.put(0)
	}
}

// columns returns the column names of rows for an ensemble of these members.
func columns(members []string) []string {
	var names []string
	for _, p := range places {
		for _, c := range wordColumns {
			names = append(names, p.name+" "+c)
		}
	}
	for _, p := range []string{"before", "word", "behind"} {
		for bit := range cueColumns {
			names = append(names, p+" role "+text.Roles(1<<bit).String())
		}
	}
	names = append(names,
		"span words", "span place", "span place from end", "span voters", "span learned voters", "span tentative", "span score", "span sure",
		"word voters", "word learned voters", "word rules", "word score", "word mean score", "word classes", "word least end", "word same range",
		"note same word", "note same word outside", "note same word voters", "note same word lower",
	)
	for _, t := range phi.Types() {
		names = append(names, "span is "+t.String())
	}
	for _, m := range members {
		names = append(names, "by "+m, "by "+m+" same type")
	}
	return names
}

// describer makes rows of a note's candidates.
type describer struct {
	c       *merge.Candidates
	slot    []int // by member of the ensemble: its index among those of the model, or -1
	members int   // number of the model's members
	strange phi.Votes
	words   map[string]repeats
	row     row
}

// newDescriber returns a describer of a note's candidates for a model with these members.
func newDescriber(c *merge.Candidates, slot []int, members int) *describer {
	d := &describer{c: c, slot: slot, members: members}
	for i, s := range slot {
		if s < 0 {
			d.strange |= 1 << i
		}
	}
	d.words = repeated(c)
	return d
}

// tokensOf returns the tokens [from, to) of a range.
func tokensOf(v *text.View, s phi.Span) (from, to int) {
	tokens := v.Tokens
	low, high := 0, len(tokens)
	for low < high {
		if mid := (low + high) / 2; tokens[mid].End <= s.Start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for to = low; to < len(tokens) && tokens[to].Start < s.End; to++ {
	}
	return low, to
}

// votesOn returns the votes that overlap a candidate.
func votesOn(c *merge.Candidates, s phi.Span) []phi.Span {
	low, high := 0, len(c.Votes)
	for low < high { // earlier votes may be long enough to overlap; few are
		if mid := (low + high) / 2; c.Votes[mid].Start < s.Start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for low > 0 && c.Votes[low-1].End > s.Start {
		low--
	}
	to := low
	for to < len(c.Votes) && c.Votes[to].Start < s.End {
		to++
	}
	return c.Votes[low:to]
}

// describe returns the row of a token of a candidate. It is valid until the next call.
func (d *describer) describe(s phi.Span, votes []phi.Span, from, to, at int) []float32 {
	d.row.values = d.row.values[:0]
	d.row.setWords(d.c.View, at)
	d.row.setCues(d.c.View, at)
	d.setSpan(s, from, to, at)
	d.setVotes(s, votes, at)
	d.setRepeats(at)
	for _, t := range phi.Types() {
		d.row.yes(s.Type == t)
	}
	d.setMembers(s, votes, at)
	return d.row.values
}

func (d *describer) setSpan(s phi.Span, from, to, at int) {
	x := &d.row
	x.put(float32(to - from))
	x.put(float32(at - from))
	x.put(float32(to - 1 - at))
	x.put(float32(count(s.By)))
	x.put(float32(count(s.By & d.c.Learned)))
	x.yes(s.Tentative)
	x.put(s.Score)
	x.yes(s.Sure)
}
