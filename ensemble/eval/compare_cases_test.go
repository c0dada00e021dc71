package eval

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
)

func TestCompareCases(t *testing.T) {
	of := func(words ...string) (cases []score.Case) {
		for _, w := range words {
			doc, text, _ := strings.Cut(w, ":")
			cases = append(cases, score.Case{Doc: doc, Label: "PATIENT", Text: text, Before: "saw "})
		}
		return cases
	}
	run := func(misses, alarms []score.Case) Result {
		words := score.Counts{Gold: 9, Found: 9 - len(misses), Predicted: 9, False: len(alarms)}
		return Result{Report: score.Report{Groups: map[string]score.Rates{"C": score.RatesOf(words)}, Misses: misses, Alarms: alarms}}
	}
	names := func(cases []score.Case) string {
		var out []string
		for _, c := range cases {
			out = append(out, c.Doc+":"+c.Text)
		}
		return strings.Join(out, " ")
	}
	before := run(of("1:Ann", "1:Ann", "2:Bo", "3:Cy"), of("1:Foley", "2:May"))
	after := run(of("1:Ann", "3:Cy", "3:Dee"), of("2:May", "2:Rose"))
	changes, ok := CompareCases(before, after)
	if !ok {
		t.Fatal("cases were kept, and are not compared")
	}
	for name, tt := range map[string]struct{ got, want string }{
		"found":     {names(changes.Found), "1:Ann 2:Bo"},
		"missed":    {names(changes.Missed), "3:Dee"},
		"dropped":   {names(changes.Dropped), "1:Foley"},
		"new false": {names(changes.NewFalse), "2:Rose"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.got, tt.want)
		}
	}
	without := before
	without.Misses, without.Alarms = nil, nil
	if _, ok := CompareCases(without, after); ok {
		t.Error("a run that was saved without its cases is compared as if it had none")
	}
	if _, ok := CompareCases(run(nil, nil), after); !ok {
		t.Error("a run without errors has no cases to keep")
	}
}

func TestComparisonPage(t *testing.T) {
	before, after := runOf(t, 60, 2, 1, 0), runOf(t, 60, 1, 1, 4)
	c, err := Compare(before, after, 0)
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	cases := CaseChanges{Found: []score.Case{{Doc: "a", Text: "<i>Ann", Label: "PATIENT"}}}
	if err := c.WriteHTML(&page, "a, then b", &cases, 3); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"&lt;i&gt;Ann", ">rose</td>", ">fell</td>", "recall of PATIENT", "<h2>Found now, missed " +
		"before</h2>", `aria-labelledby="types-title types-desc"`} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %s in the page", want)
		}
	}
	var quiet strings.Builder
	if err := c.WriteHTML(&quiet, "a, then b", &cases, 0); err != nil || strings.Contains(quiet.String(), "Ann") {
		t.Errorf("%v, or a case is quoted without being requested", err)
	}
	checkPage(t, page.String(), 2)
}
