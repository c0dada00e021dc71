package crf

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/features"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// columns returns the types that the member reports, and the index of each of the model's types
// among them.
func (d *member) columns() (reported []phi.Type, column []int) {
	for k, t := range d.model.labels.out {
		if d.wanted[k] && !slices.Contains(reported, t) {
			reported = append(reported, t)
		}
	}
	slices.Sort(reported)
	for k, t := range d.model.labels.out {
		column = append(column, -1)
		if d.wanted[k] {
			column[k] = slices.Index(reported, t)
		}
	}
	return reported, column
}

// Types implements [ensemble.Scorer].
func (d *member) Types() []phi.Type { return d.reported }

// Score implements [ensemble.Scorer]: marginal probabilities, of whole sentences.
func (d *member) Score(ctx context.Context, note *ensemble.Note, ask []phi.Range, dst *merge.Posterior) error {
	dst.Reset(d.reported)
	w, _ := d.idle.Get().(*worker)
	if w == nil {
		w = &worker{}
	}
	defer d.idle.Put(w)
	sheet, err := features.New(ctx, note, d.model.templates.options())
	if err != nil {
		return err
	}
	asked := asked{ranges: ask, all: ask == nil}
	toks, first := note.View().Tokens, 0
	for _, r := range note.View().Sentences() {
		last := first
		for last < len(toks) && toks[last].Start < r.End {
			last++
		}
		for from := first; from < last; from += core {
			to := min(from+core, last)
			if !asked.any(from, to) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			start := max(first, from-margin)
			w.marginals(d, sheet, start, min(last, to+margin))
			for i := from; i < to; i++ {
				if asked.any(i, i+1) {
					w.report(d, i, i-start, dst)
				}
			}
		}
		first = last
	}
	return ctx.Err()
}

// asked iterates over the requested ranges of tokens, which are sorted.
type asked struct {
	ranges []phi.Range
	all    bool
}

// any reports whether a range has a requested token. Ranges must not go back.
func (a *asked) any(from, to int) bool {
	if a.all {
		return true
	}
	for len(a.ranges) > 0 && a.ranges[0].End <= from {
		a.ranges = a.ranges[1:]
	}
	return len(a.ranges) > 0 && a.ranges[0].Start < to
}

// marginals computes those of tokens [from, to). Scores so far apart that no sequence of labels is
// left have none: then the labels of the best path get probability 1.
func (w *worker) marginals(d *member, sheet *features.Sheet, from, to int) {
	w.rows = sheet.Rows(w.rows[:0], from, to)
	scores := w.scorer.score(d.model, w.rows)
	if d.biased {
		d.addBias(scores)
	}
	w.sure = !w.lattice.forward(d.model.soft, scores, to-from, nil)
	if !w.sure {
		w.lattice.backward(d.model.soft)
		return
	}
	w.labels = grown(w.labels, to-from)
	w.viterbi.path(d.model.links, scores, w.labels)
}

// report adds token i, the t-th of the window, unless it is certainly not PHI.
func (w *worker) report(d *member, i, t int, dst *merge.Posterior) {
	if w.sure {
		if label := int(w.labels[t]); label > 0 && d.wanted[d.model.labels.typeOf(label)] {
			dst.Add(int32(i), d.model.labels.begins(label))[d.column[d.model.labels.typeOf(label)]] = 1
		}
		return
	}
	if 1-w.lattice.marginal(t, 0) < merge.Least {
		return
	}
	total, best, top, first := 0.0, -1, 0.0, false
	w.types = grown(w.types, len(d.reported))
	clear(w.types)
	for k, c := range d.column {
		if c < 0 {
			continue
		}
		begin, inside := w.lattice.marginal(t, d.model.labels.begin(k)), w.lattice.marginal(t, d.model.labels.inside(k))
		w.types[c] += begin + inside
		if total += begin + inside; begin+inside > top {
			best, top, first = k, begin+inside, begin > inside
		}
	}
	if best >= 0 && total >= merge.Least {
		row := dst.Add(int32(i), first)
		for c, p := range w.types {
			row[c] = float32(min(p/max(total, 1), 1))
		}
	}
}
