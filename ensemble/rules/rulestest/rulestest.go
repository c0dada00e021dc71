// Package rulestest runs the tests that every package of exact rules has: its cases, its
// words, and what holds of the spans of any text.
package rulestest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Find is a package's finder.
type Find func(v *text.View, dst []phi.Span) []phi.Span

// Cases runs a finder over the lines of testdata/cases.txt. PHI is marked as in "on
// ⟦3/5|DATE⟧"; nothing else may be found. "⏎" is a line break. Lines that begin with a
// number sign are comments.
func Cases(t *testing.T, find Find) {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		n++
		marked := strings.ReplaceAll(line, "⏎", "\n")
		plain := unmark(marked)
		if got := mark(plain, find(text.NewView(plain), nil)); got != marked {
			t.Errorf("\n got %s\nwant %s", strings.ReplaceAll(got, "\n", "⏎"), line)
		}
	}
	if n == 0 {
		t.Fatal("no cases")
	}
}

// unmark returns the text of a marked line.
func unmark(marked string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(marked, "⟦")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, "⟧")
		value, _, _ := strings.Cut(inside, "|")
		b.WriteString(value)
		marked = after
	}
}

// mark is the inverse of unmark.
func mark(s string, spans []phi.Span) string {
	var b strings.Builder
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.Start] + "⟦" + s[p.Start:p.End] + "|" + p.Type.String() + "⟧")
		at = p.End
	}
	return b.String() + s[at:]
}

// Invariants checks what holds of the spans of any text: they are of the types, in bounds,
// not empty, on the borders of runes, sorted and disjoint, and come behind those of dst.
func Invariants(t *testing.T, find Find, s string, types ...phi.Type) {
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

// Odd checks the invariants on texts that begin, end or break off where a finder may not
// expect it.
func Odd(t *testing.T, find Find, types ...phi.Type) {
	t.Helper()
	for _, s := range []string{
		"", " ", "\n", "3", "/", "3/", "/5", "3/5/", "'", "'9", "May", "May ", "67-", "at", "12:", "12:3", "\u200b3/5", "3\u200b/5/2014", "Q", "Q1",
		"١٢/١٢/٢٠١٢", "１２：３０", "67\n-year\n-old", "the", "New Year'", "St.", "d\u0301ec 5", "5 of", "day of", "0s", "1980's", "12 p.", "nineteen", "-", "--",
	} {
		Invariants(t, find, s, types...)
	}
}

// Fuzz fuzzes a finder for its invariants, with its cases as seeds.
func Fuzz(f *testing.F, find Find, types ...phi.Type) {
	f.Helper()
	data, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f.Add(unmark(strings.ReplaceAll(line, "⏎", "\n")))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if text.Check(s) == nil {
			Invariants(t, find, s, types...)
		}
	})
}

// Words checks a file of words: it begins with its source and licence, and the words of
// each section are in lower case, sorted and unique.
func Words(t *testing.T, file string) {
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

// Repeats checks that a finder needs time in proportion to a text's length by counting: of a
// text that is repeated with line breaks between, each copy gives as many spans as the first.
func Repeats(t *testing.T, find Find, line string) {
	t.Helper()
	const times = 500
	one := len(find(text.NewView(line), nil))
	all := len(find(text.NewView(strings.Repeat(line+"\n", times)), nil))
	if one == 0 || all != one*times {
		t.Errorf("%d spans in %d copies, %d in one", all, times, one)
	}
}
