package record

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestReadingOfLettersApart(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"Z o r v a k i a n", "<p:Zorvakian>"},
		{"Z.o.r.v.a.k.i.a.n said", "<p:Zorvakian> said"},
		{"Z. o. r. v. a. k. i. a. n said", "<p:Zorvakian> said"},
		{"M-i-r-e-l-a Z-o-r-v-a-k-i-a-n", "<p:Mirela> <p:Zorvakian>"},
		{"M i r e l a Z o r v a k i a n", "<p:Mirela> <p:Zorvakian>"},
		{"m i r e l a z o r v a k i a n", "<p:mirela> <p:zorvakian>"},
		{"in K_e_l_s_o_v_a", "in <p:Kelsova>"},
		{"Q u i", "Q u i"},
		{"a b c d e f g", "a b c d e f g"},
		{"A. B. C.", "A. B. C."},
	})
	checkReadings(t, readings, exact, []readingCase{
		{"Z o r v a k i a n", "<p:Zorvakian>"},
		{"M i r l a", "M i r l a"},
	})
}

func TestReadingOfPieces(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"Zor-\nvakian", "<p:Zorvakian>"},
		{"Zor\nvakian", "<p:Zorvakian>"},
		{"Zorva kian said", "<p:Zorvakian> said"},
		{"Mi-\nrela", "<p:Mirela>"},
		{"ZOR-\nVAKIAN", "<p:ZORVAKIAN>"},
		{"Kel-\nsova", "<p:Kelsova>"},
		{"12 Octo-\nber 1954", "12 <p:October> 1954"},
	})
	for _, s := range []string{"Zor-\n\nvakian", "lo-\nng", "Zor, vakian", "Zor Quill vakian"} {
		r, _ := readings.readingOf(text.NewView(s), everything)
		for i := range r.toks {
			if r.likeness(i) == inPieces {
				t.Errorf("%q is read as %s", s, read(readings, s, everything))
			}
		}
	}
}

// Pieces that are words of their own are a name only over a line's end, and then they may be words.
func TestPiecesThatAreWords(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameLast: {"Armstrong", "Campbell"}})
	checkReadings(t, g, everything, []readingCase{
		{"arm strong", "arm strong"},
		{"Arm-strong", "Arm-strong"},
		{"camp\nbell", "<d:campbell>"},
		{"camp-\nbell", "<p:campbell>"},
		{"Armst rong", "<p:Armstrong>"},
	})
	checkReadings(t, g, exact, []readingCase{{"camp-\nbell", "<p:campbell>"}})
}

func TestReadingOfSaidNumbers(t *testing.T) {
	t.Parallel()
	checkReadings(t, readings, everything, []readingCase{
		{"six one seven five", "<p:6> <p:1> <p:7> <p:5>"},
		{"six seventeen, triple five", "<p:6> <p:17>, <p:555>"},
		{"double oh seventy-seven nine", "<p:00> <p:77> <p:9>"},
		{"Z K seven seven four one", "<p:ZK> <p:7> <p:7> <p:4> <p:1>"},
		{"two one two double four", "<p:2> <p:1> <p:2> <p:44>"},
		{"212 four four 7890", "212 <p:4> <p:4> 7890"},
		{"one of two tablets", "one of two tablets"},
		{"one two", "one two"},
		{"three or four times", "three or four times"},
	})
}

func TestNextPiece(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		singles bool
		want    int // token, 0: none
	}{
		{"a b", true, 1},
		{"a.b", true, 2},
		{"a. b", true, 2},
		{"a - b", true, 2},
		{"a, . ; b", true, 0},
		{"a bc", true, 0},
		{"a\nb", true, 1},
		{"ab-\ncd", false, 2},
		{"ab\ncd", false, 1},
		{"ab\n\ncd", false, 0},
		{"ab.\ncd", false, 0},
		{"ab cd", false, 1},
		{"ab-cd", false, 2},
		{"ab - cd", false, 0},
		{"ab- cd", false, 0},
		{"ab 12", false, 0},
		{"ab", false, 0},
		{"ab....cd", false, 0},
	} {
		r := &reader{reading: asIs(text.NewView(c.text)), g: readings}
		if got := r.nextPiece(0, c.singles); got != c.want {
			t.Errorf("%q (letters apart: %v): %d, want %d", c.text, c.singles, got, c.want)
		}
	}
}

// A name of any length is found in its letters, and in two pieces wherever a line's end divides it.
func TestPiecesOfEveryName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Qarvey", "Zebrowska", "Øverlandqvist", "Nuñezquil"} {
		g := NewGazetteer(Record{NameLast: {name}})
		for _, mark := range []string{" ", ".", "-", "_", ". "} {
			apart := strings.Join(strings.Split(name, ""), mark)
			if got := written(apart, findIn(t, g, apart)); len(got) != 1 || got[0] != apart {
				t.Errorf("%q: %q", apart, got)
			}
		}
		for i := range name {
			if i < 2 || len(name)-i < 2 {
				continue
			}
			for _, mark := range []string{"-\n", "\n"} {
				broken := name[:i] + mark + name[i:]
				if got := written(broken, findIn(t, g, broken)); len(got) != 1 || got[0] != broken {
					t.Errorf("%q: %q", broken, got)
				}
			}
		}
	}
}

func TestBeginnings(t *testing.T) {
	t.Parallel()
	b := newBeginnings([]string{"anna", "zorvakian", "bo", strings.Repeat("x", longestName+1), "øst-"})
	for s, want := range map[string]bool{
		"a": true, "ann": true, "anna": false, "zorvakia": true, "z": true, "b": false, "x": false, "": false, "ø": true, "zk": false,
	} {
		if got := b.get(text.FoldedKey(s)); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
