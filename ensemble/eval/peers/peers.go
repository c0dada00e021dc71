package peers

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Peer holds the predictions of another tool: spans, or texts with placeholders. It takes the
// place of an ensemble in eval.Run, so that both are scored by the same code. A prediction that is
// missing, does not fit its document or cannot be aligned is an error, or is counted and listed in
// the result's remarks.
type Peer struct {
	byID    map[string]prediction
	labels  corpus.Labels
	partial bool
	total   int // gold documents seen; used by one goroutine

	redacted, odd  atomic.Int64 // redacted texts; those with words that were not aligned
	lost, inserted atomic.Int64 // words of gold and of the redacted texts that were not aligned
	emptied        atomic.Int64 // placeholders that cover no word
}

// prediction is a tool's output for a document.
type prediction struct {
	text     string // "" if it came without
	marks    []peerMark
	redacted bool // text has placeholders; there are no marks
}

// peerMark is a range with an optional label: in code points of the gold text if points is true,
// otherwise in bytes of the prediction's text.
type peerMark struct {
	corpus.Mark
	points bool
	quoted *string // the quoted text of the range, if given
}

// Detect always fails: a peer has no detector.
func (p *Peer) Detect(context.Context, *ensemble.Note) ([]phi.Span, error) {
	return nil, errors.New("predictions of another tool go with documents, not with texts")
}

// Documents returns the gold documents for which there are predictions. A document without one is
// an error, or is skipped if partial predictions are allowed. Gold documents without id, duplicate
// ids, and predictions for unknown documents are errors.
func (p *Peer) Documents(gold iter.Seq2[score.Document, error]) iter.Seq2[score.Document, error] {
	return func(yield func(score.Document, error) bool) {
		seen := make(map[string]bool, len(p.byID))
		for doc, err := range gold {
			if err == nil {
				err = p.expect(doc.ID, seen)
			}
			if err != nil {
				yield(score.Document{}, err)
				return
			}
			p.total++
			if _, ok := p.byID[doc.ID]; ok && !yield(doc, nil) {
				return
			}
		}
		if known := countTrue(seen); known < len(p.byID) {
			yield(score.Document{}, fmt.Errorf("%d of %d predictions are for documents that the gold does not have: compare the ids", len(p.byID)-known,
				len(p.byID)))
		} else if known == 0 {
			yield(score.Document{}, errors.New("the gold has no document"))
		}
	}
}

// expect checks that a gold document has a prediction and marks it as seen.
func (p *Peer) expect(id string, seen map[string]bool) error {
	if id == "" {
		return errors.New("a gold document has no id, by which its prediction could be known")
	}
	if _, again := seen[id]; again {
		return fmt.Errorf("document %s comes twice in the gold", id)
	}
	_, ok := p.byID[id]
	seen[id] = ok
	if !ok && !p.partial {
		return fmt.Errorf("document %s has no prediction: add one, if only an empty list of spans, or say --partial", id)
	}
	return nil
}

func countTrue(m map[string]bool) int {
	n := 0
	for _, v := range m {
		if v {
			n++
		}
	}
	return n
}

// Found returns the predicted spans of a document, sorted and without overlap.
func (p *Peer) Found(doc *score.Document) ([]phi.Span, error) {
	pred, ok := p.byID[doc.ID]
	if !ok {
		return nil, errors.New("no prediction")
	}
	var spans []phi.Span
	var err error
	if pred.redacted {
		spans, err = p.aligned(doc, pred.text)
	} else {
		spans, err = p.marked(doc, pred)
	}
	if err != nil {
		return nil, err
	}
	return WithoutOverlap(spans), nil
}

// Remarks returns what a reader of the scores must know.
func (p *Peer) Remarks() []string {
	out := []string{"The predictions are another tool's; members, speed and what pgdeid knows of patients play no part."}
	if n := p.total - len(p.byID); n > 0 {
		out = append(out, fmt.Sprintf("%d of %d documents have no prediction and are left out of every figure.", n, p.total))
	}
	if p.redacted.Load() == 0 {
		return out
	}
	out = append(out, fmt.Sprintf("%d documents came as redacted text; placeholders without a label that says more have the type "+
		"of the gold they cover, so that scores by type and by entity flatter them.", p.redacted.Load()))
	if lost, inserted := p.lost.Load(), p.inserted.Load(); lost+inserted > 0 {
		out = append(out, fmt.Sprintf("In %d of these, %d words of the gold's text and %d of the redacted text could not be aligned; "+
			"such gold words count as not found.", p.odd.Load(), lost, inserted))
	}
	if n := p.emptied.Load(); n > 0 {
		out = append(out, fmt.Sprintf("%d placeholders cover no word of the gold's text.", n))
	}
	return out
}
