package tbed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// hospital returns made-up notes.
func hospital(t testing.TB, seed uint64, notes int) []Example {
	t.Helper()
	h, err := synth.NewHospital(seed, synth.Options{Notes: notes, Patients: 20})
	if err != nil {
		t.Fatal(err)
	}
	var out []Example
	for l, err := range h.Labelled(false) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Example{Note: l.Note, Tags: l.Tags})
	}
	return out
}

func train(t testing.TB, examples []Example) *Trainer {
	t.Helper()
	trainer := NewTrainer()
	for _, e := range examples {
		if err := trainer.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return trainer
}

func learned(t testing.TB, examples []Example, opts LearnOptions) Learned {
	t.Helper()
	got, err := train(t, examples).Learn(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// bestByForce finds the highest gain of all rules that would correct something by counting each of
// them over all tokens.
func bestByForce(tb *table, templates []template) int {
	type rule struct {
		template int
		values   values
		from, to Tag
	}
	gains := map[rule]int{}
	for i := range tb.tags {
		truth := &tb.truths[tb.gold[i]]
		if !tb.wrong(i) || !truth.given {
			continue
		}
		for k := range templates {
			if v, ok := templates[k].at(tb, i); ok {
				gains[rule{k, v, tb.tags[i], truth.want}]++
			}
		}
	}
	targets := map[rule][]Tag{} // by conditions
	for r := range gains {
		to := r.to
		r.to = 0
		targets[r] = append(targets[r], to)
	}
	for i := range tb.tags {
		truth := &tb.truths[tb.gold[i]]
		if tb.wrong(i) || truth.open {
			continue
		}
		for k := range templates {
			v, ok := templates[k].at(tb, i)
			for _, to := range targets[rule{k, v, tb.tags[i], 0}] {
				if ok && truth.cost[to] {
					gains[rule{k, v, tb.tags[i], to}]--
				}
			}
		}
	}
	most := 0
	for _, gain := range gains {
		most = max(most, gain)
	}
	return most
}

// Each rule is the best one when it is chosen, and its counts are correct.
func TestGreedyChoice(t *testing.T) {
	trainer, shadow := train(t, hospital(t, 5, 6)), train(t, hospital(t, 5, 6)).table
	text := strings.Join([]string{
		"lower[0]", "form[0] lower[-1]", "tag[-1] form[0]", "tag[-1] tag[1]", "tag[-2] lower[-1] form[0]", "pattern[0] tag[1]",
		"odds[0] form[0] tag[-3]",
	}, "\n")
	templates, err := parseTemplates(text, shadow.attributes)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := newLearner(trainer.table, templates, LearnOptions{MinGain: 3}).learn(t.Context())
	if err != nil || len(rules) < 5 {
		t.Fatalf("%d rules, error %v", len(rules), err)
	}
	for i, r := range rules {
		if most := bestByForce(shadow, templates); r.Gain() != most {
			t.Fatalf("rule %d gains %d, the best one %d: %s", i, r.Gain(), most, r)
		}
		again, err := shadow.run(r)
		if err != nil || again.Mended != r.Mended || again.Broken != r.Broken {
			t.Fatalf("rule %d: +%d -%d, error %v, counted again: %s", i, again.Mended, again.Broken, err, r)
		}
	}
	if left := bestByForce(shadow, templates); left >= 3 {
		t.Errorf("learning ended though a rule would gain %d", left)
	}
}

// A small table of candidates costs time, but changes no choice.
func TestBoundedMemoryLearnsTheSame(t *testing.T) {
	examples := hospital(t, 6, 8)
	free := learned(t, examples, LearnOptions{MinGain: 3, MaxRules: 40})
	tight := learned(t, examples, LearnOptions{MinGain: 3, MaxRules: 40, MaxCandidates: 500})
	for i, r := range free.Rules {
		if r.String() != tight.Rules[i].String() {
			t.Fatalf("rule %d is %s, with few candidates %s", i, r, tight.Rules[i])
		}
	}
}

// The rules running over notes give the tags that training ended with.
func TestRunsAsTrained(t *testing.T) {
	examples := hospital(t, 7, 10)
	trainer := train(t, examples)
	l, err := trainer.Learn(t.Context(), LearnOptions{MinGain: 3})
	if err != nil {
		t.Fatal(err)
	}
	if l.ErrorsAfter*4 > l.ErrorsBefore*3 {
		t.Errorf("%d errors became %d: want less than three quarters", l.ErrorsBefore, l.ErrorsAfter)
	}
	model, err := New("rules", l.Rules)
	if err != nil {
		t.Fatal(err)
	}
	var want []Tag
	for _, tag := range trainer.table.tags {
		if tag != edge {
			want = append(want, tag)
		}
	}
	for n, e := range examples {
		got, err := model.tag(t.Context(), e.Note)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.tags, want[:len(got.tags)]) {
			t.Fatalf("note %d: other tags than in training", n)
		}
		want = want[len(got.tags):]
	}
	quoteNoNames(t, l.Rules)
}

// quoteNoNames checks that learned rules quote only words that are not names.
func quoteNoNames(t *testing.T, rules []Rule) {
	t.Helper()
	for _, r := range rules {
		for _, c := range r.If {
			switch c.Attribute {
			case "lower", "stem", "section", "field":
				if !c.Edge && !ordinary(c.Value) {
					t.Errorf("a rule quotes what may be a name: %s", r)
				}
			}
		}
	}
}

func TestOrdinary(t *testing.T) {
	for text, want := range map[string]bool{
		"seen by": true, "january": true, ":": true, "00000": true, "12": true, "hospital": true,
		"smith": false, "kowalski": false, "vizirov": false, "1987": false, "seen smith": false,
	} {
		if got := ordinary(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTruth(t *testing.T) {
	names := func(t phi.Type) bool { return t.Class() == phi.ClassName }
	all := func(phi.Type) bool { return true }
	doctor, date := Begin(phi.Doctor), Begin(phi.Date)
	for _, c := range []struct {
		name, tag string
		marked    func(phi.Type) bool
		tagged    Tag
		wrong     bool
		given     bool
	}{
		{"right", "B-DOCTOR", all, doctor, false, true},
		{"wrong", "B-DOCTOR", all, Outside, true, true},
		{"begins instead of going on", "I-DOCTOR", all, doctor, true, true},
		{"unknown", "*", all, doctor, false, false},
		{"a class: any of its types", "B-NAME", all, doctor, false, false},
		{"a class: another one", "B-NAME", all, date, true, false},
		{"a class: none", "B-NAME", all, Outside, true, false},
		{"organisations", "I-ORG", all, Inside(phi.Hospital), false, false},
		{"outside", "O", all, date, true, true},
		{"outside, of what is not marked", "O", names, date, false, true},
		{"outside, of what is marked", "O", names, doctor, true, true},
	} {
		truth, ok := truthOf(c.tag, c.marked)
		if !ok || truth.cost[c.tagged] != c.wrong || truth.given != c.given {
			t.Errorf("%s: ok %v, wrong %v, given %v", c.name, ok, truth.cost[c.tagged], truth.given)
		}
	}
	for _, tag := range []string{"", "B", "B-", "X-DATE", "B-NOTHING"} {
		if _, ok := truthOf(tag, all); ok {
			t.Errorf("%q is taken for a tag", tag)
		}
	}
}

// Tokens with unknown tags teach nothing.
func TestUnknownTeachesNothing(t *testing.T) {
	examples := hospital(t, 8, 4)
	for i := range examples {
		for k, tag := range examples[i].Tags {
			if tag != "O" {
				examples[i].Tags[k] = "*"
			}
		}
	}
	l := learned(t, examples, LearnOptions{MinGain: 1})
	for _, r := range l.Rules[l.Initial:] {
		if r.To != Outside {
			t.Errorf("learned from nothing: %s", r)
		}
	}
}

func TestTrainerRefuses(t *testing.T) {
	if _, err := NewTrainer().Learn(t.Context(), LearnOptions{}); err == nil {
		t.Error("rules of no sentence")
	}
	note := &ensemble.Note{Text: "Seen by Dr. Moss."}
	if err := NewTrainer().Add(t.Context(), Example{Note: note, Tags: []string{"O"}}); err == nil {
		t.Error("one tag for six tokens")
	}
	if err := NewTrainer().Add(t.Context(), Example{Note: note, Tags: []string{"O", "O", "O", "O", "X", "O"}}); err == nil {
		t.Error("an unknown tag")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := train(t, hospital(t, 9, 1)).Learn(ctx, LearnOptions{MinGain: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: %v", err)
	}
}
