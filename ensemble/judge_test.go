package ensemble

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// teller is a member that gives each word a probability, and counts what it was asked.
type teller struct {
	name  string
	typ   phi.Type
	says  map[string]float32
	asked *int // tokens
	err   error
}

func (m teller) Name() string      { return m.name }
func (m teller) Types() []phi.Type { return []phi.Type{m.typ} }

func (m teller) Detect(_ context.Context, _ *Note, dst []phi.Span) ([]phi.Span, error) {
	return dst, errors.New("a member that is combined was asked for spans")
}

func (m teller) Score(_ context.Context, note *Note, ask []phi.Range, dst *merge.Posterior) error {
	dst.Reset(m.Types())
	for i, t := range note.View().Tokens {
		if ask != nil && !slices.ContainsFunc(ask, func(r phi.Range) bool { return r.Start <= i && i < r.End }) {
			continue
		}
		if m.asked != nil {
			*m.asked++
		}
		if p := m.says[note.Text[t.Start:t.End]]; p > 0 {
			dst.Add(int32(i), false)[0] = p
		}
	}
	return m.err
}

func stages(gate merge.Gate) *merge.Settings {
	return &merge.Settings{Format: 1, Gate: gate, Stages: []merge.Stage{
		{Models: []string{"a"}, Weights: []float64{1}, Vocabulary: 3, Threshold: 0.5},
		{Models: []string{"a", "b"}, Weights: []float64{0.5, 0.5}, Vocabulary: 3, Threshold: 0.5},
		{Models: []string{"a", "b", "c"}, Weights: []float64{0.2, 0.2, 0.6}, Vocabulary: 3, Threshold: 0.5},
	}}
}

const judged = "Seen Moss today.\n\nFoley is out.\n\nNothing else to say here at all.\n\nCalled Abara."

// judgedBy returns an ensemble of three models, and how many tokens each was asked.
func judgedBy(t *testing.T, opts Options) (*Ensemble, *[3]int) {
	t.Helper()
	var asked [3]int
	for i, says := range []map[string]float32{
		{"Moss": 0.6, "Foley": 0.4, "Abara": 0.3}, {"Moss": 0.9, "Foley": 0.05, "Abara": 0.6}, {"Abara": 0.95, "Nothing": 0.9, "Moss": 0.9},
	} {
		name := string(rune('a' + i))
		opts.Members = append(opts.Members, Member{Detector: teller{name: name, typ: phi.Patient, says: says, asked: &asked[i]}, Model: name})
	}
	e, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return e, &asked
}

func TestGate(t *testing.T) {
	t.Parallel()
	all := len((&Note{Text: judged}).View().Tokens)
	for _, tt := range []struct {
		name string
		opts Options
		want string
		read func([3]int) bool
	}{
		{"off", Options{Merge: stages(merge.Gate{Low: 0.1, AgainLow: 0.2, AgainHigh: 0.8}), GateOff: true}, "Moss|Abara", func(n [3]int) bool { return n == [3]int{all, all, all} }},
		{"open", Options{Merge: stages(merge.Gate{Low: 0, AgainLow: 0, AgainHigh: 1})}, "Moss|Abara", func(n [3]int) bool { return n == [3]int{all, all, all} }},
		{"on", Options{Merge: stages(merge.Gate{Low: 0.1, AgainLow: 0.2, AgainHigh: 0.8})}, "Moss|Abara", func(n [3]int) bool { return n[0] == all && n[1] < all && n[1] > n[2] && n[2] > 0 }},
		{"shut", Options{Merge: stages(merge.Gate{Low: 1, AgainLow: 0.2, AgainHigh: 0.8})}, "Moss", func(n [3]int) bool { return n == [3]int{all, 0, 0} }},
	} {
		tt.opts.Detectors = []string{}
		e, asked := judgedBy(t, tt.opts)
		if got := strings.Join(foundBy(t, e, judged), "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if !tt.read(*asked) {
			t.Errorf("%s: %v of %d tokens were read", tt.name, *asked, all)
		}
	}
}

// The votes of all models give what the gated ensemble finds, and what it reads.
func TestBallotUnderAGate(t *testing.T) {
	t.Parallel()
	for _, gate := range []merge.Gate{{}, {AgainHigh: 1}, {Low: 0.1, AgainLow: 0.2, AgainHigh: 0.8}, {Low: 0.35, AgainHigh: 0.5}, {Low: 1}} {
		for _, bias := range []float64{-2, 0, 1} {
			opts := Options{Detectors: []string{}, Merge: stages(gate), Bias: merge.Bias{All: bias}}
			e, asked := judgedBy(t, opts)
			note := &Note{Text: judged}
			want, err := e.Detect(t.Context(), note)
			if err != nil {
				t.Fatal(err)
			}
			read := *asked
			ballot, err := e.Vote(t.Context(), note)
			if err != nil {
				t.Fatal(err)
			}
			if err := ballot.ReadAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, simulated := ballot.Under(e)
			if diff := cmp.Diff(want, got); diff != "" || !slices.Equal(simulated, read[:]) {
				t.Errorf("gate %+v, bias %v: read %v, want %v\n%s", gate, bias, simulated, read, diff)
			}
		}
	}
}

func TestPartOfTheModels(t *testing.T) {
	t.Parallel()
	e, _ := judgedBy(t, Options{Detectors: []string{}, Merge: stages(merge.Gate{})})
	b, err := e.Vote(t.Context(), &Note{Text: judged})
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[phi.Votes]string{0b001: "Moss", 0b010: "Moss|Abara", 0b011: "Moss", 0b100: "Moss|Nothing|Abara", 0: ""} {
		var got []string
		spans, err := b.Spans(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spans {
			got = append(got, judged[s.Start:s.End])
			if s.By&^part != 0 {
				t.Errorf("part %b: a span by %b", part, s.By)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("part %b: %q, want %q", part, got, want)
		}
	}
}

// against speaks against some words.
type against map[string]bool

func (a against) Against(note *Note, token int) float32 {
	t := note.View().Tokens[token]
	if a[note.Text[t.Start:t.End]] {
		return 1
	}
	return 0
}

// Vocabulary lowers what one model finds, and neither what two find nor what is known.
func TestVocabularyIsAVoice(t *testing.T) {
	t.Parallel()
	opts := Options{Detectors: []string{"record"}, Merge: stages(merge.Gate{AgainHigh: 1}), Vocabulary: against{"Moss": true, "Abara": true, "Nothing": true}}
	e, _ := judgedBy(t, opts)
	find := func(note *Note) string {
		b, err := e.Vote(t.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		spans, err := b.Spans(t.Context(), e.Members()&^0b0110) // the third model and the record
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range spans {
			got = append(got, judged[s.Start:s.End])
		}
		return strings.Join(got, "|")
	}
	if got := find(&Note{Text: judged}); got != "" {
		t.Errorf("one model alone: %q", got)
	}
	known := &Note{Text: judged, Patient: record.NewGazetteer(record.Record{record.NameLast: {"Abara"}})}
	if got := find(known); got != "Abara" {
		t.Errorf("with the record: %q", got)
	}
	if got := strings.Join(foundBy(t, e, judged), "|"); got != "Moss|Abara" {
		t.Errorf("all models: %q", got)
	}
}

// What the record knows is found however the models vote and whatever the bias is.
func TestRecordIsAlwaysKept(t *testing.T) {
	t.Parallel()
	for _, bias := range []float64{-10, 0, 10} {
		e, _ := judgedBy(t, Options{Merge: stages(merge.Gate{Low: 0.1, AgainLow: 0.2, AgainHigh: 0.8}), Bias: merge.Bias{All: bias}})
		note := &Note{Text: "Zorva Quillan was here, 02/20/2087. " + judged, Patient: record.NewGazetteer(record.Record{record.NameFirst: {"Zorva"}, record.NameLast: {"Quillan"}})}
		spans, err := e.Detect(t.Context(), note)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(spans, func(s phi.Span) bool { return s.Start == 0 && s.End >= 13 && s.Type == phi.Patient }) {
			t.Errorf("bias %v: %v", bias, spans)
		}
	}
}

func TestJudgeRefuses(t *testing.T) {
	t.Parallel()
	var members []Member
	for i := range merge.MaxModels + 1 {
		members = append(members, Member{Detector: teller{name: fmt.Sprint("m", i), typ: phi.Patient}})
	}
	if _, err := New(Options{Members: members}); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("%v", err)
	}
	if _, err := New(Options{Members: members[:1], Aggregation: merge.ByCombination, Threshold: 2}); err == nil || !strings.Contains(err.Error(), "counts no votes") {
		t.Errorf("%v", err)
	}
	broken, err := New(Options{Members: []Member{{Detector: teller{name: "broken", typ: phi.Patient, err: errors.New("boom")}}}})
	if err != nil {
		t.Fatal(err)
	}
	if spans, err := broken.Detect(t.Context(), &Note{Text: judged}); err == nil || spans != nil || !strings.Contains(err.Error(), "detector broken: boom") {
		t.Errorf("%v, %v", spans, err)
	}
	rules, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rules.WithMerge(merge.Default(), merge.Bias{}, false); err == nil || rules.Models() != nil {
		t.Error("rules have weights")
	}
}
