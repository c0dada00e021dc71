package ensemble

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// maxMembers is how many detectors fit into [phi.Votes].
const maxMembers = 32

// Options choose the members of an [Ensemble]. The zero value means all built-in
// members and a threshold of one vote.
type Options struct {
	// Detectors names the built-in members, in the order of their votes; nil means
	// all of [DetectorNames].
	Detectors []string
	// Members are further detectors, such as transformers. They vote after the
	// built-in ones.
	Members []Member
	// Aggregation says how votes become spans; "" means [ByCombination] where members give
	// probabilities and Threshold is at most 1, and else [ByVote].
	Aggregation Aggregation
	// Threshold is how many members must agree on a range before it counts as PHI;
	// 0 means 1. Spans that a member is sure of count in any case. It belongs to
	// [ByVote].
	Threshold int
	// Stacker decides if the aggregation is [ByStacking], and is nil else.
	Stacker Stacker

	// Merge says how [ByCombination] weighs models; nil means all alike, see package merge.
	Merge *merge.Settings
	// Bias moves its thresholds, above 0 for recall.
	Bias merge.Bias
	// Vocabulary speaks against clinical words, or is nil.
	Vocabulary Voice
	// GateOff lets every model read everything.
	GateOff bool
}

// Member is a detector that is put into an ensemble from outside.
type Member struct {
	Detector
	// Priority settles which type a word gets that several members tag: after the
	// order of the types themselves, the lower number comes first. Built-in members
	// have 0 and so come before the numbers of the main paper's Supplementary Table 1,
	// which counts from 1.
	Priority int
	// Model names the model behind the detector. Members of one model speak with one
	// voice: they do not second one another's tentative spans. "" is a source of its
	// own.
	Model string
}

// builtin makes the members that need nothing but the note.
var builtin = []struct {
	name string
	make func() Detector
}{
	{"patterns", NewPatterns},
	{"record", NewRecord},
	{"directory", NewDirectory},
	{templatesName, func() Detector { return NewTemplateDetector(nil) }},
}

// DetectorNames lists the built-in members.
func DetectorNames() []string {
	names := make([]string, len(builtin))
	for i, b := range builtin {
		names[i] = b.name
	}
	return names
}

// Ensemble runs its members over a note and makes one list of spans of their
// votes. It is immutable and safe for concurrent use.
type Ensemble struct {
	members   []Member
	threshold int     // 0: every vote counts, tentative ones too
	stacker   Stacker // or nil
	judge     *judge  // nil unless probabilities are combined
	// ranks are the members' priorities, by position.
	ranks ranks
	// learned are the members from outside.
	learned phi.Votes
	// known are the members that say what stands in the records.
	known phi.Votes
	// kin are, by position, the members of the same model.
	kin [maxMembers]phi.Votes
	// inclusion lists verified sentences; it may be nil.
	inclusion *Inclusion
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
	first := len(e.members)
	e.members = append(e.members, opts.Members...)
	e.learned = e.Members() &^ (1<<first - 1)
	if err := e.validate(); err != nil {
		return nil, err
	}
	if err := e.aggregateBy(opts); err != nil {
		return nil, err
	}
	for i, m := range e.members {
		if i < first && (m.Name() == "record" || m.Name() == "directory") {
			e.known |= 1 << i
		}
		e.ranks[i] = m.Priority
		e.kin[i] = e.kinOf(i)
	}
	return e, nil
}

// kinOf returns the members of the same model as the i-th, itself among them.
func (e *Ensemble) kinOf(i int) phi.Votes {
	kin := phi.Votes(1) << i
	for j, m := range e.members {
		if m.Model != "" && m.Model == e.members[i].Model {
			kin |= 1 << j
		}
	}
	return kin
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
	case len(e.members) > maxMembers:
		return fmt.Errorf("%d detectors are too many: at most %d vote", len(e.members), maxMembers)
	}
	for i, d := range e.members {
		if slices.ContainsFunc(e.members[:i], func(o Member) bool { return o.Name() == d.Name() }) {
			return fmt.Errorf("detector %q is there twice", d.Name())
		}
	}
	return nil
}

// Names spells out which members are in a set of votes, in voting order.
func (e *Ensemble) Names(v phi.Votes) []string {
	var names []string
	for i, d := range e.members {
		if v&(1<<i) != 0 {
			names = append(names, d.Name())
		}
	}
	return names
}

// Detect returns the PHI of a note: spans in order that do not overlap, start
// and end on rune borders and tell in By who found them. It fails when the text
// is not fit (see [text.Check]) or any member fails; then nothing of the note may
// be published. It is a pure function of the note.
func (e *Ensemble) Detect(ctx context.Context, note *Note) ([]phi.Span, error) {
	b, err := e.voteBySpans(ctx, note)
	if err != nil {
		return nil, err
	}
	votes := b.votes
	if e.judge != nil {
		combined, err := e.combine(ctx, b)
		if err != nil {
			return nil, err
		}
		votes = append(combined, votes...)
	}
	return b.settle(votes, e.threshold), ctx.Err()
}

// combine lets the models that give probabilities speak, each of what the ones before it
// leave in doubt, and makes spans of what they say.
func (e *Ensemble) combine(ctx context.Context, b *Ballot) ([]phi.Span, error) {
	h, err := e.judge.hear(b, func(k int, ask []phi.Range) (*merge.Posterior, error) {
		var said []*merge.Posterior
		for i, m := range e.members {
			if e.judge.models[k].members&(1<<i) == 0 {
				continue
			}
			p := &merge.Posterior{}
			if err := m.Detector.(Scorer).Score(ctx, b.note, ask, p); err != nil {
				return nil, fmt.Errorf("detector %s: %w", m.Name(), err)
			}
			said = append(said, p)
		}
		return merge.Pool(said), nil
	})
	if err != nil {
		return nil, err
	}
	return e.judge.spans(b.note, e.judge.verdicts(b, h)), nil
}
