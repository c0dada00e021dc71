package onnx

import (
	"errors"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// How many words a network that reads windows of a note is given around what is asked.
const (
	wordsBefore = 12
	wordsAfter  = 8
)

// leastWindow is the least size of a window of a note: what is asked and its overlap with
// the next one have to fit in.
const leastWindow = 2 * noteOverlap

// errAsk says that a caller asked for what a note doesn't have.
var errAsk = errors.New("ranges of tokens that are asked have to be sorted, disjoint and within the note")

// checkAsk checks ranges of the tokens of a note.
func checkAsk(ask []phi.Range, tokens int) error {
	end := 0
	for _, r := range ask {
		if r.Start < end || r.End < r.Start || r.End > tokens {
			return errAsk
		}
		end = r.End
	}
	return nil
}

// sentencesOf returns the sentences of a note as ranges of tokens: all of them, or those
// with a token that is asked.
func sentencesOf(note *ensemble.Note, ask []phi.Range) []phi.Range {
	tokens, at := note.View().Tokens, 0
	asked := asker{ask}
	var out []phi.Range
	for _, s := range note.View().Sentences() {
		from := at
		for at < len(tokens) && tokens[at].Start < s.End {
			at++
		}
		if asked.any(from, at) {
			out = append(out, phi.Range{Start: from, End: at})
		}
	}
	return out
}

// contextOf returns what is asked of a note of so many tokens with the words around it;
// nil asks for all. Ranges that touch are one.
func contextOf(tokens int, ask []phi.Range) []phi.Range {
	if ask == nil {
		ask = []phi.Range{{Start: 0, End: tokens}}
	}
	var out []phi.Range
	for _, r := range ask {
		if r.Start == r.End {
			continue
		}
		wide := phi.Range{Start: max(r.Start-wordsBefore, 0), End: min(r.End+wordsAfter, tokens)}
		if n := len(out); n > 0 && wide.Start <= out[n-1].End {
			out[n-1].End = wide.End
		} else {
			out = append(out, wide)
		}
	}
	return out
}

// asker reports what is asked, for ranges of tokens in ascending order.
type asker struct {
	left []phi.Range // nil asks for all; those that are passed are dropped
}

// any reports whether a token of [from, to) is asked. From may not be less than that of an
// earlier call.
func (a *asker) any(from, to int) bool {
	if a.left == nil {
		return from < to
	}
	for len(a.left) > 0 && (a.left[0].End <= from || a.left[0].Start == a.left[0].End) {
		a.left = a.left[1:]
	}
	return len(a.left) > 0 && a.left[0].Start < to
}
