package harvest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func textsOf(list []Proposal) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.Text)
	}
	return out
}

func TestRunFindsExactlyWhatIsPrevalent(t *testing.T) {
	m := makeNotes(1, 3000)
	for name, opts := range map[string]Options{
		"enough counters": {},
		"few counters":    {Counters: 2500},
		"one worker":      {Workers: 1, Counters: 2500},
		"other numbers":   {Notes: 60, Patients: 40, Authors: 12},
		"no thresholds":   {Patients: -1, Authors: -1},
	} {
		opts.InNotes, opts.Top = rules(t), 10_000
		list, sum, err := Run(t.Context(), &memorySource{notes: m.notes}, opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := m.want(opts)
		if got := textsOf(list); len(want) < 20 || !slices.Equal(got, want) {
			t.Errorf("%s: %d sentences, want %d", name, len(got), len(want))
		}
		for _, p := range list {
			if p.Notes != int64(m.truth[p.Text].notes) {
				t.Errorf("%s: a sentence in %d notes counts %d", name, m.truth[p.Text].notes, p.Notes)
			}
		}
		if sum.Lost >= int64(opts.withDefaults().Notes) || sum.Notes != 3000 || sum.Barred == 0 || sum.Proposed != len(list) {
			t.Errorf("%s: %+v", name, sum)
		}
		if few := opts.Counters != 0; few != (sum.Lost > 0) {
			t.Errorf("%s: %d lost", name, sum.Lost)
		}
	}
}

func TestRunTakesTheMostPrevalentAndClinicalOnes(t *testing.T) {
	m := makeNotes(2, 1500)
	opts := Options{InNotes: rules(t), Top: 10, Clinical: 7}
	list, _, err := Run(t.Context(), &memorySource{notes: m.notes}, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := m.want(opts)[:10]
	for _, s := range m.want(opts)[10:] {
		if len(want) < 17 && hasClinicalTerm(s) {
			want = append(want, s)
		}
	}
	if got := textsOf(list); !slices.Equal(got, want) || len(want) != 17 {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Wherever a run is stopped, the next one resumes, and the result is that of an uninterrupted run.
func TestRunGoesOn(t *testing.T) {
	m := makeNotes(3, 1200)
	opts := Options{InNotes: rules(t), Counters: 1500, Top: 10_000, Every: time.Nanosecond, Notes: 15}
	want, sum, err := Run(t.Context(), &memorySource{notes: m.notes}, opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.State = filepath.Join(t.TempDir(), "state")
	stopped := errors.New("stopped")
	for _, stops := range [][]int{{1}, {0, 23, 24}, {5, 20, 30, 47}} {
		batches := 0
		src := &memorySource{notes: m.notes, fail: func(int) error {
			if batches++; len(stops) > 0 && batches == stops[0]+1 {
				stops = stops[1:]
				return stopped
			}
			return nil
		}}
		got, again, err := Run(t.Context(), src, opts)
		for errors.Is(err, stopped) {
			got, again, err = Run(t.Context(), src, opts)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(textsOf(got), textsOf(want)) || again != sum || len(want) == 0 {
			t.Errorf("%+v, want %+v", again, sum)
		}
		if batches > 48+10*len(m.notes)/50 {
			t.Errorf("%d batches were read", batches)
		}
		if err := Finish(opts.State); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunRefusesOtherStates(t *testing.T) {
	m := makeNotes(4, 200)
	opts := Options{InNotes: rules(t), State: filepath.Join(t.TempDir(), "state"), Notes: 5}
	if _, _, err := Run(t.Context(), &memorySource{notes: m.notes}, opts); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(opts.State)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("state: %v, %v", info, err)
	}
	if _, _, err := Run(t.Context(), &memorySource{notes: m.notes, name: "other"}, opts); !errors.Is(err, ErrOtherState) {
		t.Errorf("another source: %v", err)
	}
	other := opts
	other.Notes = 6
	if _, _, err := Run(t.Context(), &memorySource{notes: m.notes}, other); !errors.Is(err, ErrOtherState) {
		t.Errorf("other options: %v", err)
	}
	data, err := os.ReadFile(opts.State)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, len(magic), len(data) / 2, len(data) - 1} {
		bad := slices.Clone(data)
		bad[at] ^= 1
		if err := os.WriteFile(opts.State, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Run(t.Context(), &memorySource{notes: m.notes}, opts); !errors.Is(err, errState) {
			t.Errorf("byte %d is wrong: %v", at, err)
		}
	}
	for _, n := range []int{0, 10, len(data) - 1} {
		if err := os.WriteFile(opts.State, data[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Run(t.Context(), &memorySource{notes: m.notes}, opts); !errors.Is(err, errState) {
			t.Errorf("cut to %d: %v", n, err)
		}
	}
}

// finder finds PHI in every text that contains a word.
type finder struct{ word string }

func (f finder) Name() string { return "finder" }

func (f finder) Detect(_ context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	for _, tok := range note.View().Tokens {
		if note.Text[tok.Start:tok.End] == f.word {
			dst = append(dst, phi.Span{Start: tok.Start, End: tok.End, Type: phi.City})
		}
	}
	return dst, nil
}

func TestRunLeavesSuspectsToThePerson(t *testing.T) {
	m := makeNotes(5, 600)
	with := func(word string) *ensemble.Ensemble {
		e, err := ensemble.New(ensemble.Options{Members: []ensemble.Member{{Detector: finder{word}}, {Detector: ensembletest.Titles{}}}})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for name, opts := range map[string]Options{
		"in the notes": {InNotes: with("overnight")},
		"by itself":    {InNotes: rules(t), Alone: with("overnight")},
	} {
		opts.Notes, opts.Top = 8, 10_000
		var strict, suspect int
		list, _, err := Run(t.Context(), &memorySource{notes: m.notes}, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if len(wordsOf(p.Text, "overnight")) > 0 || p.Suspect {
				t.Errorf("%s: proposed: %v", name, p)
			}
			strict++
		}
		opts.Suspects = true
		if list, _, err = Run(t.Context(), &memorySource{notes: m.notes}, opts); err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			named := len(wordsOf(p.Text, "overnight"))+len(wordsOf(p.Text, "Rosewood")) > 0
			if p.Suspect != named {
				t.Errorf("%s: %v is suspect: %v", name, p, p.Suspect)
			}
			if p.Suspect {
				suspect++
			}
		}
		if suspect == 0 || len(list) != strict+suspect {
			t.Errorf("%s: %d without suspects, %d with %d", name, strict, len(list), suspect)
		}
	}
}

func wordsOf(s, word string) (found []string) {
	for _, tok := range text.Tokenize(s) {
		if w := s[tok.Start:tok.End]; w == word {
			found = append(found, w)
		}
	}
	return found
}

type failing struct{}

func (failing) Vote(context.Context, *ensemble.Note) (*ensemble.Ballot, error) {
	return nil, errors.New("of the patient Quarkstein")
}

func TestRunHidesWhatDetectorsSay(t *testing.T) {
	m := makeNotes(6, 100)
	_, _, err := Run(t.Context(), &memorySource{notes: m.notes}, Options{InNotes: failing{}, Notes: 2})
	if !errors.Is(err, errDetect) || errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, _, err := Run(t.Context(), &memorySource{}, Options{}); err == nil {
		t.Error("ran without detectors")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Run(ctx, &memorySource{notes: m.notes}, Options{InNotes: rules(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
