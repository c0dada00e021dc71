package document

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// verify checks what holds for every document of a format that parses: its parts are the input, and replacing text keeps
// everything else. Edits are chosen from the seed.
func verify(t *testing.T, format Format, input []byte, seed uint64) {
	t.Helper()
	d, err := Parse(format, input)
	if err != nil {
		return
	}
	verifyParts(t, d)
	verifyOrigin(t, d)
	out := verifyEdits(t, d, nil, d.Text())
	again, err := Parse(format, out)
	if err == nil && !bytes.Equal(out, replaced(t, again, nil)) {
		t.Errorf("%s: replacing nothing a second time changes %q", format, out)
	}
	random := rand.New(rand.NewPCG(seed, seed))
	for range 4 {
		edits := randomEdits(random, d)
		verifyEdits(t, d, edits, edited(d.Text(), edits))
		verifyOverGaps(t, d, random)
	}
}

// verifyOverGaps checks that an edit that goes over gaps keeps the structure. White space that was text may then begin a line,
// where it is layout.
func verifyOverGaps(t *testing.T, d *Document, random *rand.Rand) {
	t.Helper()
	all := pieces(d)
	if len(all) < 2 {
		return
	}
	n := random.IntN(len(all) - 1)
	texts := append([]string{""}, replacements...)
	out := replaced(t, d, []Edit{{all[n][0], all[n+1+random.IntN(len(all)-n-1)][1], texts[random.IntN(len(texts))]}})
	again, err := Parse(d.Kind(), out)
	if err != nil {
		t.Fatalf("%v in what was replaced in %q: %q", err, d.raw, out)
	}
	solid := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if got, want := solid(structure(again)), solid(structure(d)); got != want {
		t.Fatalf("the structure is %q, was %q (an edit over gaps in %q: %q)", got, want, d.raw, out)
	}
}

// verifyParts checks that each byte of the document and of the text is in one part, in order.
func verifyParts(t *testing.T, d *Document) {
	t.Helper()
	var last part
	for i, p := range d.parts {
		if p.raw < last.raw || p.text < last.text {
			t.Fatalf("part %d ends before part %d", i, i-1)
		}
		if p.kind == run && d.text[last.text:p.text] != string(d.raw[last.raw:p.raw]) {
			t.Fatalf("part %d is no run: its text is not its bytes", i)
		}
		last = p
	}
	if int(last.raw) != len(d.raw) || int(last.text) != len(d.text) {
		t.Fatalf("parts end at %d of %d bytes, %d of %d of the text", last.raw, len(d.raw), last.text, len(d.text))
	}
	if !utf8.ValidString(d.text) {
		t.Fatal("the text is not UTF-8")
	}
}

// verifyOrigin checks that ranges of text lie in the document, in order.
func verifyOrigin(t *testing.T, d *Document) {
	t.Helper()
	last := 0
	for begin := range d.Text() {
		_, n := utf8.DecodeRuneInString(d.Text()[begin:])
		from, to := d.Origin(begin, begin+n)
		if from < last || to < from || to > len(d.raw) {
			t.Fatalf("text %d-%d lies at %d-%d, after %d", begin, begin+n, from, to, last)
		}
		last = from
	}
}

// verifyEdits checks that the document with edits done parses, shows the text that it should, and has the same structure.
func verifyEdits(t *testing.T, d *Document, edits []Edit, want string) []byte {
	t.Helper()
	out := replaced(t, d, edits)
	again, err := Parse(d.Kind(), out)
	if err != nil {
		t.Fatalf("%v in what was replaced (%d edits) in %q: %q", err, len(edits), d.raw, out)
	}
	if got := again.Text(); got != want {
		t.Fatalf("the text is %q, want %q (%d edits in %q: %q)", got, want, len(edits), d.raw, out)
	}
	if got, want := structure(again), structure(d); got != want {
		t.Fatalf("the structure is %q, was %q (%d edits in %q: %q)", got, want, len(edits), d.raw, out)
	}
	return out
}

func replaced(t *testing.T, d *Document, edits []Edit) []byte {
	t.Helper()
	out, err := d.Replace(edits)
	if err != nil {
		t.Fatalf("%v (%d edits in %q)", err, len(edits), d.raw)
	}
	return out
}

// structure returns the markup of a document.
func structure(d *Document) string {
	var s strings.Builder
	puts := 0
	for i, p := range d.parts {
		switch p.kind {
		case kept:
			s.Write(d.raw[d.begin(i).raw:p.raw])
		case put:
			from := uint32(0)
			if puts > 0 {
				from = d.putEnds[puts-1]
			}
			s.Write(d.puts[from:d.putEnds[puts]])
			puts++
		case dropped, run, unit, fresh, gap:
		}
	}
	return s.String()
}

// edited returns a text with edits done.
func edited(text string, edits []Edit) string {
	var s strings.Builder
	at := 0
	for _, e := range edits {
		s.WriteString(text[at:e.Begin])
		s.WriteString(e.Text)
		at = e.End
	}
	s.WriteString(text[at:])
	return s.String()
}

// replacements are texts that mean something in one format or another.
var replacements = []string{
	"Ann", "Ann  Lee", " Ann ", "O'Hara & <b>Sons</b>", "]]>", "&lt;", "amp;", "\"quoted\"", `\par \'e9 {}`, "|^~\\&", "Łódź 𝒜",
	"a-->b", "lt;", "<", "&", "1", ";", "</p>",
}

// randomEdits returns edits of a document between its gaps: what lies beyond a gap has a text of its own.
func randomEdits(random *rand.Rand, d *Document) []Edit {
	var edits []Edit
	for _, piece := range pieces(d) {
		if random.IntN(3) == 0 {
			continue
		}
		borders := []int{}
		for i := range d.text[piece[0]:piece[1]] {
			borders = append(borders, piece[0]+i)
		}
		borders = append(borders, piece[1])
		a, b := random.IntN(len(borders)), random.IntN(len(borders))
		if a == b {
			continue
		}
		edits = append(edits, Edit{borders[min(a, b)], borders[max(a, b)], replacements[random.IntN(len(replacements))]})
	}
	return edits
}

// pieces returns the ranges of text between gaps.
func pieces(d *Document) [][2]int {
	var all [][2]int
	begin := 0
	for i, p := range d.parts {
		if p.kind == gap {
			if from := int(d.begin(i).text); from > begin {
				all = append(all, [2]int{begin, from})
			}
			begin = int(p.text)
		}
	}
	if begin < len(d.text) {
		all = append(all, [2]int{begin, len(d.text)})
	}
	return all
}

// reads parses a document that must parse.
func reads(t *testing.T, format Format, input string) *Document {
	t.Helper()
	d, err := Parse(format, []byte(input))
	if err != nil {
		t.Fatalf("%v: %q", err, input)
	}
	return d
}
