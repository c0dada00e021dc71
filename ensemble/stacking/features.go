package stacking

import (
	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// missing is the value of a feature that a word does not have, such as the length of the word
// before the first one of a note.
const missing = -1

// wordColumns are the features of a word, of the two before it and of the two after it.
var wordColumns = []string{
	"kind", "case", "length", "surname", "first", "common", "capital", "odds", "unknown", "city", "state", "country", "clinical", "eponym",
	"nickname", "organisation", "job", "month", "weekday", "county", "bigcity", "placetop", "line", "blank", "mark",
}

// flags are those of the lexicon, in the order of wordColumns.
var flags = []lexicon.Flags{
	lexicon.City, lexicon.State, lexicon.Country, lexicon.Clinical, lexicon.Eponym, lexicon.Nickname, lexicon.Org, lexicon.Job, lexicon.Month,
	lexicon.Weekday, lexicon.County, lexicon.BigCity, lexicon.PlaceTop,
}

// marks are the punctuation marks that a feature distinguishes.
const marks = ".,:;-/()#'&\""

// places are the words to look at, relative to the current one.
var places = []struct {
	name string
	step int
}{{"word", 0}, {"before", -1}, {"before2", -2}, {"behind", 1}, {"behind2", 2}}

// setWords sets the features of a token and its neighbours.
func (x *row) setWords(v *text.View, at int) {
	tokens, entries := v.Tokens, v.Entries()
	for _, p := range places {
		i := at + p.step
		if i < 0 || i >= len(tokens) {
			for range wordColumns {
				x.put(missing)
			}
			continue
		}
		x.setWord(v, tokens[i], entries[i])
	}
}

func (x *row) setWord(v *text.View, t text.Token, e lexicon.Entry) {
	x.put(float32(t.Kind))
	x.put(float32(t.Case))
	x.put(float32(t.End - t.Start))
	x.put(float32(e.Surname))
	x.put(float32(e.First))
	x.put(float32(e.Common))
	x.put(float32(e.Capital))
	x.put(float32(max(e.Surname, e.First)) - float32(max(e.Common, e.Capital)))
	x.yes(e == lexicon.Entry{})
	for _, f := range flags {
		x.yes(e.Is(f))
	}
	x.yes(t.Line)
	x.yes(t.Space)
	x.put(markOf(v.Text[t.Start:t.End], t.Kind))
}

// markOf returns the index of a punctuation mark in marks, from 1; 0 for words and numbers, and
// len(marks)+1 for any other mark.
func markOf(s string, kind text.TokenKind) float32 {
	if kind != text.Punct {
		return 0
	}
	for i := range len(marks) {
		if s == marks[i:i+1] {
			return float32(i + 1)
		}
	}
	return float32(len(marks) + 1)
}

// cueColumns is the number of roles with a column for each cue.
const cueColumns = 57

// setCues sets the roles of the word and of its neighbours.
func (x *row) setCues(v *text.View, at int) {
	for step := -1; step <= 1; step++ {
		var cues text.Roles
		if i := at + step; i >= 0 && i < len(v.Tokens) {
			cues = v.Roles(i)
		}
		for bit := range cueColumns {
			x.yes(cues&(1<<bit) != 0)
		}
	}
}
