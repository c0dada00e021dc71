package record

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestReadingOfGluedWords(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"Zorvakianwas here", "<p:Zorvakian>was here"},
		{"ZORVAKIANWAS HERE", "<p:ZORVAKIAN>WAS HERE"},
		{"MirelaZorvakian", "<p:Mirela><p:Zorvakian>"},
		{"CATHARINEWHITTING", "<p:CATHARINE><p:WHITTING>"},
		{"catharinewhitting", "<p:catharine><p:whitting>"},
		{"QuillaZorvakianDocs", "Quilla<p:Zorvakian>Docs"},
		{"myZorvakianDocs", "my<p:Zorvakian>Docs"},
		{"6460NorthBlairdaleAve", "6460NorthBlairdaleAve"},
		{"Genestates", "<d:Gene>states"},
		{"Zorvakian617", "Zorvakian617"},
		{"ZorvakianDOB", "<p:Zorvakian>DOB"},
		{"longitudinal along belong", "longitudinal along belong"},
		{"willpower", "willpower"},
		{"Zorvakianxyzzy", "Zorvakianxyzzy"},
	})
	checkReadings(t, readings, exact, []readingCase{
		{"MirelaZorvakian", "<p:Mirela><p:Zorvakian>"},
		{"KelsovaDocs", "KelsovaDocs"},
	})
}

func TestLogins(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"mzorvakian", "<l:mzorvakian>"},
		{"mqzorvakian", "<l:mqzorvakian>"},
		{"zorvakianm", "<l:zorvakianm>"},
		{"mirelazorvakian", "<p:mirela><p:zorvakian>"},
		{"zorvakianmirela", "<p:zorvakian><p:mirela>"},
		{"MZorvakian", "<l:MZorvakian>"},
		{"mlong7", "<l:mlong>7"},
		{"MLong", "<l:MLong>"},
		{"kzorvakian", "kzorvakian"},
		{"along", "along"},
		{"mirela", "mirela"},
	})
	none := NewGazetteer(Record{RelativeName: {"Gene Zorvakian"}})
	if got := read(none, "gzorvakian", everything); strings.Contains(got, "<l:") {
		t.Errorf("a relative has the login %s", got)
	}
}

func TestIsHump(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"annMoss": "ann Moss", "AnnMossDocs": "Ann Moss Docs", "MOSSAnn": "MOSS Ann", "Moss": "Moss", "MOSS": "MOSS", "moss": "moss",
		"MOSSann": "MOS Sann", "éaÉb": "éa Éb", "": "",
	} {
		var parts []string
		last := 0
		for i := range word {
			if i > 0 && isHump(word, i) {
				parts = append(parts, word[last:i])
				last = i
			}
		}
		if got := strings.Join(append(parts, word[last:]), " "); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestFoldOfGluedWords(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"Zorva", "NÚÑEZ", "straße", "ǅ", "e\u0301a", "李"} {
		var w gluedWord
		s := "x " + word + " y"
		w.fold(s, text.Token{Start: 2, End: 2 + len(word)})
		if want := lexicon.Fold(word); string(w.low) != want {
			t.Errorf("%q: %q, want %q", word, w.low, want)
		}
		if len(w.at) != len(w.low)+1 || w.at[len(w.low)] != 2+len(word) {
			t.Errorf("%q: places %v of %d bytes", word, w.at, len(w.low))
		}
		for i, at := range w.at[:len(w.low)] {
			if at < 2 || at >= 2+len(word) || i > 0 && at < w.at[i-1] {
				t.Errorf("%q: byte %d is at %d", word, i, at)
			}
		}
	}
}

func TestIsInTexts(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"was": true, "to": true, "drives": true, "clinic": true, "x": false, "": false, "zorvakian": false, "qz": false} {
		if got := isInTexts([]byte(word)); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

func TestWhatLoginsAreMadeOf(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Kwame"}, NameMiddle: {"Oren"}, NameLast: {"Saverg", "Wu"}})
	for word, want := range map[string]bool{
		"ksaverg": true, "kosaverg": true, "osaverg": true, "savergk": true, "kwamesaverg": false, "savergkwame": false,
		"asaverg": false, "ksavergs": false, "saverg": false, "kwame": false, "kwu": false, "k": false, "ko": false, "savergq": false, "kwameoren": false,
	} {
		if got := g.words.get(text.FoldedKey(word)).bits&wLogin != 0; got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
