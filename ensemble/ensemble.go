package ensemble

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/pgdeid/pgdeid/ensemble/inclusion"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/site"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// Note is a text that is searched for PHI, with what is known of its patient. Its detectors
// share one [text.View], so a Note belongs to one goroutine at a time. It prints itself
// redacted.
type Note struct {
	// Text is valid UTF-8 without NUL; see [text.Check].
	Text string
	// Patient holds the identifiers of the note's patient, or nil.
	Patient *record.Gazetteer
	// Directory holds the names of staff and facilities of the site, or nil.
	Directory *record.Gazetteer
	// Known is what learned members are given as features, or nil. [Ensemble.Detect] sets
	// it before it runs them.
	Known *Known

	view  *text.View
	memos map[any]any // see [Memo]
}

// Known is what the members that learned nothing found in a note.
type Known struct {
	Record    []phi.Span // of "record": what the patient's record holds
	Directory []phi.Span // of "directory": staff and facilities
	Rules     []phi.Span // of "patterns": what exact rules found
}

// Detector is a member of the ensemble: it finds PHI in one note.
//
// Detect appends the spans it finds to dst and returns the extended slice. The
// spans it appends are within the text, not empty, start and end on rune
// borders, are sorted by start and do not overlap one another. Detect is a pure
// function of the note, is safe for use by several goroutines on different
// notes, returns ctx.Err() soon after ctx is done, and never panics, whatever
// the text. An error means that the note must not be published: an incomplete
// result is never returned as if it were whole. [ensembletest.Conform] checks
// all this.
type Detector interface {
	// Name is short, lower case and unique in an ensemble: "patterns".
	Name() string
	Detect(ctx context.Context, note *Note, dst []phi.Span) ([]phi.Span, error)
}

// Scorer is a member that gives the probabilities of types of PHI by token. Spans are made of
// those of all scorers together. A detector may be one as well.
type Scorer interface {
	// Name is that of the member, as [Detector.Name].
	Name() string
	// Types lists the types that the member reports, in the order of their constants.
	Types() []phi.Type
	// Score replaces what is in dst by the probabilities of the tokens that are asked:
	// ranges of token numbers, sorted and disjoint; nil asks for all of the note. It is a
	// pure function of the note and of what is asked, and fails as [Detector.Detect]
	// does: then dst holds nothing that may be used.
	Score(ctx context.Context, note *Note, ask []phi.Range, dst *merge.Posterior) error
}

// Options choose the members of an [Ensemble]. The zero value means all built-in
// members and a threshold of one vote.
type Options struct {
	// Detectors names the built-in members, in the order of their votes; nil means
	// all of [DetectorNames].
	Detectors []string
	// Members are further detectors, such as transformers. They vote after the
	// built-in ones.
	Members []Member
	// Aggregation says how votes become spans; "" means [merge.ByCombination] where members
	// give probabilities and Threshold is at most 1, and else [merge.ByVote].
	Aggregation merge.Aggregation
	// Threshold is how many members must agree on a range before it counts as PHI;
	// 0 means 1. Spans that a member is sure of count in any case. It belongs to
	// [merge.ByVote].
	Threshold int
	// Stacker decides if the aggregation is [merge.ByStacking], and is nil else.
	Stacker merge.Stacker

	// Merge says how [merge.ByCombination] weighs models; nil means all alike.
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
	// Model names the model behind the detector. Members of one model are one source:
	// they do not second one another's tentative spans. "" is a source of its own.
	Model string
}

// Ensemble runs its members over a note and makes one list of spans of what they find. It is
// immutable and safe for concurrent use.
type Ensemble struct {
	members   []Member
	exact     phi.Votes // built-in members
	learned   phi.Votes // members from outside
	tagging   phi.Votes // those of them that give spans
	judge     *judge    // combines members that give probabilities; nil if none do
	voters    merge.Voters
	threshold int             // of votes; 0: every vote counts, tentative ones too
	stacker   merge.Stacker   // or nil
	inclusion *inclusion.List // or nil
	site      *site.List      // or nil
}

// Detect returns the PHI of a note: spans in order that do not overlap, begin and end on rune
// borders and name in By the members that found them. It is a pure function of the note. It
// fails when the text is not fit (see [text.Check]) or a member fails; then nothing of the
// note may be published.
func (e *Ensemble) Detect(ctx context.Context, note *Note) ([]phi.Span, error) {
	if err := text.Check(note.Text); err != nil {
		return nil, err
	}
	r := e.newReading(note)

	// What needs no model: the patient's record, the directory, exact rules, templates.
	if err := r.find(ctx, e.exact); err != nil {
		return nil, err
	}

	// Learned members are given that as features. Some give spans,
	note.Known = e.knownOf(r.votes)
	if err := r.find(ctx, e.tagging); err != nil {
		return nil, err
	}

	// others probabilities: the cheap scorer reads everything, the networks the sentences
	// that the gate passes, which are those in doubt.
	for stage := range e.judge.stageCount() {
		ask, open := r.gate(stage)
		if !open {
			break
		}
		if err := r.score(ctx, stage, ask); err != nil {
			return nil, err
		}
	}

	// All probabilities make one decision on each token, and its spans are joined with
	// those that were found.
	spans := e.settle(note.View(), append(r.combine(), r.votes...))

	// Sentences that a person has verified are left alone, and phrases that are no PHI at the
	// site, unless the records match there.
	hits, err := r.recordHits(ctx)
	if err != nil {
		return nil, err
	}
	spans = e.inclusion.Apply(note.View(), spans, hits)
	return e.site.Apply(note.View(), spans, hits), ctx.Err()
}

// View returns the note's text with its tokens and what is known of its words.
func (n *Note) View() *text.View {
	if n.view == nil {
		n.view = text.NewView(n.Text)
	}
	return n.view
}

// Format prints a note's length and never its text.
func (n *Note) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "note[%d bytes]", len(n.Text)) }

// LogValue keeps the text out of logs.
func (n *Note) LogValue() slog.Value {
	return slog.StringValue(fmt.Sprintf("note[%d bytes]", len(n.Text)))
}
