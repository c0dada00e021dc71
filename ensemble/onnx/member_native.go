//go:build native

package onnx

import (
	"context"
	"fmt"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// member is a model as a member of the ensemble.
type member struct {
	model     *Model
	name      string
	decider   *decider
	normalize bool
}

// Member returns a detector over the model. Several members share it: a sentence that
// one of them has had looked at is answered to the others from the cache, if it is the
// same to them (normalised or not). A member may be used until the model is closed.
func (m *Model) Member(opts MemberOptions) (ensemble.Detector, error) {
	d := &member{model: m, name: opts.Name, normalize: opts.Normalize}
	if d.name == "" {
		d.name = m.name
	}
	var err error
	if d.decider, err = newDecider(m.labels.types, opts); err != nil {
		return nil, fmt.Errorf("member %s of model %s: %w", d.name, m.name, err)
	}
	return d, nil
}

// Name implements [ensemble.Detector].
func (d *member) Name() string { return d.name }

// Detect implements [ensemble.Detector]. The note goes through the network a chunk of
// sentences at a time, so that the memory it takes does not depend on its length.
func (d *member) Detect(ctx context.Context, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := ensemble.CheckText(note.Text); err != nil {
		return nil, err
	}
	cut := cutter{note: note, size: d.model.size, normalize: d.normalize}
	if d.model.tok != nil {
		cut.limit = maxUnit
	}
	joined, w := newSpanner(d.decider, note, dst), d.model.newWorkspace()
	for cut.next() {
		if err := d.model.infer(ctx, &cut.chunk, w); err != nil {
			return nil, err
		}
		d.join(joined, &cut.chunk, w.results)
	}
	return joined.dst, nil
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
