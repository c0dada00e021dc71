package leakage

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/evaltest"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// putIn replaces the finds by fixed texts, in order.
func putIn(with ...string) Replacer {
	return func(doc *score.Document, found []phi.Span) (Replaced, error) {
		var b strings.Builder
		var out Replaced
		at := 0
		for i, s := range found {
			b.WriteString(doc.Text[at:s.Start])
			start := utf8.RuneCountInString(b.String())
			b.WriteString(with[i%len(with)])
			out.Surrogates = append(out.Surrogates, Surrogate{start, utf8.RuneCountInString(b.String()), phi.Range{Start: s.Start, End: s.End}})
			at = s.End
		}
		b.WriteString(doc.Text[at:])
		out.Text = b.String()
		return out, nil
	}
}

// leaksOf replaces what was found in one document.
func leaksOf(t *testing.T, goldText, foundText string, replace Replacer) Report {
	t.Helper()
	doc := evaltest.Gold(t, goldText)
	_, found := ensembletest.Unmark(t, foundText)
	s := NewSums(replace)
	if err := s.Add(&doc, found); err != nil {
		t.Fatal(err)
	}
	return s.Report
}

func TestLeakage(t *testing.T) {
	for name, tt := range map[string]struct {
		gold, found string
		with        []string
		want        Leaks // of group C
	}{
		"all replaced": {
			"⟦Ann Lee|PATIENT⟧ came", "⟦Ann Lee|PATIENT⟧ came",
			[]string{"Zoë Fox"},
			Leaks{Words: 2, Entities: 1},
		},
		"half a name is left": {
			"⟦Ann Lee|PATIENT⟧ came", "⟦Ann|PATIENT⟧ Lee came",
			[]string{"Zoë"},
			Leaks{Words: 2, Survived: 1, Entities: 1, Partly: 1},
		},
		"half a word is left": {
			"seen ⟦4/27/04|DATE⟧", "seen ⟦4/27|DATE⟧/04",
			[]string{"6/1"},
			Leaks{Words: 1, Survived: 1, Entities: 1, Whole: 1},
		},
		"missed": {
			"éé ⟦Ann Lee|PATIENT⟧ came", "éé Ann Lee came",
			[]string{""},
			Leaks{Words: 2, Survived: 2, Entities: 1, Whole: 1},
		},
		"by coincidence a surrogate": {
			"⟦Ann|PATIENT⟧ saw ⟦Lee|DOCTOR⟧", "⟦Ann|PATIENT⟧ saw ⟦Lee|DOCTOR⟧",
			[]string{"Lee", "Fox"},
			Leaks{Words: 2, AsSurrogate: 1, Entities: 2, Read: 1},
		},
		"the verb may, elsewhere": {
			"Dr. ⟦May|DOCTOR⟧ says it may rain", "Dr. ⟦May|DOCTOR⟧ says it may rain",
			[]string{"Fox"},
			Leaks{Words: 1, Elsewhere: 1, Entities: 1, Read: 1},
		},
		"words of a name, but not in its order": {
			"⟦Ann May|PATIENT⟧ may see Ann", "⟦Ann May|PATIENT⟧ may see Ann",
			[]string{"Fox"},
			Leaks{Words: 2, Elsewhere: 2, Entities: 1},
		},
		"states are group C's": {"in ⟦Ohio|STATE⟧", "in Ohio", []string{""}, Leaks{Words: 1, Survived: 1, Entities: 1, Whole: 1}},
		"what is kept":         {"⟦53|AGE⟧, a ⟦glazier|PROFESSION⟧", "53, a glazier", []string{""}, Leaks{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := leaksOf(t, tt.gold, tt.found, putIn(tt.with...))
			if diff := cmp.Diff(tt.want, got.Groups["C"]); diff != "" {
				t.Error(diff)
			}
			if leaking := tt.want.Survived > 0; (got.Leaking == 1) != leaking {
				t.Errorf("leaking documents: %d", got.Leaking)
			}
			var sum Leaks
			for _, l := range got.Types {
				sum.add(l)
			}
			if sum != got.Groups["C"] {
				t.Errorf("the labels' sum is %+v", sum)
			}
		})
	}
}

func TestGroupsOfLeaks(t *testing.T) {
	got := leaksOf(t, "⟦Ann|PATIENT⟧ ⟦May|DOCTOR⟧ ⟦Ohio|STATE⟧", "Ann May Ohio", putIn(""))
	for g, want := range map[score.Group]int{score.A: 1, score.B: 2, score.C: 3} {
		if l := got.Groups[g.String()]; l.Survived != want || l.Rate() != 1 {
			t.Errorf("group %s: %+v", g, l)
		}
	}
	if r := (Leaks{}).Rate(); r != 0 {
		t.Errorf("of nothing %v is left", r)
	}
}

func TestWithheldDocumentsLeakNothing(t *testing.T) {
	got := leaksOf(t, "⟦Ann|PATIENT⟧ came", "Ann came", func(*score.Document, []phi.Span) (Replaced, error) { return Replaced{}, ErrWithheld })
	if got.Withheld != 1 || got.Leaking != 0 || got.Groups["C"] != (Leaks{Words: 1, Entities: 1}) {
		t.Errorf("%+v", got)
	}
}
