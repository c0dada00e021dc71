package score

import (
	"regexp"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// setOf holds a document's tags as the organisers' script compares them: positions with their
// type.
type setOf map[[2]int]string

// bySets counts the common elements and those of one set only.
func bySets(gold, found setOf) Counts {
	n := Counts{Gold: len(gold), Predicted: len(found)}
	for place, says := range gold {
		if got, ok := found[place]; ok && got == says {
			n.Found++
		}
	}
	n.False = n.Predicted - n.Found
	return n
}

var asciiRun = regexp.MustCompile(`[a-zA-Z0-9]+`)

// TestScoresAreThoseOfSets computes the script's strict and token scores a second time, as sets,
// on documents of ASCII letters.
func TestScoresAreThoseOfSets(t *testing.T) {
	for seed := range uint64(15) {
		docs := randomDocs(100+seed, 25)
		for i := range docs {
			docs[i].doc.Text = asciiOnly(docs[i].doc.Text)
		}
		rep := reportOf(docs)
		for _, k := range Tracks() {
			want := map[Way]Counts{}
			for _, d := range docs {
				for way, n := range setsOf(k, d) {
					sum := want[way]
					sum.Add(n)
					want[way] = sum
				}
			}
			for way, n := range want {
				if got := rep.I2B2[k.String()][way.String()].Counts; got != n {
					t.Errorf("seed %d, %s %s: %+v, by sets %+v", seed, k, way, got, n)
				}
			}
		}
	}
}

// asciiOnly replaces other characters and keeps lengths.
func asciiOnly(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] >= 0x80 {
			b[i] = 'e'
		}
	}
	return string(b)
}

func setsOf(k Track, d made) map[Way]Counts {
	gold, found := map[Way]setOf{}, map[Way]setOf{}
	put := func(into map[Way]setOf, start, end int, typ phi.Type) {
		if !k.Has(typ) {
			return
		}
		for _, w := range []Way{Strict, Borders, Tokens, CategoryTokens, BinaryTokens} {
			if into[w] == nil {
				into[w] = setOf{}
			}
		}
		into[Strict][[2]int{start, end}] = i2b2Type(typ).String()
		into[Borders][[2]int{start, end}] = ""
		for _, run := range asciiRun.FindAllStringIndex(d.doc.Text[start:end], -1) {
			place := [2]int{start + run[0], start + run[1]}
			into[Tokens][place] = i2b2Type(typ).String()
			into[CategoryTokens][place] = typ.Class().String()
			into[BinaryTokens][place] = ""
		}
	}
	for _, g := range d.doc.Spans {
		put(gold, g.Start, g.End, g.Main)
	}
	for _, s := range d.found {
		put(found, s.Start, s.End, s.Type)
	}
	out := map[Way]Counts{}
	for _, w := range []Way{Strict, Borders, Tokens, CategoryTokens, BinaryTokens} {
		out[w] = bySets(gold[w], found[w])
	}
	return out
}
