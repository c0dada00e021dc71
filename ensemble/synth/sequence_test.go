package synth

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func TestBlocks(t *testing.T) {
	t.Parallel()
	const text = "# a header\n\n== one\na\n\n b \n=== two\n\nx\ny\n\n--\n\nz\n== empty\n"
	got := blocks(text)
	if len(got) != 3 {
		t.Fatalf("%d productions, want 3", len(got))
	}
	for i, want := range []block{
		{"one", 3, []line{{"a", 4}, {" b ", 6}}},
		{"two", 7, []line{{"x\ny", 9}, {"z", 14}}},
		{"empty", 15, nil},
	} {
		if got[i].name != want.name || got[i].line != want.line || len(got[i].alternatives) != len(want.alternatives) {
			t.Errorf("production %d is %+v, want %+v", i, got[i], want)
			continue
		}
		for j, l := range want.alternatives {
			if got[i].alternatives[j] != l {
				t.Errorf("%s: alternative %+v, want %+v", want.name, got[i].alternatives[j], l)
			}
		}
	}
}

func TestFamilies(t *testing.T) {
	t.Parallel()
	all := blocks("== s.{names}\n⟦CITY|{it}⟧ {it}\n== plain\nx")
	got := families(all, map[string][]line{"names": {{"Bath", 1}, {"Lyme", 2}}})
	names := ""
	for _, b := range got {
		names += b.name + ":" + b.alternatives[0].text + ";"
	}
	if want := "s.Bath:⟦CITY|Bath⟧ Bath;s.Lyme:⟦CITY|Lyme⟧ Lyme;plain:x;"; names != want {
		t.Errorf("%s, want %s", names, want)
	}
}

func TestParseAlternative(t *testing.T) {
	t.Parallel()
	a, err := parseAlternative(`{3}{?nick}{?-male}a\n\[{b}{c*2-4}[x|{2}y|]⟦CITY|{.city}⟧{upper:{d}}{me,past(3-5)>.last}{me>e {f}}`)
	if err != nil {
		t.Fatal(err)
	}
	if a.weight != 3 || len(a.when) != 2 || a.when[0] != (condition{"nick", false}) || a.when[1] != (condition{"male", true}) {
		t.Errorf("weight %d, conditions %v", a.weight, a.when)
	}
	if len(a.seq) != 8 {
		t.Fatalf("%d nodes, want 8", len(a.seq))
	}
	if a.seq[0].text != "a\n[" {
		t.Errorf("text %q", a.seq[0].text)
	}
	if *a.seq[1].ref != (reference{"b", 0, 1, 1}) || *a.seq[2].ref != (reference{"c", '*', 2, 4}) {
		t.Errorf("references %+v, %+v", *a.seq[1].ref, *a.seq[2].ref)
	}
	choice := a.seq[3].choice
	if len(choice.alternatives) != 3 || choice.plain || choice.alternatives[1].weight != 2 || choice.alternatives[2].seq != nil {
		t.Errorf("choice %+v", choice)
	}
	if a.seq[4].span.typ != phi.City || a.seq[4].span.seq[0].ref.name != ".city" {
		t.Errorf("span %+v", a.seq[4].span)
	}
	if a.seq[5].call.name != "upper" || a.seq[5].call.arg[0].ref.name != "d" {
		t.Errorf("call %+v", a.seq[5].call)
	}
	about := a.seq[6].about
	if len(about.subjects) != 2 || about.subjects[1] != (subject{"past", 3, 5}) || about.seq[0].ref.name != ".last" {
		t.Errorf("about %+v", about)
	}
	if seq := a.seq[7].about.seq; len(seq) != 2 || seq[0].text != "e " {
		t.Errorf("what is said of somebody: %+v", seq)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[x|y":                         "no end",
		"{x":                           "no end",
		"{x*2":                         "no end",
		"{x*3-1}":                      "range",
		"{x#z}":                        "range",
		"{x*1-9999}":                   "range",
		"{0}x":                         "weight",
		"{1001}x":                      "weight",
		"⟦CITY":                        "TYPE|text",
		"⟦NOTHING|x⟧":                  "unknown PHI type",
		"⟦CITY|x":                      "no end",
		"{upper:x":                     "no end",
		"{me(x)>a}":                    "range",
		"{me(3":                        "want >",
		"{me>a {b}":                    "no end",
		strings.Repeat("[", 100) + "x": "too many brackets",
	} {
		_, err := parseAlternative(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q in it", text, err, want)
		}
	}
}

func TestParseRange(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]int{"3": {3, 3}, "2-5": {2, 5}, "0-1000000": {0, 1_000_000}} {
		lo, hi, err := parseRange(text)
		if err != nil || lo != want[0] || hi != want[1] {
			t.Errorf("%q: %d to %d, %v", text, lo, hi, err)
		}
	}
	for _, text := range []string{"", "-", "5-2", "-3", "a-b", "1-99999999999", "1-1000001"} {
		_, _, err := parseRange(text)
		if err == nil {
			t.Errorf("%q is taken for a range", text)
		}
	}
}

func TestIsName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"pt.LAST": true, "year'": true, ".last": true, "n5": true, "": false, "a b": false, "{x}": false, "é": false,
	} {
		if isName(text) != want {
			t.Errorf("isName(%q) is %v", text, !want)
		}
	}
}

// FuzzParseTemplate fills whatever can be parsed: spans lie in order within the text.
func FuzzParseTemplate(f *testing.F) {
	for _, seed := range []string{
		"", "a {age} [b|c]", "[[x|]|{p*1-2}]", `\n\[`, "{", "[a", "{a#2-1}", "{3}{?nick}x", "⟦CITY|{town>.city}⟧", "{upper:⟦DATE|{day:Jan 2nd}⟧}",
		"{code:##@%*}{num:3-5}{shape:(###)=12}{words:250}{nth:45}{year:1907}",
		"{past(3)>{ahead(2-4)>{date}}}", "{list:x}{draw:first}{group:particle}{spell:-=Ab}{cut:9=é}",
	} {
		f.Add(seed)
	}
	h, err := NewHospital(1, Options{Patients: 3, Notes: 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tpl, err := ParseTemplate(text)
		if err != nil {
			return
		}
		checkSpans(t, "fuzz", h.Fill(rand.New(rand.NewPCG(1, 1)), nil, Setting{}, tpl))
	})
}

// FuzzGrammar reads files of any text: faults name a line of the file.
func FuzzGrammar(f *testing.F) {
	f.Add("== a\nx {age}\n=== b\ny\n--\n{a*1-2}\n")
	f.Add("== a\n{b}\n== a\n[")
	e, err := loadEngine()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := newGrammar()
		for _, err := range append(g.read("f.txt", blocks(text), e.slots), e.check(g)...) {
			var fault *GrammarError
			if !errors.As(err, &fault) || fault.File != "f.txt" || fault.Line < 1 || fault.Line > strings.Count(text, "\n")+2 {
				t.Fatalf("fault %v of a text of %d lines", err, strings.Count(text, "\n")+1)
			}
		}
	})
}
