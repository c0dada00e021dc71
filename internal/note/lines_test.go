package note

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/surrogate"
)

func TestSplitLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		separator string
		lines     []string
		pairs     [][2]string
		want      []string
		spans     []string // line and what is at the span
	}{
		{"nothing to replace", "\n", []string{"a", "", "b"}, nil, []string{"a", "", "b"}, nil},
		{"no line", "\n", nil, nil, nil, nil},
		{"an empty one", "\n", []string{""}, nil, []string{""}, nil},
		{
			"within lines", "\n",
			[]string{"é Ann x", "Lee"},
			[][2]string{{"Ann", "Beatrice"}, {"Lee", "R"}},
			[]string{"é Beatrice x", "R"},
			[]string{"0 Beatrice", "1 R"},
		},
		{
			"over an end, each line its part", "\n",
			[]string{"x Ann", "Lee y"},
			[][2]string{{"Ann\nLee", "Béa\nRoe"}},
			[]string{"x Béa", "Roe y"},
			[]string{"0 Béa", "1 Roe"},
		},
		{
			"over an end, all in one", "\n",
			[]string{"x Ann", "Lee y"},
			[][2]string{{"Ann\nLee", "Bea Roe"}},
			[]string{"x Bea Roe", " y"},
			[]string{"0 Bea Roe"},
		},
		{
			"over three lines", "\n",
			[]string{"x 5 Elm", "Apt 3", "Ware y", "z"},
			[][2]string{{"5 Elm\nApt 3\nWare", "9 Oak\nHull"}},
			[]string{"x 9 Oak Hull", "", " y", "z"},
			[]string{"0 9 Oak Hull"},
		},
		{
			"over three lines, each its part", "\n",
			[]string{"5 Elm", "Apt 3", "Ware"},
			[][2]string{{"5 Elm\nApt 3\nWare", "9\nB\nHull"}},
			[]string{"9", "B", "Hull"},
			[]string{"0 9", "1 B", "2 Hull"},
		},
		{
			"breaks within a line", "\n",
			[]string{"Ann\nvan", "Lee"},
			[][2]string{{"Ann\nvan\nLee", "Bea\nde\nRoe"}},
			[]string{"Bea\nde", "Roe"},
			[]string{"0 Bea\nde", "1 Roe"},
		},
		{"from the break on", "\n", []string{"x", "Ann"}, [][2]string{{"\nAnn", " Bea"}}, []string{"x", " Bea"}, []string{"1  Bea"}},
		{"up to the break", "\n", []string{"Ann", "x"}, [][2]string{{"Ann\n", "Bea "}}, []string{"Bea ", "x"}, []string{"0 Bea "}},
		{"nothing in its place", "\n", []string{"Ann", "Lee x"}, [][2]string{{"Ann\nLee ", ""}}, []string{"", "x"}, nil},
		{
			"a surrogate with a break", "\n",
			[]string{"x Ann y", "z"},
			[][2]string{{"Ann", "Bea\nRoe"}},
			[]string{"x Bea Roe y", "z"},
			[]string{"0 Bea Roe"},
		},
		{
			"pieces, a word cut", "",
			[]string{"seen by Marks", "man today"},
			[][2]string{{"Marksman", "Lindqvist"}},
			[]string{"seen by Lindqvist", " today"},
			[]string{"0 Lindqvist"},
		},
		{
			"pieces, within", "",
			[]string{"a Ann ", "b Lee"},
			[][2]string{{"Ann", "Bea"}, {"Lee", "Roe"}},
			[]string{"a Bea ", "b Roe"},
			[]string{"0 Bea", "1 Roe"},
		},
		{
			"pieces, up to the end", "",
			[]string{"a Ann", "Lee"},
			[][2]string{{"Ann", "Bea"}, {"Lee", "Roe"}},
			[]string{"a Bea", "Roe"},
			[]string{"0 Bea", "1 Roe"},
		},
		{
			"pieces with breaks of their own", "",
			[]string{"a\nMar", "y\nb"},
			[][2]string{{"Mary", "Beth"}},
			[]string{"a\nBeth", "\nb"},
			[]string{"0 Beth"},
		},
		{
			"pieces, empty ones between", "",
			[]string{"Ma", "", "", "ry b"},
			[][2]string{{"Mary", "Beth"}},
			[]string{"Beth", "", "", " b"},
			[]string{"0 Beth"},
		},
		{
			"two over one end each", "\n",
			[]string{"Ann", "Lee Ann", "Lee"},
			[][2]string{{"Ann\nLee", "Bea Roe"}, {"Ann\nLee", "Bea\nRoe"}},
			[]string{"Bea Roe", " Bea", "Roe"},
			[]string{"0 Bea Roe", "1 Bea", "2 Roe"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := JoinLines(tt.lines, tt.separator)
			if want := strings.Join(tt.lines, tt.separator); l.Text() != want {
				t.Fatalf("the text is %q, want %q", l.Text(), want)
			}
			var got, spans []string
			for i, w := range l.split(result(t, l.Text(), tt.pairs...)) {
				got = append(got, w.Value)
				for _, s := range w.Spans {
					spans = append(spans, fmt.Sprint(i, " ", string([]rune(w.Value)[s.Start:s.End])))
				}
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if fmt.Sprintf("%q", spans) != fmt.Sprintf("%q", tt.spans) {
				t.Errorf("the spans are %q, want %q", spans, tt.spans)
			}
		})
	}
}

// However lines are cut and replaced, there are as many as before, and joined they are the text that was checked for
// leaks, but for white space at the ends of lines that surrogates go over.
func FuzzSplitLines(f *testing.F) {
	f.Add("x Ann|Lee y|z", "n|L", "Bea Roe", true)
	f.Add("seen by Marks|man today", "sm", "é", false)
	f.Add("a||b|", "|", "\n", true)
	f.Add("|||", "|", "", true)
	f.Fuzz(func(t *testing.T, text, old, replacement string, broken bool) {
		separator := ""
		if broken {
			separator = "\n"
		}
		lines := strings.Split(text, "|")
		old = strings.ReplaceAll(old, "|", separator)
		l := JoinLines(lines, separator)
		if len(text) > 1<<12 || old == "" || !strings.Contains(l.Text(), old) || !utf8.ValidString(text+old+replacement) {
			return
		}
		pairs := make([][2]string, strings.Count(l.Text(), old))
		for i := range pairs {
			pairs[i] = [2]string{old, replacement}
		}
		res := result(t, l.Text(), pairs...)
		split := l.split(res)
		if len(split) != len(lines) {
			t.Fatalf("%d lines of %d", len(split), len(lines))
		}
		values := make([]string, len(split))
		for i, w := range split {
			values[i] = w.Value
			if hasBreak(w.Value) && !hasBreak(lines[i]) {
				t.Errorf("line %d of %q has a break: %q", i, lines, w.Value)
			}
			checkSpans(t, w)
		}
		checkJoined(t, strings.Join(values, separator), res.Text, lines)
	})
}

func checkSpans(t *testing.T, w Written) {
	t.Helper()
	end, most := 0, utf8.RuneCountInString(w.Value)
	for _, s := range w.Spans {
		if s.Start < end || s.End <= s.Start || s.End > most {
			t.Errorf("span %d-%d of %q", s.Start, s.End, w.Value)
		}
		end = s.End
	}
}

// checkJoined compares texts without their line breaks and the spaces in the place of some.
func checkJoined(t *testing.T, got, want string, lines []string) {
	t.Helper()
	bare := strings.NewReplacer("\n", "", "\r", "", " ", "").Replace
	if bare(got) != bare(want) {
		t.Errorf("the lines %q become %q, want %q", lines, got, want)
	}
}

func TestLinesPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	l := JoinLines([]string{"Marks", "man"}, "")
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "lines", l)
	if s := log.String() + fmt.Sprintf("%v %+v %#v %s", l, l, l, l); strings.Contains(s, "Marks") {
		t.Errorf("it prints %q", s)
	}
}

// A long note of short lines is split in one pass.
func BenchmarkSplitLines(b *testing.B) {
	lines := strings.Split(strings.Repeat("seen by Ann Lee today\n", 100_000), "\n")
	l := JoinLines(lines, "\n")
	res := surrogate.Result{Text: l.Text()}
	for b.Loop() {
		l.split(res)
	}
}
