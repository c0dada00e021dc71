// Package rulestest runs the tests that every package of exact rules has: its cases, its words, and what holds of the
// spans of any text.
package rulestest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Find is a package's finder.
type Find func(v *text.View, dst []phi.Span) []phi.Span

// Conform tests a finder of spans of the types: its cases, its words, odd texts, and a line, which it has to find
// something in, many times over.
func Conform(t *testing.T, find Find, line string, types ...phi.Type) {
	t.Helper()
	t.Run("cases", func(t *testing.T) {
		t.Parallel()
		Cases(t, find)
	})
	t.Run("words", func(t *testing.T) {
		t.Parallel()
		file, err := os.ReadFile("words.txt")
		if err != nil {
			t.Fatal(err)
		}
		Words(t, string(file))
	})
	t.Run("odd texts", func(t *testing.T) {
		t.Parallel()
		for _, s := range odd {
			invariants(t, find, s, types...)
		}
	})
	t.Run("repeats", func(t *testing.T) {
		t.Parallel()
		repeats(t, find, line)
	})
}

// Cases runs a finder over the lines of testdata/cases.txt. PHI is marked as in "on ⟦3/5|DATE⟧"; nothing else may be
// found. "⏎" is a line break. Lines that begin with a number sign are comments.
func Cases(t testing.TB, find Find) {
	t.Helper()
	for _, line := range readCases(t) {
		plain, _ := ensembletest.Unmark(t, line)
		for _, frame := range frames {
			whole, want := frame[0]+plain+frame[1], frame[0]+line+frame[1]
			if got := ensembletest.Mark(whole, find(text.NewView(whole), nil)); got != want {
				t.Errorf("\n got %s\nwant %s", strings.ReplaceAll(got, "\n", "⏎"), strings.ReplaceAll(want, "\n", "⏎"))
			}
		}
	}
}

// frames are what is around a line: nothing, or other lines, which change nothing.
var frames = [][2]string{{"", ""}, {"Ünknown history.\n\n", "\n\nHe is well."}}

// readCases returns the marked lines of testdata/cases.txt.
func readCases(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != '#' {
			cases = append(cases, strings.ReplaceAll(line, "⏎", "\n"))
		}
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	return cases
}

// odd are texts that begin, end or break off where a finder may not expect it.
var odd = []string{
	"", " ", "\n", "3", "/", "3/", "/5", "3/5/", "'", "'9", "May", "May ", "67-", "at", "12:", "12:3", "\u200b3/5", "3\u200b/5/2014", "(", "+", "+(",
	"١٢/١٢/٢٠١٢", "１２：３０", "67\n-year\n-old", "the", "St.", "d\u0301ec 5", "5 of", "0s", "1980's", "12 p.", "nineteen", "-", "--", "MRN", "MRN:",
	"a@", "@b", "a@b.", "www.", "http:/", "http://", "::", "1.2.3.", "00:1B:", "***-**", "xxx-xx-", "GB82", "x", "x5", "ext", "zip", "box 1", "12 Elm",
	"\u200b", "é@é.com", "Ａpt", "１２ Elm St", "MA 0211", "SW1A 2A", "12-", "A1-", "A1-\u200b2345678",
}

// invariants checks what holds of the spans of any text: they are of the types, in bounds, not empty, on the borders
// of runes, sorted and disjoint, and come behind those of dst.
func invariants(t testing.TB, find Find, s string, types ...phi.Type) {
	t.Helper()
	first := phi.Span{Start: 1, End: 2, Type: phi.City}
	spans := find(text.NewView(s), []phi.Span{first})
	if len(spans) == 0 || spans[0] != first {
		t.Fatalf("spans of the caller changed: %v", spans)
	}
	end := 0
	for _, p := range spans[1:] {
		switch {
		case p.Start < end || p.End <= p.Start || p.End > len(s):
			t.Fatalf("%v after %d in %q", p, end, s)
		case !utf8.RuneStart(s[p.Start]) || p.End < len(s) && !utf8.RuneStart(s[p.End]):
			t.Fatalf("%v cuts a rune of %q", p, s)
		case !slices.Contains(types, p.Type):
			t.Fatalf("%v is of another type", p)
		}
		end = p.End
	}
}

// Fuzz fuzzes a finder for what holds of the spans of any text, with its cases as seeds.
func Fuzz(f *testing.F, find Find, types ...phi.Type) {
	f.Helper()
	for _, line := range readCases(f) {
		plain, _ := ensembletest.Unmark(f, line)
		f.Add(plain)
	}
	f.Add("3/5/2014\x00 \xff617-555-0142\xc3")
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) == nil {
			invariants(t, find, s, types...)
			return
		}
		for _, p := range find(text.NewView(s), nil) { // the ensemble refuses such a text, but nothing may panic
			if p.Start < 0 || p.End > len(s) || p.Start >= p.End {
				t.Fatalf("%v in %d bytes", p, len(s))
			}
		}
	})
}

// Words checks a file of words: it begins with its source and licence, and the words of each section are in lower
// case, sorted and unique.
func Words(t testing.TB, file string) {
	t.Helper()
	head, _, _ := strings.Cut(file, "\n[")
	if !strings.Contains(head, "Source: ") || !strings.Contains(head, "Licence: ") {
		t.Error("no source or licence at the head")
	}
	last := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			last = ""
		default:
			word, _, _ := strings.Cut(line, " ")
			if word <= last || strings.ToLower(word) != word {
				t.Errorf("%q after %q", word, last)
			}
			last = word
		}
	}
}

// repeats checks that a finder looks no further from a token than a bound, by counting: of a text that is repeated
// with line breaks between, each copy gives as many spans as the first.
func repeats(t testing.TB, find Find, line string) {
	t.Helper()
	const times = 500
	one := len(find(text.NewView(line), nil))
	all := len(find(text.NewView(strings.Repeat(line+"\n", times)), nil))
	if one == 0 || all != one*times {
		t.Errorf("%d spans in %d copies, %d in one", all, times, one)
	}
}
