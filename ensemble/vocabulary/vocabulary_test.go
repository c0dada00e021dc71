package vocabulary

import (
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

var readOnce = sync.OnceValues(func() (*Words, error) { return Read() })

func own(t testing.TB) *Words {
	t.Helper()
	w, err := readOnce()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// against returns what a vocabulary says against a word of a text.
func against(t testing.TB, w *Words, s, word string) float32 {
	t.Helper()
	note := &ensemble.Note{Text: s}
	for i, tok := range note.View().Tokens {
		if s[tok.Start:tok.End] == word {
			return w.Against(note, i)
		}
	}
	t.Fatalf("no %q in %q", word, s)
	return 0
}

func TestAgainst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, word string
		want       float32
	}{
		{"underwent a Whipple procedure", "Whipple", inPhrase},
		{"UNDERWENT WHIPPLE PROCEDURE", "WHIPPLE", inPhrase},
		{"has Parkinson's disease", "Parkinson", inPhrase},
		{"his Glasgow coma scale was 15", "Glasgow", inPhrase},
		{"Hunt & Hess scale of 2", "Hess", inPhrase},
		{"the circle of Willis is intact", "Willis", inPhrase},
		{"two Jackson-Pratt drains", "Pratt", inPhrase},
		{"Legg–Calvé–Perthes disease", "Calvé", inPhrase},
		{"Lewy body dementia", "Lewy", inPhrase},
		{"Lovenox bridge tonight", "Lovenox", singleWord},
		{"Hayfever", "Hayfever", singleWord},
		{"Asthma\nWarts", "Warts", singleWord},
		{"seen by Dr. Whipple", "Whipple", 0},
		{"Whipple\nprocedure", "Whipple", 0},
		{"Whipple, procedure", "Whipple", 0},
		{"family in Glasgow", "Glasgow", 0},
		{"Aiden fever 102 overnight", "Aiden", 0},
		{"Kaylee rash improved", "Kaylee", 0},
		{"Madison developed fever", "Madison", 0},
		{"per lab, Jane Doe needs redraw", "Jane", 0},
		{"per lab, Jane Doe needs redraw", "Doe", 0},
		{"Hope in clinic today", "Hope", 0},
		{"Mr. Parkinson has pain", "Parkinson", 0},
		{"Seen 4/27/04", "4", 0},
	} {
		if got := against(t, own(t), c.text, c.word); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.word, c.text, got, c.want)
		}
	}
}

// What a site adds counts from its next start.
func TestWordsOfASite(t *testing.T) {
	t.Parallel()
	w, err := Read(Text{Name: "ours.txt", Text: "# ours\n[=]\nZorvamed\n[pathway]\nQuillan\n[]\nthe Wibberley way\n"})
	if err != nil {
		t.Fatal(err)
	}
	for text, word := range map[string]string{
		"started Zorvamed": "Zorvamed", "on the Quillan pathway": "Quillan",
		"done the Wibberley way": "Wibberley",
	} {
		if against(t, w, text, word) == 0 || against(t, own(t), text, word) != 0 {
			t.Errorf("%q in %q", word, text)
		}
	}
	for _, broken := range []string{"[sign\nBabinski", "[]\nalone", "[=]\ntwo words"} {
		if _, err := Read(Text{Name: "ours.txt", Text: broken}); err == nil || !strings.Contains(err.Error(), "ours.txt: line ") {
			t.Errorf("%q: %v", broken, err)
		}
	}
}

func FuzzAgainst(f *testing.F) {
	for _, text := range ensembletest.Texts() {
		if len(text.Text) < 500 {
			f.Add(text.Text)
		}
	}
	f.Add("Hunt & Hess' scale's ’s – / . Roux-en-Y")
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) != nil {
			return
		}
		note := &ensemble.Note{Text: s}
		for i := range note.View().Tokens {
			if a := own(t).Against(note, i); a < 0 || a > 1 {
				t.Fatalf("%v", a)
			}
		}
	})
}
