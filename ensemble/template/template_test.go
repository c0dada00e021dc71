package template_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/template"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// spansOf takes [[TYPE text]] apart into a text and its spans.
func spansOf(t testing.TB, marked string) (string, []phi.Span) {
	t.Helper()
	var body strings.Builder
	var spans []phi.Span
	for rest := marked; ; {
		before, inside, found := strings.Cut(rest, "[[")
		body.WriteString(before)
		if !found {
			return body.String(), spans
		}
		inside, rest, _ = strings.Cut(inside, "]]")
		name, hidden, _ := strings.Cut(inside, " ")
		typ, err := phi.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		start := body.Len()
		body.WriteString(hidden)
		spans = append(spans, phi.Span{Start: start, End: body.Len(), Type: typ})
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, marked, want, form string }{
		{
			"the paper's example", "Electronically signed by: [[DOCTOR SMITH, JOHN C]] on [[DATE 01/02/1980]] at [[TIME 12:12 PM CST]]",
			"Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>",
			"Electronically signed by: <W>, <W> <W> on <N>/<N>/<N> at <N>:<N> PM CST",
		},
		{"letters and digits", "MRN [[MEDICALRECORD E12-345b]], active", "MRN <MEDICALRECORD A-A>, active", "MRN <A>-<A>, active"},
		{"marks within", "Phone: [[PHONE (555) 010-7788]]", "Phone: <PHONE (N) N-N>", "Phone: (<N>) <N>-<N>"},
		{"neighbours", "from [[CITY Quillburg]], [[STATE OH]] [[ZIP 00501]]", "from <CITY W>, <STATE W> <ZIP N>", "from <W>, <W> <N>"},
		{"other scripts", "вызван [[DOCTOR Łukasz]]", "вызван <DOCTOR W>", "вызван <W>"},
		{"what is no PHI stays", "Room 7 of [[HOSPITAL Quarry House]]", "Room 7 of <HOSPITAL W W>", "Room 7 of <W> <W>"},
		{"an occupation stays", "[[PATIENT Ann]] is a [[PROFESSION baker]]", "<PATIENT W> is a baker", "<W> is a baker"},
		{"white space", "Seen\n by  [[DOCTOR Ann\nMoss]]\tMD", "Seen by <DOCTOR W W>\tMD", "Seen by <W> <W>\tMD"},
		{"a bullet", "• Call [[DOCTOR Moss]]", "Call <DOCTOR W>", "Call <W>"},
		{"marks of templates", `a<b\c> by [[DOCTOR Moss]]`, `a\<b\\c\> by <DOCTOR W>`, `a\<b\\c\> by <W>`},
		{"words that are slots", "at [[TIME 5 A M W N]] by [[DOCTOR Moss]] A W N", `at <TIME N \A M \W \N> by <DOCTOR W> A W N`, `at <N> A M W N by <W> A W N`},
		{"no PHI", "No fever.", "", ""},
		{"a time alone", "Seen at [[TIME 10:30]]", "", ""},
		{"no word of its own", "[[DOCTOR Moss]], [[DATE 3/5]]", "", ""},
		{"a letter is no word", "c [[DOCTOR Moss]]", "", ""},
		{"within a word", "Results[[DATE 02/20/2087]]", "", ""},
		{"part of a number", "ID [[IDNUM 12]]b came", "", ""},
		{"white space in the mark", "by[[DOCTOR  Moss]]", "", ""},
		{"too long", strings.Repeat("go ", 300) + "[[DOCTOR Moss]]", "", ""},
	} {
		body, spans := spansOf(t, tt.marked)
		got := template.Of(body, phi.Range{End: len(body)}, spans)
		if got == nil || tt.want == "" {
			if got != nil || tt.want != "" {
				t.Errorf("%s: %v, want %q", tt.name, got, tt.want)
			}
			continue
		}
		if got.String() != tt.want || got.Form() != tt.form {
			t.Errorf("%s: %q, %q", tt.name, got.String(), got.Form())
		}
		again, err := template.Parse(got.String())
		if err != nil || again.String() != got.String() {
			t.Errorf("%s: read back %v, %v", tt.name, again, err)
		}
	}
}

func TestOfPartsOfANote(t *testing.T) {
	t.Parallel()
	body, spans := spansOf(t, "Seen by [[DOCTOR Moss]]. Call [[DOCTOR Rose. See]] him.")
	if got := template.Of(body, phi.Range{End: 13}, spans); got == nil || got.String() != "Seen by <DOCTOR W>." {
		t.Errorf("the first sentence: %v", got)
	}
	if got := template.Of(body, phi.Range{Start: 14, End: 24}, spans); got != nil {
		t.Errorf("a span that reaches out: %v", got)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "Seen.", "<DOCTOR W>", "by <DOCTOR W", "by <DOCTOR >", "by <DOCTOR>", "by <Doctor W>", "by <NONE W>", "by <X W>", "by DOCTOR W>",
		"by  <DOCTOR W>", "by <DOCTOR  W>", "by <DOCTOR W >", " by <DOCTOR W>", "by <DOCTOR W> ", "by\n<DOCTOR W>", "• by <DOCTOR W>",
		"by<DOCTOR W>", "by <DOCTOR W>x", "by <DOCTOR <DATE N>>", `by <DOCTOR W>\`, `by \x <DOCTOR W>`, `by \ <DOCTOR W>`, `by \W <DOCTOR W>`,
		"at <TIME N>", "by <DOCTOR Moss>", "by <PROFESSION W>", "by <DOCTOR W>\x00", "by <DOCTOR W>\xff",
		strings.Repeat("go ", 300) + "<DOCTOR W>", strings.Repeat("x", 9000) + " <DOCTOR W>",
	} {
		if got, err := template.Parse(s); err == nil {
			t.Errorf("%q is read as %q", s, got.String())
		} else if strings.Contains(err.Error(), "by") && len(s) > 3 && strings.Contains(err.Error(), s) {
			t.Errorf("%q is quoted in %v", s, err)
		}
	}
}

func TestTemplatesPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	tm, err := template.Parse("Rosewood by <DOCTOR W>")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("made", "template", tm)
	if said := fmt.Sprintf("%v %s %q %+v %s", tm, tm, tm, []*template.Template{tm}, &log); strings.Contains(said, "Rosewood") || !strings.Contains(said, "template[3 terms]") {
		t.Error(said)
	}
}

func setOf(t testing.TB, texts ...string) *template.Set {
	t.Helper()
	var list []*template.Template
	for _, s := range texts {
		tm, err := template.Parse(s)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		list = append(list, tm)
	}
	return template.NewSet(list)
}

const signed = "Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>"

func TestFind(t *testing.T) {
	t.Parallel()
	set := setOf(t, signed, "Seen by <DOCTOR W W>", "Seen by Dr <DOCTOR W>", "ID <IDNUM A>", "ID <SSN N>", "Seen by <DOCTOR W W>", "Seen by <PATIENT W W>")
	if set.Len() != 5 || len(set.Digest()) != 32 {
		t.Fatalf("%d templates, %q", set.Len(), set.Digest())
	}
	for _, tt := range []struct{ name, marked, sure string }{
		{"the one that made it", "Electronically signed by: [[DOCTOR SMITH, JOHN C]] on [[DATE 01/02/1980]] at [[TIME 12:12 PM CST]]", "yyn"},
		{"a name of another shape", "Electronically signed by: [[DOCTOR DEWEY, JONES K]] on [[DATE 1/22/80]] at [[TIME 1:12 PM CST]]", "yyn"},
		{"among sentences", "No fever.\nSeen by [[DOCTOR Ann Moss]]\nNo rash.", "y"},
		{"more words of its own", "Seen by Dr [[DOCTOR Moss]]", "y"},
		{"of two with the same form the first by its text", "Seen by [[DOCTOR Xu Li]]", "y"},
		{"a number where letters may be too", "ID [[SSN 123]]", "y"},
		{"letters and digits", "ID [[IDNUM 12b]]", "y"},
		{"letters", "ID [[IDNUM XYZ]]", "y"},
		{"words in lower case are not sure", "Seen by [[DOCTOR vascular surgery]]", "n"},
		{"a wrapped line", "Seen\n  by [[DOCTOR Ann  Moss]]", "y"},
		{"a bullet", "• Seen by [[DOCTOR Ann Moss]]", "y"},
		{"a long line and another", "Electronically signed by: [[DOCTOR ROE, ANN B]] on [[DATE 01/02/1980]] at [[TIME 12:12 PM CST]]\nThe end", "yyn"},
		{"behind a long line", "The patient is going to come back whenever there is a fever\r\n Seen by [[DOCTOR Ann Moss]]", "y"},
		{"case counts", "seen by Ann Moss", ""},
		{"one more word", "Seen by Ann Moss today", ""},
		{"one less", "Seen by Ann", ""},
		{"columns", "Seen by\tAnn Moss", ""},
		{"glued", "Seen by Ann-Moss", ""},
	} {
		body, want := spansOf(t, tt.marked)
		got, err := set.Find(t.Context(), text.NewView(body), nil)
		for i := range want {
			want[i].Sure = tt.sure[i] == 'y'
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v, %v", tt.name, got, want, err)
		}
	}
}

func TestWider(t *testing.T) {
	t.Parallel()
	set := setOf(t, "signed by: <DOCTOR W, W W> at N", "signed by: <DOCTOR A, W W> at N", "signed by: DEWEY, <DOCTOR W W> at N", "ID <IDNUM A>")
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"signed by: DEWEY, <DOCTOR W W> at N", []string{"signed by: <DOCTOR W, W W> at N", "signed by: <DOCTOR A, W W> at N"}},
		{"signed by: <DOCTOR W, W W> at N", []string{"signed by: <DOCTOR A, W W> at N"}},
		{"signed by: <DOCTOR A, W W> at N", nil},
		{"ID <SSN N>", []string{"ID <IDNUM A>"}},
		{"signed to: <DOCTOR W, W W> at N", nil},
	} {
		tm, err := template.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range set.Wider(tm) {
			got = append(got, w.String())
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.text, got)
		}
	}
}
