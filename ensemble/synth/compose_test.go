package synth

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// TestSlotsWrite fills every slot for many visits: none panics, and what it marks
// lies in order within the text.
func TestSlotsWrite(t *testing.T) {
	h := hospital(t, 7, Options{Patients: 60, Notes: 1})
	for _, name := range SlotNames() {
		var slot Template
		slot.Slot(name)
		wrote := 0
		for i := range uint64(40) {
			s := h.Fill(rand.New(rand.NewPCG(i, 2)), nil, Setting{}, slot)
			wrote += len(s.Text)
			checkSpans(t, name, s)
		}
		if wrote == 0 {
			t.Errorf("{%s} never writes anything", name)
		}
	}
}

func checkSpans(t *testing.T, name string, s Snippet) {
	t.Helper()
	at := 0
	for _, span := range s.Spans {
		if span.Start < at || span.End < span.Start || span.End > len(s.Text) {
			t.Fatalf("{%s}: span %d-%d after %d in a text of %d bytes", name, span.Start, span.End, at, len(s.Text))
		}
		at = span.End
	}
}

func TestFillKeepsSexAndMarks(t *testing.T) {
	h := hospital(t, 5, Options{Patients: 80, Notes: 1})
	tpl, err := ParseTemplate("{He} saw [{dr.last}|{dr.last}] on ")
	if err != nil {
		t.Fatal(err)
	}
	tpl.Mark(phi.Date, "3/4/15")
	tpl.Text(" and ")
	tpl.Mark(phi.None, "XYZ")
	for i := range uint64(50) {
		s := h.Fill(rand.New(rand.NewPCG(i, 1)), nil, Setting{Sex: Female, Plain: true}, tpl)
		if !strings.HasPrefix(s.Text, "She saw ") {
			t.Fatalf("a woman's text begins %.10q", s.Text)
		}
		var types []phi.Type
		for _, span := range s.Spans {
			types = append(types, span.Type)
		}
		if want := []phi.Type{phi.Doctor, phi.Date, phi.None}; !slices.Equal(types, want) {
			t.Fatalf("types %v, want %v", types, want)
		}
		if last := s.Spans[2]; s.Text[last.Start:last.End] != "XYZ" {
			t.Fatalf("the unknown range covers %q", s.Text[last.Start:last.End])
		}
	}
}

func TestParseGrammarNamesFileAndLine(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"unknown reference": {map[string]string{"a.txt": "== train.a\nok {age}\n\nSeen {nothing}"}, []string{"a.txt:4: ", "{nothing}"}},
		"in a choice":       {map[string]string{"a.txt": "== train.a\n[x|y {nothing}]"}, []string{"a.txt:2: ", "{nothing}"}},
		"in a block":        {map[string]string{"a.txt": "=== train.a\nx\ny\n--\n\nz\n{nothing}"}, []string{"a.txt:6: "}},
		"twice":             {map[string]string{"a.txt": "== p\nx", "b.txt": "== p\ny"}, []string{"b.txt:1: ", "a.txt:2"}},
		"a slot's name":     {map[string]string{"a.txt": "== age\nx"}, []string{"a.txt:1: ", "slot"}},
		"a slot as a list":  {map[string]string{"a.txt": "== p\n{age*2-3}"}, []string{"a.txt:2: ", "list"}},
		"syntax":            {map[string]string{"a.txt": "== p\nfine\n[x|y"}, []string{"a.txt:3: ", "no end"}},
		"empty":             {map[string]string{"a.txt": "== p\n\n== q\nx"}, []string{"a.txt:1: ", "empty"}},
		"all at once":       {map[string]string{"a.txt": "== p\n{x1}\n{x2}"}, []string{"a.txt:2: ", "a.txt:3: "}},
		"no file":           {map[string]string{"a.md": "== p"}, []string{"no file"}},
	} {
		folder := fstest.MapFS{}
		for file, text := range test.files {
			folder[file] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := ParseGrammar(folder)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", name, err, want)
			}
		}
	}
}

func TestGrammarIsFilled(t *testing.T) {
	g, err := ParseGrammar(fstest.MapFS{"a.txt": &fstest.MapFile{
		Data: []byte("== train.a\n{b*2} end\n== b\nseen by {dr}\nfrom {town}\n== c\nx\n"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Unused("train."); len(got) != 1 || !strings.HasPrefix(got[0], "a.txt:7") {
		t.Errorf("unused: %q", got)
	}
	if got := g.Alternatives("b"); !slices.Equal(got, []string{"seen by {dr}", "from {town}"}) {
		t.Errorf("alternatives %q", got)
	}
	if _, err := g.Template("train.a", 1); err == nil {
		t.Error("an alternative that does not exist is no error")
	}
	tpl, err := g.Template("train.a", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := hospital(t, 1, Options{Patients: 5, Notes: 1}).Fill(rand.New(rand.NewPCG(1, 1)), g, Setting{Plain: true}, tpl)
	if !strings.HasSuffix(s.Text, " end") || len(s.Spans) != 2 {
		t.Errorf("filled with %d spans", len(s.Spans))
	}
}
