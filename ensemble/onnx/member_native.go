//go:build native

package onnx

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// member is a model as a member of the ensemble.
type member struct {
	model     *Model
	name      string
	decider   *decider
	normalize bool
	types     []phi.Type // that it reports
	takes     []int      // of the model's types, these
}

var _ ensemble.Scorer = (*member)(nil)

// Member returns a detector over the model, which is an [ensemble.Scorer] as well. Several
// members share it: a sentence that one of them has had looked at is answered to the others
// from the cache, if it is the same to them (normalised or not). A member may be used until
// the model is closed.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) {
	d := &member{model: m, name: opts.Name, normalize: opts.Normalize}
	if d.name == "" {
		d.name = m.name
	}
	var err error
	if d.decider, err = newDecider(m.labels.types, opts); err != nil {
		return nil, fmt.Errorf("member %s of model %s: %w", d.name, m.name, err)
	}
	d.takes, d.types = d.decider.columnsOf()
	return d, nil
}

// Name implements [ensemble.Detector] and [ensemble.Scorer].
func (d *member) Name() string { return d.name }

// Types implements [ensemble.Scorer].
func (d *member) Types() []phi.Type { return slices.Clone(d.types) }

// Detect implements [ensemble.Detector].
func (d *member) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	joined := newSpanner(d.decider, note, dst)
	err := d.read(ctx, note, nil, func(c *chunk, results []*scores) { d.join(joined, c, results) })
	if err != nil {
		return nil, err
	}
	return joined.dst, nil
}

// Score implements [ensemble.Scorer]. Of a network that reads sentences those with a word
// that is asked are read, of one that reads windows the words around it.
func (d *member) Score(ctx context.Context, note *ensemble.Note, ask []phi.Range, dst *merge.Posterior) error {
	dst.Reset(d.types)
	r := &recorder{dst: dst, known: len(d.decider.types), takes: d.takes, asked: asker{ask}}
	return d.read(ctx, note, ask, r.take)
}

// read hands to take what the network says of what is asked of a note; nil asks for all.
// The note goes through the network a chunk at a time, so that the memory it takes does not
// depend on its length.
func (d *member) read(ctx context.Context, note *ensemble.Note, ask []phi.Range, take func(*chunk, []*scores)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := text.Check(note.Text); err != nil {
		return err
	}
	if err := checkAsk(ask, len(note.View().Tokens)); err != nil {
		return err
	}
	cut, w := newCutter(d.model.reader, note, d.normalize, ask), d.model.newWorkspace()
	for cut.next() {
		if err := d.model.infer(ctx, &cut.chunk, w); err != nil {
			return err
		}
		take(&cut.chunk, w.results)
	}
	return nil
}

// join hands what the network says of a chunk to the spanner.
func (d *member) join(to *spanner, c *chunk, results []*scores) {
	types := len(d.decider.types)
	for i, s := range c.segments {
		found := results[i]
		for k, u := range found.units {
			if at := s.start + int(u); at >= s.from && at < s.to {
				to.add(c.units[at].token, found.probs[k*types:(k+1)*types], found.onPath(k), found.first[k])
			}
		}
		if s.last {
			to.flush()
		}
	}
}
