//go:build native

package onnx

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pgdeid/pgdeid/ensemble"
)

// Networks lists the networks that are open, in the order of their names.
func (r *Runtime) Networks() []Network {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Network
	for m := range r.models {
		list = append(list, Network{Name: m.name, Digest: hex.EncodeToString(m.kind.digest[:])})
	}
	slices.SortFunc(list, func(a, b Network) int { return cmp.Compare(a.Name+a.Digest, b.Name+b.Digest) })
	return list
}

// Waiting returns how many windows wait for a core.
func (r *Runtime) Waiting() int { return r.queue.waiting() }

// SendAway has windows run on another machine besides the cores of this one, at most places requests at a time, until ctx is
// done, the runtime is closed or the other machine fails. Whatever was not answered is run here.
func (r *Runtime) SendAway(ctx context.Context, places int, do Exchange) error {
	return r.queue.sendAway(ctx, places, do)
}

// Answer runs networks over windows that another process sent, and returns what they say. The cache is not asked: the
// sender has one.
func (r *Runtime) Answer(ctx context.Context, windows []byte) ([]byte, error) {
	byDigest := r.byDigest()
	batch, err := decodeWindows(windows, func(d digest) *kind {
		if m := byDigest[d]; m != nil {
			return m.kind
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	jobs := map[*Model][]*job{}
	results := make([]*scores, len(batch))
	for i, asked := range batch {
		asked.errand.out = &results[i]
		m := byDigest[asked.errand.of.digest]
		j := *asked
		j.errand = nil // what came from elsewhere goes no further
		j.answer = m.answerErrand(asked.errand)
		jobs[m] = append(jobs[m], &j)
	}
	g, ctx := errgroup.WithContext(ctx)
	for m, own := range jobs {
		g.Go(func() error { return m.runFor(ctx, own) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return encodeScores(batch), nil
}

// byDigest returns the open models. Two with the same digest say the same.
func (r *Runtime) byDigest() map[digest]*Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[digest]*Model{}
	for m := range r.models {
		all[m.kind.digest] = m
	}
	return all
}

// answerErrand reads what the network says of a window that another process sent.
func (m *Model) answerErrand(e *errand) func([]float32, *scratch) error {
	if !e.of.pieces {
		return m.wordAnswer(e.out, e.units)
	}
	core := window{start: len(m.frame.before) - e.first, to: len(e.places)}
	return m.pieceAnswer(e.out, core, e.places, e.units)
}

// runFor runs the jobs of another process.
func (m *Model) runFor(ctx context.Context, jobs []*job) error {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed {
		return ErrClosed
	}
	if err := m.wait(ctx, jobs); err != nil {
		return fmt.Errorf("model %s: %w", m.name, err)
	}
	return nil
}

// specimen is a made-up note with something of every kind in it.
const specimen = `Mr. Aldous Quillfeather, 64 years old, was seen by Dr. Imogen Wetherby at Larkmoor General on 12 March 2019.
He lives in Tarrowby and works as a roofer. Phone (212) 555-0148, MRN 4471902.
No chest pain, no dyspnea. Metoprolol 25 mg twice daily. Follow-up with WETHERBY, IMOGEN in six weeks.
`

// CompareAway has another machine run the networks over a made-up note and returns an error if it says something else than
// this one.
func (r *Runtime) CompareAway(ctx context.Context, do Exchange) error {
	for _, m := range r.byDigest() {
		if err := m.compareAway(ctx, do); err != nil {
			return fmt.Errorf("model %s: %w", m.name, err)
		}
	}
	return nil
}

func (m *Model) compareAway(ctx context.Context, do Exchange) error {
	batch, err := m.specimen()
	if err != nil {
		return err
	}
	answer, err := do(ctx, len(batch), encodeWindows(batch))
	if err != nil {
		return err
	}
	there, err := decodeScores(answer, batch)
	if err != nil {
		return err
	}
	here := make([]*job, len(batch))
	for i, j := range batch {
		own := *j
		own.errand = nil
		here[i] = &own
	}
	if err := m.runFor(ctx, here); err != nil {
		return err
	}
	for i, j := range batch {
		if !alike(*j.errand.out, there[i], len(m.labels.types)) {
			return ErrDiffers
		}
	}
	return nil
}

// specimen returns the windows of the made-up note.
func (m *Model) specimen() ([]*job, error) {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed {
		return nil, ErrClosed
	}
	var batch []*job
	cut, w := newCutter(m.reader, &ensemble.Note{Text: specimen}, false, nil), m.newWorkspace()
	for cut.next() {
		for _, s := range cut.chunk.segments {
			jobs, err := m.ask(&question{}, slices.Clone(cut.chunk.units[s.start:s.end]), w)
			if err != nil {
				return nil, err
			}
			batch = append(batch, jobs...)
		}
	}
	return batch, nil
}
