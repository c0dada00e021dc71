package eval

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// putIn replaces the finds by fixed texts, in order.
func putIn(with ...string) Replacer {
	return func(doc *Document, found []phi.Span) (Replaced, error) {
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
func leaksOf(t *testing.T, goldText, foundText string, replace Replacer) LeakReport {
	t.Helper()
	doc := gold(t, goldText)
	_, found := marks2spans(t, foundText)
	s := newLeakSums(replace)
	if err := s.add(&doc, found); err != nil {
		t.Fatal(err)
	}
	return s.report
}

func TestLeakage(t *testing.T) {
	for name, tt := range map[string]struct {
		gold, found string
		with        []string
		want        Leaks // of group C
	}{
		"all replaced": {
			"[PATIENT|Ann Lee] came", "[PATIENT|Ann Lee] came",
			[]string{"Zoë Fox"},
			Leaks{Words: 2, Entities: 1},
		},
		"half a name is left": {
			"[PATIENT|Ann Lee] came", "[PATIENT|Ann] Lee came",
			[]string{"Zoë"},
			Leaks{Words: 2, Survived: 1, Entities: 1, Partly: 1},
		},
		"half a word is left": {
			"seen [DATE|4/27/04]", "seen [DATE|4/27]/04",
			[]string{"6/1"},
			Leaks{Words: 1, Survived: 1, Entities: 1, Whole: 1},
		},
		"missed": {
			"éé [PATIENT|Ann Lee] came", "éé Ann Lee came",
			[]string{""},
			Leaks{Words: 2, Survived: 2, Entities: 1, Whole: 1},
		},
		"by coincidence a surrogate": {
			"[PATIENT|Ann] saw [DOCTOR|Lee]", "[PATIENT|Ann] saw [DOCTOR|Lee]",
			[]string{"Lee", "Fox"},
			Leaks{Words: 2, AsSurrogate: 1, Entities: 2, Read: 1},
		},
		"the verb may, elsewhere": {
			"Dr. [DOCTOR|May] says it may rain", "Dr. [DOCTOR|May] says it may rain",
			[]string{"Fox"},
			Leaks{Words: 1, Elsewhere: 1, Entities: 1, Read: 1},
		},
		"words of a name, but not in its order": {
			"[PATIENT|Ann May] may see Ann", "[PATIENT|Ann May] may see Ann",
			[]string{"Fox"},
			Leaks{Words: 2, Elsewhere: 2, Entities: 1},
		},
		"states are group C's": {"in [STATE|Ohio]", "in Ohio", []string{""}, Leaks{Words: 1, Survived: 1, Entities: 1, Whole: 1}},
		"what is kept":         {"[AGE|53], a [PROFESSION|glazier]", "53, a glazier", []string{""}, Leaks{}},
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
	got := leaksOf(t, "[PATIENT|Ann] [DOCTOR|May] [STATE|Ohio]", "Ann May Ohio", putIn(""))
	for g, want := range map[Group]int{A: 1, B: 2, C: 3} {
		if l := got.Groups[g.String()]; l.Survived != want || l.Rate() != 1 {
			t.Errorf("group %s: %+v", g, l)
		}
	}
	if r := (Leaks{}).Rate(); r != 0 {
		t.Errorf("of nothing %v is left", r)
	}
}

func TestWithheldDocumentsLeakNothing(t *testing.T) {
	got := leaksOf(t, "[PATIENT|Ann] came", "Ann came", func(*Document, []phi.Span) (Replaced, error) { return Replaced{}, ErrWithheld })
	if got.Withheld != 1 || got.Leaking != 0 || got.Groups["C"] != (Leaks{Words: 1, Entities: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestRunReplaces(t *testing.T) {
	a, b := gold(t, "[PATIENT|Ann] came"), gold(t, "saw [DOCTOR|May] today")
	found := fixed{a.Text: {a.Spans[0].span()}, b.Text: nil}
	res, err := Run(t.Context(), found, sequence(a, b, a), Options{Replace: putIn("Fox")})
	if err != nil {
		t.Fatal(err)
	}
	if l := res.Leakage; l == nil || l.Docs != 3 || l.Leaking != 1 || l.Groups["C"].Survived != 1 {
		t.Errorf("%+v", res.Leakage)
	}
	var table strings.Builder
	if err := res.WriteTable(&table, 0); err != nil || !strings.Contains(table.String(), "in 1 of 3 documents a word of group C is left") {
		t.Errorf("%v:\n%s", err, table.String())
	}
	b.ID = "b7"
	fails := func(*Document, []phi.Span) (Replaced, error) { return Replaced{}, errors.New("no key") }
	if _, err := Run(t.Context(), found, sequence(b), Options{Replace: fails}); err == nil || !strings.Contains(err.Error(), "b7: no key") {
		t.Errorf("%v", err)
	}
}
