package crf

import (
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/features"
)

// settle applies the pending norms to all weights.
func (t *trainer) settle() {
	for i := range t.params {
		t.catchUp(&t.params[i])
	}
}

// keep saves the weights, restore restores them.
func (t *trainer) keep() {
	t.kept = grown(t.kept, len(t.params))
	for i := range t.params {
		t.kept[i] = t.params[i].weight
	}
	t.keptChain = t.chain.clone()
}

func (t *trainer) restore() {
	for i := range t.params {
		t.params[i].weight = t.kept[i]
	}
	t.chain = t.keptChain
}

// model returns a model of the weights that are not 0 when rounded.
func (t *trainer) model() (*Model, error) {
	var entries []entry
	type kept struct {
		key          uint64
		start, count int
	}
	var keys []kept
	for number, key := range t.set.keys {
		start := len(entries)
		for _, p := range t.params[t.starts[number]:t.starts[number+1]] {
			if w := math.Round(float64(p.weight) / quantum); w != 0 {
				entries = append(entries, entry{p.code, int16(max(math.MinInt16, min(math.MaxInt16, w)))})
			}
		}
		if len(entries) > start {
			keys = append(keys, kept{stored(key), start, len(entries) - start})
		}
	}
	table := newTable(len(keys), entries)
	distinct := 0
	for _, k := range keys {
		if table.find(k.key) == nil { // if two keys are stored as one, the first wins
			table.add(k.key, k.start, k.count)
			distinct++
		}
	}
	config := Config{ModelType: ModelType, Features: features.Version, Types: t.opts.Types, Templates: t.opts.Templates}
	return newModel(t.opts.Name, config, table, distinct, t.chain.rounded())
}

// rounded returns the loss on the held-out sentences with stored weights.
func (t *trainer) rounded(m *Model) float64 {
	t.chain = m.chain
	weights := make(map[uint64][]entry, m.keys)
	for _, s := range m.table.slots {
		if s.count > 0 {
			weights[s.key] = m.table.entries[s.start : s.start+s.count]
		}
	}
	for id, key := range t.set.keys {
		params := t.params[t.starts[id]:t.starts[id+1]]
		entries := weights[stored(key)]
		for i := range params {
			params[i].weight = 0
			if j := slices.IndexFunc(entries, func(e entry) bool { return e.code == params[i].code }); j >= 0 {
				params[i].weight = float32(entries[j].weight) * quantum
			}
		}
	}
	return t.loss(t.set.held)
}
