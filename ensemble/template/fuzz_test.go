package template_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/template"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// asVotes returns what a template can say of spans: no occupations, and no scores.
func asVotes(spans []phi.Span) []phi.Span {
	var out []phi.Span
	for _, s := range spans {
		if s.Type != phi.Profession {
			out = append(out, phi.Span{Start: s.Start, End: s.End, Type: s.Type})
		}
	}
	return out
}

// checkTemplate checks that a template is read back as it was, and finds where it was
// made what was PHI there.
func checkTemplate(t *testing.T, v *text.View, tm *template.Template, want []phi.Span) {
	t.Helper()
	again, err := template.Parse(tm.String())
	if err != nil || again.String() != tm.String() || again.Form() != tm.Form() || again.Coarse() != tm.Coarse() {
		t.Fatalf("%q is read back as %v, %v", tm.String(), again, err)
	}
	found, err := template.NewSet([]*template.Template{again}).Find(t.Context(), v, nil)
	found = asVotes(found)
	for _, s := range want {
		if !slices.Contains(found, s) {
			t.Fatalf("%q finds %v, not %v, %v", tm.String(), found, s, err)
		}
	}
}

func spansIn(spans []phi.Span, r phi.Range) []phi.Span {
	return slices.DeleteFunc(asVotes(spans), func(s phi.Span) bool { return s.End <= r.Start || s.Start >= r.End })
}

func FuzzOf(f *testing.F) {
	f.Add("Electronically signed by: SMITH, JOHN C on 01/02/1980 at 12:12 PM CST", 26, 14, uint8(phi.Doctor), 44, 10)
	f.Add("• a\\<b> Ann's 12b\u200d\tx", 10, 3, uint8(phi.Patient), 16, 3)
	f.Add("by W at A N\n\nto 5 PM", 3, 1, uint8(phi.Time), 8, 1)
	f.Fuzz(func(t *testing.T, s string, at, length int, typ uint8, at2, length2 int) {
		n := len(s)
		if text.Check(s) != nil || n == 0 || at < 0 || length <= 0 || at2 < 0 || length2 <= 0 || at > n || length > n || at2 > n || length2 > n {
			t.Skip()
		}
		types := phi.Types()
		spans := []phi.Span{{Start: at, End: at + length, Type: types[int(typ)%len(types)]}}
		if at2 >= at+length {
			spans = append(spans, phi.Span{Start: at2, End: at2 + length2, Type: phi.Date})
		}
		v := text.NewView(s)
		for _, r := range v.Sentences() {
			if tm := template.Of(s, r, spans); tm != nil {
				checkTemplate(t, v, tm, spansIn(spans, r))
			}
		}
	})
}

// What is read is written as it was, has PHI, and fits itself with made-up words for its
// slots.
func FuzzParse(f *testing.F) {
	for _, s := range []string{signed, `at <TIME N \A M \W> by <DOCTOR W> A W N`, `a\<b\\c\> by <DOCTOR W>`, "Seen\tby <DOCTOR W W>\n\nMD", "by <DOCTOR W><DATE N>", "<PATIENT A>-<DATE N/N> ok"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tm, err := template.Parse(s)
		if err != nil {
			return
		}
		if tm.String() != s || len(tm.Literals()) == 0 {
			t.Fatalf("%q is read as %q", s, tm.String())
		}
		set := template.NewSet([]*template.Template{tm})
		if set.Len() != 1 || len(set.Wider(tm)) != 0 {
			t.Fatalf("%q is wider than itself", s)
		}
	})
}

// Whatever the text, spans are within it, in order and disjoint.
func FuzzFind(f *testing.F) {
	for _, odd := range ensembletest.Texts() {
		if len(odd.Text) < 2000 {
			f.Add(odd.Text, signed)
		}
	}
	f.Add("Seen by Ann Moss", "Seen by <DOCTOR W W>")
	f.Fuzz(func(t *testing.T, s, form string) {
		tm, err := template.Parse(form)
		if err != nil || text.Check(s) != nil {
			t.Skip()
		}
		s = strings.Repeat(s+"\n", 2)
		got, err := template.NewSet([]*template.Template{tm}).Find(t.Context(), text.NewView(s), nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, s, got)
	})
}
