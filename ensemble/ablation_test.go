package ensemble_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// capitals is a learned member that depends on all that a learned member may see: it takes
// words with a capital for names, more surely after what the records know, and less surely
// where it is asked about a part of the note.
type capitals struct {
	name string
	odds float32
}

func (c capitals) Name() string    { return c.name }
func (capitals) Types() []phi.Type { return []phi.Type{phi.Patient} }

func (c capitals) Score(ctx context.Context, note *ensemble.Note, ask []phi.Range, dst *merge.Posterior) error {
	dst.Reset(c.Types())
	for i, tok := range note.View().Tokens {
		asked := ask == nil || slices.ContainsFunc(ask, func(r phi.Range) bool { return r.Start <= i && i < r.End })
		if !asked || tok.Kind != text.Word || tok.Case != text.Title {
			continue
		}
		p := c.odds + 0.02*float32(tok.End-tok.Start)
		if len(note.Known.Record)+len(note.Known.Rules) > 0 {
			p += 0.2
		}
		if ask != nil {
			p -= 0.1
		}
		dst.Add(int32(i), false)[0] = min(p, 0.99)
	}
	return ctx.Err()
}

// Detect is what the member finds where it votes by spans.
func (c capitals) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	for _, tok := range note.View().Tokens {
		if tok.Kind == text.Word && tok.Case == text.Title && len(note.Known.Record)+len(note.Known.Rules) > 0 {
			dst = append(dst, phi.Span{Start: tok.Start, End: tok.End, Type: phi.Patient})
		}
	}
	return dst, ctx.Err()
}

// What is made of what members said is what an ensemble of these members finds by itself,
// whichever is left out: rules, the record that learned members see, or the model before a
// gate.
func TestBallotOfAPartIsThatPartsEnsemble(t *testing.T) {
	t.Parallel()
	outside := []ensemble.Member{
		{Detector: capitals{"cheap", 0.3}, Model: "cheap"},
		{Detector: capitals{"net", 0.45}, Model: "net"},
		{Detector: capitals{"net-too", 0.5}, Model: "net"},
	}
	settings := &merge.Settings{Format: 1, Gate: merge.Gate{Low: 0.4}, Stages: []merge.Stage{
		{Models: []string{"cheap"}, Weights: []float64{1}, Threshold: 0.5},
		{Models: []string{"cheap", "net"}, Weights: []float64{0.3, 0.7}, Threshold: 0.5},
	}}
	for name, opts := range map[string]ensemble.Options{
		"one vote":      {},
		"two votes":     {Threshold: 2},
		"probabilities": {Members: outside, Merge: settings},
		"their spans":   {Members: outside, Aggregation: merge.ByVote, Threshold: 2},
		"union":         {Members: outside, Aggregation: merge.ByUnion},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparePartsOf(t, opts)
		})
	}
}

func comparePartsOf(t *testing.T, opts ensemble.Options) {
	t.Helper()
	opts.Detectors = ensemble.DetectorNames()
	whole := newEnsemble(t, opts)
	texts := ensembletest.Texts()
	texts = slices.DeleteFunc(texts, func(odd ensembletest.Text) bool { return len(odd.Text) > 1500 })
	for part := phi.Votes(1); part <= whole.Members(); part += 3 {
		alone := newEnsemble(t, partOf(opts, whole, part))
		for _, odd := range texts {
			ballot, err := whole.Vote(t.Context(), ensembletest.Note(odd.Text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ballot.Spans(t.Context(), whole.Members()); err != nil {
				t.Fatal(err)
			}
			got, err := ballot.Spans(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			want, err := alone.Detect(t.Context(), ensembletest.Note(odd.Text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(phi.Span{}, "By"), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s, %v:\n%s", odd.Name, whole.Names(part), diff)
			}
			for _, s := range got {
				if s.By&^part != 0 {
					t.Fatalf("a span by %v in a part of %v", whole.Names(s.By), whole.Names(part))
				}
			}
		}
	}
}

// partOf returns the options of an ensemble of some members of another one.
func partOf(opts ensemble.Options, whole *ensemble.Ensemble, part phi.Votes) ensemble.Options {
	names := whole.Names(part)
	absent := func(name string) bool { return !slices.Contains(names, name) }
	opts.Detectors = slices.DeleteFunc(slices.Clone(opts.Detectors), absent)
	opts.Members = slices.DeleteFunc(slices.Clone(opts.Members), func(m ensemble.Member) bool { return absent(m.Name()) })
	opts.Threshold = min(opts.Threshold, len(names))
	return opts
}

func newEnsemble(t *testing.T, opts ensemble.Options) *ensemble.Ensemble {
	t.Helper()
	e, err := ensemble.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What members have said already is not asked again, and a part that sees other features is.
func TestBallotAsksEachQuestionOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	e := newEnsemble(t, ensemble.Options{
		Detectors: []string{"patterns"},
		Members:   []ensemble.Member{{Detector: counting{capitals{"net", 0.6}, &asked}, Model: "net"}},
	})
	b, err := e.Vote(t.Context(), &ensemble.Note{Text: "Zorva was seen on 02/20/2087."})
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		part phi.Votes
		want int
	}{{0b11, 1}, {0b11, 1}, {0b10, 2}, {0b01, 2}, {0b10, 2}, {0b11, 2}} {
		if _, err := b.Spans(t.Context(), tt.part); err != nil || asked != tt.want {
			t.Errorf("step %d: asked %d times, want %d, %v", i, asked, tt.want, err)
		}
	}
}

type counting struct {
	capitals
	asked *int
}

func (c counting) Score(ctx context.Context, note *ensemble.Note, ask []phi.Range, dst *merge.Posterior) error {
	*c.asked++
	return c.capitals.Score(ctx, note, ask, dst)
}
