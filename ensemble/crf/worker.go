package crf

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// worker labels one note at a time. It keeps its memory for the next note, but no content.
type worker struct {
	rows    []features.Row
	scorer  scorer
	viterbi viterbi
	lattice lattice
	labels  []uint8   // of the window
	phi     []float64 // of the window: the probability of PHI, where marginals decide
	spanner spanner
	types   []float64 // of a token: probabilities of the reported types
	sure    bool      // the window has a best path and no marginals
}

func (w *worker) detect(ctx context.Context, d *member, note *ensemble.Note, dst []phi.Span) ([]phi.Span, error) {
	sheet, err := features.New(ctx, note, d.model.templates.options())
	if err != nil {
		return nil, err
	}
	w.spanner.reset(d, note, dst)
	defer func() { w.spanner = spanner{} }()
	toks, first := note.View().Tokens, 0
	for _, r := range note.View().Sentences() {
		last := first
		for last < len(toks) && toks[last].Start < r.End {
			last++
		}
		for from := first; from < last; from += core {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := min(from+core, last)
			start := max(first, from-margin)
			w.window(d, sheet, start, min(last, to+margin))
			for i := from; i < to; i++ {
				w.spanner.add(i, int(w.labels[i-start]), w.phi[i-start])
			}
		}
		w.spanner.flush()
		first = last
	}
	return w.spanner.dst, nil
}

// window labels tokens [from, to).
func (w *worker) window(d *member, sheet *features.Sheet, from, to int) {
	w.rows = sheet.Rows(w.rows[:0], from, to)
	scores := w.scorer.score(d.model, w.rows)
	if d.biased {
		d.addBias(scores)
	}
	w.labels, w.phi = grown(w.labels, to-from), grown(w.phi, to-from)
	if d.marginal && w.posterior(d, scores) {
		return
	}
	for i := range w.phi {
		w.phi[i] = 1 // only the best path counts
	}
	w.viterbi.path(d.model.links, scores, w.labels)
}

func (d *member) addBias(scores []float32) {
	labels, types := d.model.labels.size(), len(d.bias)
	for at := 0; at < len(scores); at += labels {
		row := scores[at : at+labels]
		for k, b := range d.bias {
			row[1+k] += b
			row[1+types+k] += b
		}
	}
}

// posterior labels each token by its marginal probabilities. It reports whether they could be
// computed: scores so far apart that no sequence is left have none.
func (w *worker) posterior(d *member, scores []float32) bool {
	if !w.lattice.forward(d.model.soft, scores, len(w.labels), nil) {
		return false
	}
	w.lattice.backward(d.model.soft)
	before := -1
	for t := range w.labels {
		var k int
		k, w.phi[t] = w.decide(d, t)
		w.labels[t] = 0
		if k >= 0 {
			begin, inside := d.model.labels.begin(k), d.model.labels.inside(k)
			w.labels[t] = uint8(begin)
			if before == k && w.lattice.marginal(t, inside) >= w.lattice.marginal(t, begin) {
				w.labels[t] = uint8(inside)
			}
		}
		before = k
	}
	return true
}

// decide returns the type of token t, or -1, and the probability that reached the threshold: the
// token is PHI if the types with the common threshold reach it together, or another type its own;
// the likeliest of these is returned.
func (w *worker) decide(d *member, t int) (int, float64) {
	pool, best, top := 0.0, -1, 0.0
	own := false
	for k := range d.wanted {
		if !d.wanted[k] {
			continue
		}
		p := w.lattice.marginal(t, d.model.labels.begin(k)) + w.lattice.marginal(t, d.model.labels.inside(k))
		if d.thresholds[k] == 0 {
			pool += p
		} else if p < d.thresholds[k] {
			continue
		}
		if p > top {
			best, top, own = k, p, d.thresholds[k] > 0
		}
	}
	switch {
	case own:
		return best, top
	case pool >= d.threshold:
		return best, pool
	}
	return -1, 0
}
