package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// manyValues is a record with n values in each role that may have many.
func manyValues(n int) Record {
	rec := Record{NameFirst: {"Ann"}, NameLast: {"Featherston"}}
	for i := range n {
		given, family := spelt(i)+"anna", spelt(i)+"sson"
		rec[NameAlias] = append(rec[NameAlias], given+" "+family, given)
		rec[NameFirst] = append(rec[NameFirst], given)
		rec[NameLast] = append(rec[NameLast], family)
		rec[RelativeName] = append(rec[RelativeName], family+", "+given)
		rec[Street] = append(rec[Street], fmt.Sprintf("%d Quill %s Street Apt %d", i, family, i))
		rec[BirthDate] = append(rec[BirthDate], fmt.Sprintf("%d-%02d-%02d", 1900+i/336, 1+i%12, 1+i%28))
		rec[Phone] = append(rec[Phone], fmt.Sprintf("617-%03d-%04d", i/10000, i%10000))
	}
	return rec
}

// spelt writes a number in letters.
func spelt(n int) string {
	out := []byte("Q")
	for ; n > 0; n /= 26 {
		out = append(out, byte('a'+n%26))
	}
	return string(out)
}

// size is how much a gazetteer holds.
func (g *Gazetteer) size() int {
	n := len(g.words.values) + len(g.pairs) + len(g.idents) + len(g.phrases) + len(g.near.words) + len(g.births)
	for _, s := range g.streets {
		n += len(s)
	}
	return n
}

func TestGazetteerGrowsWithItsValues(t *testing.T) {
	t.Parallel()
	few, many := NewGazetteer(manyValues(500)).size(), NewGazetteer(manyValues(2000)).size()
	if many > 5*few {
		t.Errorf("four times the values make %d entries of %d", many, few)
	}
	one := NewGazetteer(Record{RelativeName: {strings.Repeat("Quilla ", 300) + spelt(7)}, ProviderName: {longName300()}}).size()
	if one > 300*2*mostPaired+1000 {
		t.Errorf("names of 300 words make %d entries", one)
	}
}

func longName300() string {
	var b strings.Builder
	for i := range 300 {
		b.WriteString(spelt(i) + "ski ")
	}
	return b.String()
}

// What a text costs does not depend on how much the record holds.
func TestMatchingGrowsWithTheText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"Seen at 12 Quill Street on 3/5/2014 by Dr. Wibberley; Qbanna Qbsson's pain, 17 Quill Qcsson Street, feels bettre. ",
		"J.", "Q.Z. ", "Q.b.a.n.n.a", "Qb anna Qc ssson ", "QbannaQbsson", "UWJhbm5hIHNheXMg", "&#81;", "<b>Q",
		"\u202ea", "six one seven oh ", "Z K 7 ", "de la ", "Ann ", "Featherston, ", "Featherstn ", "1.", "3/5/", "a@",
		"Ann A. ", "12 Quill ", "deadbeef 0123 ",
	}
	small, large := NewGazetteer(manyValues(20)), NewGazetteer(manyValues(1500))
	for _, unit := range texts {
		steps := func(g *Gazetteer, repeat int) int {
			_, steps, err := g.find(t.Context(), text.NewView(strings.Repeat(unit, repeat)), everything)
			if err != nil {
				t.Fatal(err)
			}
			return steps
		}
		if a, b := steps(small, 300), steps(large, 300); b > 2*a {
			t.Errorf("%q: %d steps with 20 values a role, %d with 1,500", unit, a, b)
		}
		if a, b := steps(small, 300), steps(small, 1200); b > 5*a {
			t.Errorf("%q: %d steps, and %d for four times the text", unit, a, b)
		}
	}
}
