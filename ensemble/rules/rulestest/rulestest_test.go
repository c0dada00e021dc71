package rulestest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// failures is a test that counts failures instead of failing.
type failures struct {
	testing.TB
	all []string
}

func (f *failures) Helper() {}

func (f *failures) Error(args ...any) { f.all = append(f.all, fmt.Sprint(args...)) }

func (f *failures) Errorf(format string, args ...any) {
	f.all = append(f.all, fmt.Sprintf(format, args...))
}

// Fatalf ends the check as the real one does.
func (f *failures) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(f)
}

// failuresOf returns the failures of a check.
func failuresOf(check func(testing.TB)) (failed []string) {
	f := &failures{}
	defer func() {
		if r := recover(); r != nil && r != any(f) {
			panic(r)
		}
		failed = f.all
	}()
	check(f)
	return f.all
}

// finds returns a finder that appends the same spans to every text.
func finds(spans ...phi.Span) Find {
	return func(_ *text.View, dst []phi.Span) []phi.Span { return append(dst, spans...) }
}

// Each finder breaks one of the things that hold of spans, of a text whose second rune has two bytes.
func TestInvariants(t *testing.T) {
	t.Parallel()
	span := func(start, end int) phi.Span { return phi.Span{Start: start, End: end, Type: phi.Date} }
	for _, tt := range []struct {
		name string
		find Find
		want string
	}{
		{"nothing", finds(), ""},
		{"two spans", finds(span(0, 1), span(1, 3)), ""},
		{"unsorted", finds(span(3, 4), span(0, 1)), "after"},
		{"overlapping", finds(span(0, 3), span(1, 4)), "after"},
		{"empty", finds(span(1, 1)), "after"},
		{"turned round", finds(span(3, 1)), "after"},
		{"out of bounds", finds(span(3, 9)), "after"},
		{"begins inside a rune", finds(span(2, 3)), "cuts a rune"},
		{"ends inside a rune", finds(span(0, 2)), "cuts a rune"},
		{"another type", finds(phi.Span{Start: 0, End: 1, Type: phi.Zip}), "another type"},
		{"drops the caller's", func(*text.View, []phi.Span) []phi.Span { return nil }, "caller"},
	} {
		got := failuresOf(func(tb testing.TB) { tb.Helper(); invariants(tb, tt.find, "aé12", phi.Date) })
		if (tt.want == "") != (len(got) == 0) || len(got) > 0 && !strings.Contains(got[0], tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	perLine := func(v *text.View, dst []phi.Span) []phi.Span {
		for i := range v.Tokens {
			if v.OpensLine(i) {
				dst = append(dst, v.Span(i, i+1, phi.Date))
			}
		}
		return dst
	}
	if got := failuresOf(func(tb testing.TB) { tb.Helper(); repeats(tb, perLine, "one line") }); len(got) != 0 {
		t.Errorf("a finder that looks at a line: %q", got)
	}
	for name, find := range map[string]Find{"one span in all": finds(phi.Span{Start: 0, End: 1, Type: phi.Date}), "none": finds()} {
		if got := failuresOf(func(tb testing.TB) { tb.Helper(); repeats(tb, find, "one line") }); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWordFiles(t *testing.T) {
	t.Parallel()
	const head = "# Words.\n# Source: a test. Licence: Apache-2.0.\n\n"
	for _, tt := range []struct {
		name, file string
		want       int
	}{
		{"sorted", head + "[a]\nmarch 3\nmay 5\n\n# Others.\n[b]\napril\n", 0},
		{"no head", "[a]\nmarch\n", 1},
		{"unsorted", head + "[a]\nmay\nmarch\n", 1},
		{"twice", head + "[a]\nmay 5\nmay\n", 1},
		{"a capital", head + "[a]\nMay\n", 1},
		{"an empty file", "", 1},
	} {
		if got := failuresOf(func(tb testing.TB) { tb.Helper(); Words(tb, tt.file) }); len(got) != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// The cases of this package are for a finder of numbers.
func TestCases(t *testing.T) {
	t.Parallel()
	numbers := func(v *text.View, dst []phi.Span) []phi.Span {
		for i := range v.Tokens {
			if v.Number(i) {
				dst = append(dst, v.Span(i, i+1, phi.IDNum))
			}
		}
		return dst
	}
	if got := failuresOf(func(tb testing.TB) { tb.Helper(); Cases(tb, numbers) }); len(got) != 0 {
		t.Error(got)
	}
	if got := failuresOf(func(tb testing.TB) { tb.Helper(); Cases(tb, finds()) }); len(got) != 2*len(frames) {
		t.Errorf("a finder that finds nothing fails %d times of two cases in each frame", len(got))
	}
}
