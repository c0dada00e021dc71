//go:build native

package onnx

import (
	"context"
	"fmt"
	"hash"
)

// workspace is what one call of Detect works with.
type workspace struct {
	hash    hash.Hash // nil without a cache
	buf     []byte
	line    line
	results []*scores   // by segment of the chunk
	first   map[key]int // segments of the chunk that are being computed
	same    [][2]int    // segments, and those with the same content
	missing []question
}

// question is a segment whose scores the network has to say.
type question struct {
	segment int
	key     key
	parts   []*scores // by window
}

func (m *Model) newWorkspace() *workspace {
	w := &workspace{first: map[key]int{}}
	if m.cache != nil {
		w.hash = m.cache.hash()
	}
	return w
}

// infer finds the scores of all segments of a chunk and leaves them in w.results. When
// ctx is done it returns at once; what a network still runs over then belongs to its
// runner alone.
func (m *Model) infer(ctx context.Context, c *chunk, w *workspace) error {
	m.use.RLock()
	defer m.use.RUnlock()
	if m.closed {
		return ErrClosed
	}
	m.lookUp(c, w)
	var jobs []*job
	for i := range w.missing {
		q := &w.missing[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		s := c.segments[q.segment]
		more, err := m.ask(q, c.units[s.start:s.end], w)
		if err != nil {
			return err
		}
		jobs = append(jobs, more...)
	}
	if err := m.wait(ctx, jobs); err != nil {
		return err
	}
	for _, q := range w.missing {
		w.results[q.segment] = joinWindows(q.parts, len(m.labels.types))
		if m.cache != nil {
			m.cache.put(q.key, w.results[q.segment])
		}
	}
	for _, pair := range w.same {
		w.results[pair[0]] = w.results[pair[1]]
	}
	return nil
}

// lookUp takes from the cache what is there and lists what is missing, each content
// once.
func (m *Model) lookUp(c *chunk, w *workspace) {
	w.results = zeroed(w.results, len(c.segments))
	w.missing, w.same = w.missing[:0], w.same[:0]
	clear(w.first)
	m.sentences.Add(uint64(len(c.segments)))
	if m.cache == nil {
		for i := range c.segments {
			w.missing = append(w.missing, question{segment: i})
		}
		return
	}
	hits := uint64(0)
	for i, s := range c.segments {
		k := keyOf(w.hash, c.units[s.start:s.end], m.tok != nil, m.reader.features, &w.buf)
		if found, ok := m.cache.get(k); ok {
			w.results[i] = found
			hits++
		} else if j, ok := w.first[k]; ok {
			w.same = append(w.same, [2]int{i, j})
			hits++
		} else {
			w.first[k] = i
			w.missing = append(w.missing, question{segment: i, key: k})
		}
	}
	m.hits.Add(hits)
}

// wait puts jobs into the queue and waits for their answers.
func (m *Model) wait(ctx context.Context, jobs []*job) error {
	if len(jobs) == 0 {
		return ctx.Err()
	}
	t := newTicket(m.name, len(jobs), &m.jobs)
	for _, j := range jobs {
		j.net, j.ticket = m.net, t
	}
	m.windows.Add(uint64(len(jobs)))
	m.jobs.Add(len(jobs))
	if err := m.runtime.queue.put(jobs); err != nil {
		m.jobs.Add(-len(jobs))
		return err
	}
	select {
	case <-t.done:
		t.gone.Store(t.err != nil)
		return t.err
	case <-ctx.Done():
		t.gone.Store(true)
		return ctx.Err()
	}
}

// ask makes the jobs for a segment.
func (m *Model) ask(q *question, units []unit, w *workspace) ([]*job, error) {
	if m.tok != nil {
		return m.askPieces(q, units, w)
	}
	q.parts = make([]*scores, 1)
	j, err := m.wordJob(units)
	if err != nil {
		return nil, err
	}
	j.answer = m.wordAnswer(&q.parts[0], len(units))
	if len(units) <= maxWindow && weighs(units) <= maxErrand {
		j.errand = &errand{of: m.kind, units: len(units), out: &q.parts[0]}
	}
	return []*job{j}, nil
}

// wordJob makes the job of a network with a character front, but for its answer.
func (m *Model) wordJob(units []unit) (*job, error) {
	j := &job{length: len(units), rows: len(units), units: units}
	if m.speller == nil {
		return j, nil
	}
	var err error
	if j.ids, j.begins, err = m.speller.window(units); err != nil {
		return nil, fmt.Errorf("model %s: %w", m.name, err)
	}
	j.length = len(j.ids)
	return j, nil
}

// wordAnswer reads what a network with a character front says of a segment's units.
func (m *Model) wordAnswer(out **scores, units int) func([]float32, *scratch) error {
	return func(logits []float32, s *scratch) error {
		t := &s.tally
		t.reset(m.labels, units)
		if m.chain != nil {
			if err := t.readChain(m.chain, logits[:units*m.net.labels], &s.chain); err != nil {
				return err
			}
			*out = t.scores()
			return nil
		}
		for i := range units {
			first, err := t.read(logits[i*m.net.labels : (i+1)*m.net.labels])
			if err != nil {
				return err
			}
			t.add(i, i+1, first)
		}
		*out = t.scores()
		return nil
	}
}

// askPieces cuts a segment into wordpieces and these into windows.
func (m *Model) askPieces(q *question, units []unit, w *workspace) ([]*job, error) {
	l := &w.line
	l.set(units)
	if l.blind() {
		q.parts = []*scores{{}}
		return nil, nil
	}
	enc, err := m.tok.Encode(string(l.text), false)
	if err != nil {
		return nil, err
	}
	if err := l.covered(enc.Offsets); err != nil {
		return nil, err
	}
	places := make([][2]int, len(enc.Offsets))
	for i, o := range enc.Offsets {
		places[i][0], places[i][1] = l.unitsAt(o[0], o[1])
	}
	cuts := windows(len(enc.IDs), m.window)
	q.parts = make([]*scores, len(cuts))
	jobs := make([]*job, len(cuts))
	for i, cut := range cuts {
		ids := m.frame.in(enc.IDs[cut.start:cut.end])
		jobs[i] = &job{
			length: len(ids), rows: len(ids), ids: ids, answer: m.pieceAnswer(&q.parts[i], cut, places, len(units)),
			errand: &errand{of: m.kind, units: len(units), first: m.firstRow(cut), places: places[cut.from:cut.to], out: &q.parts[i]},
		}
	}
	return jobs, nil
}

// firstRow returns the row of logits in which a window's core begins.
func (m *Model) firstRow(cut window) int { return cut.from - cut.start + len(m.frame.before) }

// pieceAnswer reads the core of a window: where each wordpiece belongs to the units
// [from, to) of places.
func (m *Model) pieceAnswer(out **scores, cut window, places [][2]int, units int) func([]float32, *scratch) error {
	return func(logits []float32, s *scratch) error {
		t := &s.tally
		t.reset(m.labels, units)
		for p := cut.from; p < cut.to; p++ {
			row := p - cut.from + m.firstRow(cut)
			first, err := t.read(logits[row*m.net.labels : (row+1)*m.net.labels])
			if err != nil {
				return err
			}
			t.add(places[p][0], places[p][1], first)
		}
		*out = t.scores()
		return nil
	}
}
