package record

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// reader's record: names of several lengths, words among them, places and numbers.
var readings = NewGazetteer(Record{
	NameFirst: {"Mirela"}, NameMiddle: {"Quill"}, NameLast: {"Zorvakian", "Long"}, RelativeName: {"Gene O'Hanrath", "Catharine Whitting"},
	Street: {"6460 North Blairdale Ave"}, City: {"Kelsova"}, MRN: {"ZK7741903"}, BirthDate: {"1954-10-12"},
})

var likenessNames = map[likeness]string{inPieces: "p", misspelt: "m", doubtful: "d", isLogin: "l"}

// read writes the tokens of a reading: what is read as a word of the record in angle brackets, with
// how likely it is.
func read(g *Gazetteer, s string, mode mode) string {
	r, _ := g.readingOf(text.NewView(s), mode)
	var b strings.Builder
	for i, t := range r.toks {
		if i > 0 && t.Space {
			b.WriteByte(' ')
		}
		word := r.tok(i)
		if name := likenessNames[r.likeness(i)]; name != "" {
			b.WriteString("<" + name + ":" + word + ">")
		} else {
			b.WriteString(word)
		}
	}
	return b.String()
}

type readingCase struct{ text, want string }

func checkReadings(t *testing.T, g *Gazetteer, mode mode, cases []readingCase) {
	t.Helper()
	for _, c := range cases {
		if got := read(g, c.text, mode); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A text without damage is read as it is written.
func TestReadingOfPlainTexts(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Mirela Zorvakian was seen.", "MRN ZK7741903, born 10/12/1954", "He will walk a long way.", "T2DM, 5mg",
		"the patient (mother) has been doing well since May", "at 6460 North Blairdale Ave in Kelsova",
	} {
		r, _ := readings.readingOf(text.NewView(s), everything)
		if r.like != nil {
			t.Errorf("%q is read as %s", s, read(readings, s, everything))
		}
	}
}

func TestReadingOfMisspeltWords(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"saw Mirla today", "saw <m:Mirla> today"},
		{"saw Mirelaa and Zorvakain", "saw <m:Mirelaa> and <m:Zorvakain>"},
		{"ZORVAKAIN", "<m:ZORVAKAIN>"},
		{"zorvakain", "<m:zorvakain>"},
		{"Genne said", "<d:Genne> said"},
		{"saw Gane", "saw <d:Gane>"},
		{"Whiting", "<m:Whiting>"},
		{"in Kelsva now", "in <m:Kelsva> now"},
		{"on Noroh Street", "on <m:Noroh> Street"},
		{"a lone wolf", "a <d:lone> wolf"},
		{"Orvakian", "Orvakian"},
	})
}

func TestReadingOfScannedWords(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"saw Mire1a today", "saw <m:Mire1a> today"},
		{"Z0RVAK1AN", "<m:Z0RVAK1AN>"},
		{"Zorvaklan", "<m:Zorvaklan>"},
		{"Whittirig", "<m:Whittirig>"},
		{"l0ng", "<d:l0ng>"},
		{"born 1O/l2/19S4", "born 10/12/1954"},
		{"646O North", "6460 North"},
		{"4/G/58", "4/6/58"},
		{"B12 and S1, 5mg", "812 and 51, 5mg"},
		{"i6th", "16th"},
	})
}

// The leak check and a directory take words as they are spelt.
func TestReadingWithoutLikeness(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"Mirla Zorvakain", "Mire1a", "646O", "O'Hanrth"} {
		for _, mode := range []mode{exact, staff} {
			if got := read(readings, s, mode); got != s {
				t.Errorf("%q is read as %s", s, got)
			}
		}
	}
	if got := read(readings, "Z o r v a k i a n", staff); got != "Z o r v a k i a n" {
		t.Errorf("a directory reads %s", got)
	}
	if got := read(readings, "by O'Hanrath", staff); got != "by OHanrath" {
		t.Errorf("a directory reads %s", got)
	}
}

// Tokens of a reading are in order, disjoint and within the text, whatever it is made of.
func TestReadingKeepsOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 2))
	pieces := []string{
		"Mirela", "Zorva", "-\n", "kian", "Z", " ", ".", "o", "seven", "7", "four", "\n", "O'", "Hanrath", "was", "é", "1", "l", "S", "6460", "North", ",",
	}
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(25) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		s := b.String()
		for _, mode := range []mode{everything, exact, staff} {
			r, _ := readings.readingOf(text.NewView(s), mode)
			end := 0
			for i, tok := range r.toks {
				if tok.Start < end || tok.End <= tok.Start || tok.End > len(s) {
					t.Fatalf("%q: token %d is [%d, %d) after %d", s, i, tok.Start, tok.End, end)
				}
				end = tok.End
			}
			if r.like != nil && (len(r.like) != len(r.toks) || len(r.as) != len(r.toks) || len(r.keys) != len(r.toks)) {
				t.Fatalf("%q: %d tokens, %d keys, %d likenesses", s, len(r.toks), len(r.keys), len(r.like))
			}
		}
	}
}
