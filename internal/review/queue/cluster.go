package queue

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
)

const (
	leastAlike = 3   // notes of a cluster
	mostAlike  = 200 // what one decision may change
)

// clustered draws clusters of sentences that are alike in a random sample: each is a note that leads it, with the others'.
func clustered(ctx context.Context, from Source, spec *Spec) ([]review.Item, review.Design, error) {
	d, err := sample(ctx, from, spec, max(spec.Among, spec.Notes))
	if err != nil {
		return nil, review.Design{}, err
	}
	notes, err := from.Sketches(ctx, spec.Table, spec.Column, d.keys)
	if err != nil {
		return nil, review.Design{}, err
	}
	items := []review.Item{}
	leads := map[review.Note]bool{} // a note is in a round once
	for _, c := range cluster.Find(notes, leastAlike, len(notes)) {
		if len(items) == spec.Notes {
			break
		}
		list, err := members(ctx, from, spec, notes, c)
		if err != nil {
			return nil, review.Design{}, err
		}
		if len(list) < leastAlike || leads[list[0].Item.Note] {
			continue
		}
		lead := list[0].Item
		lead.Alike = list
		leads[lead.Note] = true
		items = append(items, lead)
	}
	note := fmt.Sprintf("%d clusters of sentences that are alike in %d notes drawn at random: no figures about all notes follow from them",
		len(items), len(d.keys))
	return items, review.Design{Seed: spec.Seed, Note: note}, nil
}

// members finds the notes of a cluster in the replica.
func members(ctx context.Context, from Source, spec *Spec, notes []cluster.Note, c cluster.Cluster) ([]review.Alike, error) {
	at := map[string]*cluster.Sketch{}
	var keys [][]string
	for _, r := range c[:min(len(c), mostAlike)] {
		id, err := json.Marshal(notes[r.Note].Key)
		if err != nil {
			return nil, err
		}
		at[string(id)] = &notes[r.Note].Sentences[r.Sentence]
		keys = append(keys, notes[r.Note].Key)
	}
	items, err := from.Locate(ctx, spec.Table, spec.Column, keys, false)
	if err != nil {
		return nil, err
	}
	var list []review.Alike
	for _, it := range items {
		id, err := json.Marshal(it.Key)
		if err != nil {
			return nil, err
		}
		s := at[string(id)]
		list = append(list, review.Alike{Item: it, Start: s.Start, End: s.End, Words: s.Words})
	}
	return list, nil
}
