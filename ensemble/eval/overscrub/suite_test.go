package overscrub

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSuite(t *testing.T) {
	terms, err := Suite()
	if err != nil {
		t.Fatal(err)
	}
	if len(terms) < 1000 {
		t.Errorf("%d terms", len(terms))
	}
	halves, categories, upper, lower, lists := map[Half]int{}, map[string]int{}, 0, 0, 0
	for _, term := range terms {
		halves[term.Half]++
		categories[term.Category]++
		if len(term.Cases) < 2 {
			t.Errorf("%s: %d cases", term.Text, len(term.Cases))
		}
		for _, c := range term.Cases {
			if !strings.EqualFold(c.Text[c.Start:c.End], term.Text) {
				t.Errorf("%s: the case marks %q", term.Text, c.Text[c.Start:c.End])
			}
			if !utf8.ValidString(c.Text) || strings.ContainsAny(c.Text, "{}[]") {
				t.Errorf("%s: %q", term.Text, c.Text)
			}
			switch c.Text {
			case strings.ToUpper(c.Text):
				upper++
			case strings.ToLower(c.Text):
				lower++
			}
			if strings.Contains(c.Text, "\n") {
				lists++
			}
		}
	}
	if dev, test := halves[Dev], halves[Test]; dev+test != len(terms) || dev < len(terms)*2/5 || test < len(terms)*2/5 {
		t.Errorf("halves of %d and %d terms", dev, test)
	}
	if len(categories) < 14 || upper < 1000 || lower < 1000 || lists < 500 {
		t.Errorf("%d categories, %d cases in capitals, %d in lower case, %d of several lines", len(categories), upper, lower, lists)
	}
}

// TestDisjointFromTraining checks that no sentence around a term, nor a long piece of one, is in
// the templates and notes that models are trained on, or in the synthetic hospital's notes.
func TestDisjointFromTraining(t *testing.T) {
	var templates strings.Builder
	for _, pattern := range []string{
		"../../../models/train/grammar/*.txt", "../../../models/train/notes/*/*.txt", "../../../models/train/carriers/pieces/*.txt",
		"../../synth/data/forms/*.txt", "../../synth/data/notes/*.txt", "../../synth/data/slots/*.txt",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no templates in %s: %v", pattern, err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			templates.WriteString(fold(string(raw)))
		}
	}
	b, err := readAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	check := func(piece string) {
		if piece = fold(piece); len(piece) < 20 {
			return
		}
		seen++
		if strings.Contains(templates.String(), piece) {
			t.Errorf("a training template has %q", piece)
		}
	}
	for _, sentences := range b.contexts {
		for _, s := range sentences {
			for piece := range strings.SplitSeq(s, slot) {
				check(piece)
			}
		}
	}
	for _, term := range b.list { // so far only cases from own sentences
		for _, c := range term.Cases {
			check(c.Text)
		}
	}
	if seen < 300 {
		t.Errorf("%d pieces were looked for", seen)
	}
}

func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func TestHalvesKeepAFirstWordTogether(t *testing.T) {
	for _, pair := range [][2]string{
		{"Parkinson's disease", "parkinson facies"},
		{"Hodgkin lymphoma", "Hodgkin's disease"},
		{"Pott's disease", "Potts puffy tumor"},
		{"Ranson score", "RANSON'S criteria"},
	} {
		if halfOf(pair[0]) != halfOf(pair[1]) {
			t.Errorf("%s and %s fall apart", pair[0], pair[1])
		}
	}
	for _, h := range []Half{Both, Dev, Test} {
		if got, err := ParseHalf(h.String()); got != h || err != nil {
			t.Errorf("%v: %v, %v", h, got, err)
		}
	}
	if _, err := ParseHalf("both"); err == nil {
		t.Error("a half of another name is taken")
	}
}

func TestBrokenFiles(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"no category":    {"Foley", "line 1: want a category"},
		"no slot":        {"@ x\n= nothing goes here", "line 2: want {} once"},
		"two slots":      {"@ x\n= {} and {}", "want {} once"},
		"no mark":        {"@ x\n> She may go.", "want a term in"},
		"open mark":      {"@ x\n> She [[may go.", "want ]]"},
		"few sentences":  {"@ x\n= {} here.\nFoley", "want 5 sentences"},
		"other category": {"@ y\n= {} 1\n= {} 2\n= {} 3\n= {} 4\n= {} 5\n@ x\nFoley", "category x"},
	} {
		b := newBuilder()
		err := b.read(strings.NewReader(tt.text))
		if err == nil {
			_, err = b.terms()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestCasesOfATerm(t *testing.T) {
	b := newBuilder()
	text := "@ x\n= {} is in.\n= List:\\n- {}\n= a {} c\n= Seen. {} out.\n= {} left\n\nphysical therapy\n> Do [[Physical Therapy]] daily."
	if err := b.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	terms, err := b.terms()
	if err != nil || len(terms) != 1 {
		t.Fatalf("%d terms, %v", len(terms), err)
	}
	var got []string
	for _, c := range terms[0].Cases {
		got = append(got, c.Text[:c.Start]+"<"+c.Text[c.Start:c.End]+">"+c.Text[c.End:])
	}
	want := "Do <Physical Therapy> daily.|DO <PHYSICAL THERAPY> DAILY.|<Physical therapy> is in.|List:\n- <physical therapy>|a " +
		"<physical therapy> c|SEEN. <PHYSICAL THERAPY> OUT.|<physical therapy> left"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
