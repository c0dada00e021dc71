package documenttest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/parts"
)

// Verify checks what holds for every document of a format that parses: its parts are the input, and replacing text keeps
// everything else. Edits are chosen from the seed.
func (f Format) Verify(t testing.TB, input []byte, seed uint64) {
	t.Helper()
	d, err := f.Parse(input)
	if err != nil {
		return
	}
	VerifyParts(t, d)
	VerifyOrigin(t, d)
	out := f.VerifyEdits(t, d, nil, d.Text())
	again, err := f.Parse(out)
	if err == nil && !bytes.Equal(out, Replaced(t, again, nil)) {
		t.Errorf("%s: replacing nothing a second time changes %q", f.Name, out)
	}
	random := rand.New(rand.NewPCG(seed, seed))
	for range 4 {
		edits := randomEdits(random, d)
		f.VerifyEdits(t, d, edits, Edited(d.Text(), edits))
		f.verifyOverGaps(t, d, random)
	}
}

// verifyOverGaps checks that an edit that goes over gaps keeps the structure. White space that was text may then begin a line,
// where it is layout.
func (f Format) verifyOverGaps(t testing.TB, d *parts.Document, random *rand.Rand) {
	t.Helper()
	all := Pieces(d)
	if len(all) < 2 {
		return
	}
	n := random.IntN(len(all) - 1)
	texts := append([]string{""}, replacements...)
	out := Replaced(t, d, []parts.Edit{{Begin: all[n][0], End: all[n+1+random.IntN(len(all)-n-1)][1], Text: texts[random.IntN(len(texts))]}})
	again, err := f.Parse(out)
	if err != nil {
		t.Fatalf("%v in what was replaced in %q: %q", err, d.Raw(), out)
	}
	solid := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if got, want := solid(again.Markup()), solid(d.Markup()); got != want {
		t.Fatalf("the structure is %q, was %q (an edit over gaps in %q: %q)", got, want, d.Raw(), out)
	}
}

// VerifyParts checks that each byte of the document and of the text is in one part, in order.
func VerifyParts(t testing.TB, d *parts.Document) {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
}

// VerifyOrigin checks that ranges of text lie in the document, in order.
func VerifyOrigin(t testing.TB, d *parts.Document) {
	t.Helper()
	last := 0
	for begin := range d.Text() {
		_, n := utf8.DecodeRuneInString(d.Text()[begin:])
		from, to := d.Origin(begin, begin+n)
		if from < last || to < from || to > len(d.Raw()) {
			t.Fatalf("text %d-%d lies at %d-%d, after %d", begin, begin+n, from, to, last)
		}
		last = from
	}
}

// VerifyEdits checks that the document with edits done parses, shows the text that it should, and has the same structure.
func (f Format) VerifyEdits(t testing.TB, d *parts.Document, edits []parts.Edit, want string) []byte {
	t.Helper()
	out := Replaced(t, d, edits)
	again, err := f.Parse(out)
	if err != nil {
		t.Fatalf("%v in what was replaced (%d edits) in %q: %q", err, len(edits), d.Raw(), out)
	}
	if got := again.Text(); got != want {
		t.Fatalf("the text is %q, want %q (%d edits in %q: %q)", got, want, len(edits), d.Raw(), out)
	}
	if got, want := again.Markup(), d.Markup(); got != want {
		t.Fatalf("the structure is %q, was %q (%d edits in %q: %q)", got, want, len(edits), d.Raw(), out)
	}
	return out
}

// Edited returns a text with edits done.
func Edited(text string, edits []parts.Edit) string {
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
func randomEdits(random *rand.Rand, d *parts.Document) []parts.Edit {
	var edits []parts.Edit
	for _, piece := range Pieces(d) {
		if random.IntN(3) == 0 {
			continue
		}
		borders := []int{}
		for i := range d.Text()[piece[0]:piece[1]] {
			borders = append(borders, piece[0]+i)
		}
		borders = append(borders, piece[1])
		a, b := random.IntN(len(borders)), random.IntN(len(borders))
		if a == b {
			continue
		}
		edits = append(edits, parts.Edit{Begin: borders[min(a, b)], End: borders[max(a, b)], Text: replacements[random.IntN(len(replacements))]})
	}
	return edits
}

// Pieces returns the ranges of text between gaps.
func Pieces(d *parts.Document) [][2]int {
	var all [][2]int
	begin := 0
	for _, gap := range append(d.Gaps(0, len(d.Text())), [2]int{len(d.Text()), len(d.Text())}) {
		if gap[0] > begin {
			all = append(all, [2]int{begin, gap[0]})
		}
		begin = gap[1]
	}
	return all
}
