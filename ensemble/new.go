package ensemble

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// builtin makes the members that need nothing but the note.
var builtin = []struct {
	name string
	make func() Detector
}{
	{"patterns", NewPatterns},
	{"record", NewRecord},
	{"directory", NewDirectory},
	{"templates", func() Detector { return NewTemplates(nil) }},
}

// DetectorNames lists the built-in members.
func DetectorNames() []string {
	names := make([]string, len(builtin))
	for i, b := range builtin {
		names[i] = b.name
	}
	return names
}

// Default returns the ensemble of all built-in members.
func Default() (*Ensemble, error) { return New(Options{}) }

// New returns an ensemble, or an error that says which option is wrong: an
// unknown detector is named together with the known ones.
func New(opts Options) (*Ensemble, error) {
	if err := lexicon.Load(); err != nil {
		return nil, err
	}
	names := opts.Detectors
	if names == nil {
		names = DetectorNames()
	}
	e := &Ensemble{stacker: opts.Stacker}
	for _, name := range names {
		d, err := newBuiltin(name)
		if err != nil {
			return nil, err
		}
		e.members = append(e.members, Member{Detector: d})
	}
	e.exact = e.Members()
	e.members = append(e.members, opts.Members...)
	e.learned = e.Members() &^ e.exact
	if err := e.validate(); err != nil {
		return nil, err
	}
	if err := e.aggregateBy(opts); err != nil {
		return nil, err
	}
	e.tagging = e.learned &^ e.judge.scorers()
	for i, m := range e.members {
		e.voters.Ranks[i], e.voters.Sources[i] = m.Priority, e.sourceOf(i)
	}
	return e, nil
}

func newBuiltin(name string) (Detector, error) {
	for _, b := range builtin {
		if b.name == name {
			return b.make(), nil
		}
	}
	return nil, fmt.Errorf("unknown detector %q (known: %s)", name, strings.Join(DetectorNames(), ", "))
}

func (e *Ensemble) validate() error {
	switch {
	case len(e.members) == 0:
		return fmt.Errorf("an ensemble needs at least one detector (known: %s)", strings.Join(DetectorNames(), ", "))
	case len(e.members) > merge.MaxVoters:
		return fmt.Errorf("%d detectors are too many: at most %d vote", len(e.members), merge.MaxVoters)
	}
	for i, d := range e.members {
		if slices.ContainsFunc(e.members[:i], func(o Member) bool { return o.Name() == d.Name() }) {
			return fmt.Errorf("detector %q is there twice", d.Name())
		}
	}
	return nil
}

// sourceOf returns the members of the same model as the i-th, itself among them.
func (e *Ensemble) sourceOf(i int) phi.Votes {
	source := phi.Votes(1) << i
	for j, m := range e.members {
		if m.Model != "" && m.Model == e.members[i].Model {
			source |= 1 << j
		}
	}
	return source
}

// aggregateBy sets how votes become spans.
func (e *Ensemble) aggregateBy(opts Options) error {
	way := opts.Aggregation
	if way == "" && opts.Threshold <= 1 || way == merge.ByCombination {
		var err error
		e.judge, err = e.newJudge(&opts)
		if err != nil {
			return err
		}
	}
	if way == "" && e.judge != nil {
		way = merge.ByCombination
	}
	switch way {
	case "", merge.ByVote:
		e.threshold = max(opts.Threshold, 1)
		if e.threshold > len(e.members) {
			return fmt.Errorf("threshold %d is more than the %d detectors there are", e.threshold, len(e.members))
		}
	case merge.ByUnion, merge.ByStacking, merge.ByCombination:
		if way == merge.ByCombination {
			e.threshold = 1
		}
		if opts.Threshold > 1 {
			return fmt.Errorf("threshold %d is for aggregation %s: %s counts no votes", opts.Threshold, merge.ByVote, opts.Aggregation)
		}
	default:
		return fmt.Errorf("unknown aggregation %q (known: %v)", opts.Aggregation, merge.Aggregations())
	}
	if (opts.Aggregation == merge.ByStacking) != (opts.Stacker != nil) {
		return errors.New("aggregation stacking needs a stacking model, and no other takes one")
	}
	return nil
}

// Members returns the set of all members of the ensemble.
func (e *Ensemble) Members() phi.Votes { return 1<<len(e.members) - 1 }

// Names returns the names of the members in a set of votes, in voting order.
func (e *Ensemble) Names(v phi.Votes) []string {
	var names []string
	for i, d := range e.members {
		if v&(1<<i) != 0 {
			names = append(names, d.Name())
		}
	}
	return names
}
