package net

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func finderOf(s string) *finder {
	return &finder{cue.NewFinder(text.NewView(s), words(), nil)}
}

// tokenAt returns the first token that is a mark.
func (f *finder) tokenAt(t *testing.T, mark byte) int {
	t.Helper()
	for i := range f.Tokens {
		if f.Mark(i) == mark {
			return i
		}
	}
	t.Fatalf("no %q in %q", mark, f.Text)
	return 0
}

func TestLocalPart(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ann@x": "ann", "ann.long@x": "ann.long", "see ann@x": "ann", "(ann@x": "ann", ".ann@x": "ann", "_ann@x": "_ann", "a:ann@x": "ann", "@x": "",
		"a b@x": "b", "ann+a-b_c@x": "ann+a-b_c", "é@x": "é",
	} {
		f := finderOf(in)
		i := f.tokenAt(t, '@')
		if got := f.Text[f.Tokens[f.localPart(i)].Start:f.Tokens[i].Start]; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestDomainEnd(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"example.com": "example.com", "a.b.example.com x": "a.b.example.com", "example.com.": "example.com", "example.com, x": "example.com",
		"my-site.org/x": "my-site.org", "example": "", "example.": "", ".com": "", "1.2": "", "example. com": "",
	} {
		f := finderOf(in)
		got := ""
		if end := f.domainEnd(0); end > 0 {
			got = f.Text[:f.Tokens[end-1].End]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRunEnd(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"www.a.org": "www.a.org", "www.a.org/": "www.a.org/", "www.a.org.": "www.a.org", "www.a.org, x": "www.a.org", "www.a.org?b=c&d": "www.a.org?b=c&d",
		"www.a.org)": "www.a.org", "www.a.org\"x": "www.a.org", "www.a.org>x": "www.a.org", "www.a.org|x": "www.a.org", "www.a.org/x_": "www.a.org/x_",
	} {
		f := finderOf(in)
		if got := f.Text[:f.Tokens[f.runEnd(0)-1].End]; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
