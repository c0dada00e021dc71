package merge

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// absent is the probability of a type at a token that a posterior leaves out.
const absent = Least / 4

// Pool combines the posteriors of a model's members: the log-odds of a type are the mean over the
// members that report it. A single posterior is returned unchanged.
func Pool(members []*Posterior) *Posterior {
	if len(members) == 1 {
		return members[0]
	}
	pool := &Posterior{}
	pool.Reset(typesOf(members))
	for w := newWalk(members); w.next(); {
		row := pool.Add(w.token, false)
		w.mean(pool.Types, row)
		pool.First[pool.Len()-1] = w.begins()
	}
	return pool
}

// typesOf returns the types that any member reports, in order.
func typesOf(members []*Posterior) []phi.Type {
	var types []phi.Type
	for _, m := range members {
		types = append(types, m.Types...)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// walk iterates over the tokens of several posteriors in parallel.
type walk struct {
	of    []*Posterior
	at    []int // the next entry of each
	entry []int // of each at token, -1 for none
	token int32
}

func newWalk(of []*Posterior) *walk {
	return &walk{of: of, at: make([]int, len(of)), entry: make([]int, len(of))}
}

// next advances to the next token present in any of them.
func (w *walk) next() bool {
	found := false
	for i, p := range w.of {
		if p != nil && w.at[i] < p.Len() && (!found || p.Tokens[w.at[i]] < w.token) {
			w.token, found = p.Tokens[w.at[i]], true
		}
	}
	for i, p := range w.of {
		w.entry[i] = -1
		if found && p != nil && w.at[i] < p.Len() && p.Tokens[w.at[i]] == w.token {
			w.entry[i] = w.at[i]
			w.at[i]++
		}
	}
	return found
}

// mean fills a row with the means of the log-odds of each type.
func (w *walk) mean(types []phi.Type, row []float32) {
	total := 0.0
	for c, t := range types {
		z, n := 0.0, 0
		for i, p := range w.of {
			column := slices.Index(p.Types, t)
			if column < 0 {
				continue
			}
			q := absent
			if w.entry[i] >= 0 {
				q = max(float64(p.Row(w.entry[i])[column]), absent)
			}
			z += logOdds(q)
			n++
		}
		q := Probability(z / float64(n))
		if q <= absent*1.01 {
			q = 0
		}
		row[c] = float32(q)
		total += q
	}
	if total > 1 {
		for c := range row {
			row[c] = float32(float64(row[c]) / total)
		}
	}
}

// begins reports whether most of the probability at the token is from members for which an entity
// begins.
func (w *walk) begins() bool {
	balance := float32(0)
	for i, p := range w.of {
		if w.entry[i] < 0 {
			continue
		}
		for _, q := range p.Row(w.entry[i]) {
			if p.First[w.entry[i]] {
				balance += q
			} else {
				balance -= q
			}
		}
	}
	return balance > 0
}
