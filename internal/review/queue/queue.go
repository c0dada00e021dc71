// Package queue draws rounds of review: at random, or those notes that a look at many of them says most about.
package queue

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
)

// Source lists notes.
type Source interface {
	// Frame passes all notes of a column that have a text, divided by columns.
	Frame(ctx context.Context, table, column string, by []string, each func(review.Candidate) error) error
	// Locate returns what the replica calls notes of the source; those that it does not have are left out, unless absent is
	// set.
	Locate(ctx context.Context, table, column string, keys [][]string, absent bool) ([]review.Item, error)
	// Doubts measures notes, in their order, and leaves out those that can't be searched.
	Doubts(ctx context.Context, table, column string, keys [][]string) ([]review.Doubts, error)
	// Sketches makes sketches of the sentences of notes, in their order, and leaves out notes that can't be searched.
	Sketches(ctx context.Context, table, column string, keys [][]string) ([]cluster.Note, error)
	// SetAside returns the notes that were set aside.
	SetAside(ctx context.Context) ([]review.Item, error)
}

// Store keeps rounds.
type Store interface {
	Draw(ctx context.Context, r review.Round, items []review.Item) (id int64, err error)
}

// Spec says what round is wanted.
type Spec struct {
	Name    string
	Kind    review.Kind
	Table   string   // schema.name, with notes
	Column  string   // the notes' column
	By      []string // columns that divide the notes; with ":year" the year of one
	Notes   int      // how many at most
	Among   int      // of how many, drawn at random, those that say most are taken; not for random rounds
	Readers int
	Seed    string
	DrawnBy string
	Over    map[string]float64 // strata of which more are drawn: how many times their share
	Claims  []review.Claim     // of a random round: what it is to prove
}

// ErrEmpty means that there is no note to review.
var ErrEmpty = &review.Refusal{Message: "there is no such note to review", Hint: "see 'pgdeid status', and which notes the mapping has"}

// Draw draws a round and stores it. It returns the round's number and how many notes it has.
func Draw(ctx context.Context, from Source, to Store, spec Spec) (id int64, notes int, err error) {
	items, design, err := choose(ctx, from, &spec)
	if err != nil {
		return 0, 0, err
	}
	if len(items) == 0 {
		return 0, 0, fault.New("draw a round of review", ErrEmpty, ErrEmpty.Hint)
	}
	id, err = to.Draw(ctx, review.Round{
		Name: spec.Name, Kind: spec.Kind, Readers: spec.Readers, Design: design, DrawnBy: spec.DrawnBy,
	}, items)
	return id, len(items), err
}

func choose(ctx context.Context, from Source, spec *Spec) ([]review.Item, review.Design, error) {
	switch spec.Kind {
	case review.Quarantine:
		items, err := from.SetAside(ctx)
		return items[:min(len(items), spec.Notes)], review.Design{Note: "what is set aside"}, err
	case review.Clusters:
		return clustered(ctx, from, spec)
	case review.Disagreement, review.Doubt, review.Rare:
		return doubtful(ctx, from, spec)
	default:
		d, err := sample(ctx, from, spec, spec.Notes)
		if err != nil {
			return nil, review.Design{}, err
		}
		d.design.Claims = spec.Claims
		items, err := d.locate(ctx, from, spec)
		return items, d.design, err
	}
}

// drawn is a sample.
type drawn struct {
	keys    [][]string
	design  review.Design
	stratum map[string]int // by key
}

// sample draws n notes at random, by stratum, and shuffles them: readers must not see stratum after stratum.
func sample(ctx context.Context, from Source, spec *Spec, n int) (*drawn, error) {
	sampler, seen := acceptance.NewSampler(spec.Seed, n), map[string]int64{}
	err := from.Frame(ctx, spec.Table, spec.Column, spec.By, func(c review.Candidate) error {
		id, err := json.Marshal(c.Key)
		label := strings.Join(c.Strata, " / ")
		seen[label]++
		sampler.Add(label, string(id))
		return err
	})
	if err != nil {
		return nil, err
	}
	list, err := sampler.Draw(n, spec.Over)
	if err != nil {
		return nil, fault.New("draw a sample", err, "")
	}
	d := &drawn{design: review.Design{Seed: spec.Seed}, stratum: map[string]int{}}
	index := map[string]int{}
	for _, one := range list { // in the order of the strata
		i, ok := index[one.Stratum]
		if !ok {
			i = len(d.design.Strata)
			index[one.Stratum] = i
			d.design.Strata = append(d.design.Strata, review.Stratum{Label: one.Stratum, Notes: seen[one.Stratum]})
		}
		d.design.Strata[i].Drawn++
		d.stratum[one.ID] = i
	}
	slices.SortFunc(list, func(a, b acceptance.Drawn) int {
		x, y := sha256.Sum256([]byte(spec.Seed+"\x00"+a.ID)), sha256.Sum256([]byte(spec.Seed+"\x00"+b.ID))
		return cmp.Or(bytes.Compare(x[:], y[:]), cmp.Compare(a.ID, b.ID))
	})
	for _, one := range list {
		var key []string
		if err := json.Unmarshal([]byte(one.ID), &key); err != nil {
			return nil, err
		}
		d.keys = append(d.keys, key)
	}
	return d, nil
}

// locate finds the notes of a sample in the replica. What the replica does not have is not counted as drawn.
func (d *drawn) locate(ctx context.Context, from Source, spec *Spec) ([]review.Item, error) {
	items, err := from.Locate(ctx, spec.Table, spec.Column, d.keys, false)
	if err != nil {
		return nil, err
	}
	for i := range d.design.Strata {
		d.design.Strata[i].Drawn = 0
	}
	for i := range items {
		id, err := json.Marshal(items[i].Key)
		if err != nil {
			return nil, err
		}
		items[i].Stratum = d.stratum[string(id)]
		d.design.Strata[items[i].Stratum].Drawn++
	}
	if gone := len(d.keys) - len(items); gone > 0 {
		d.design.Note = fmt.Sprintf("%d of the notes that were drawn are not in the replica and were left out", gone)
	}
	return items, nil
}

// doubtful draws the notes of a random sample that say most.
func doubtful(ctx context.Context, from Source, spec *Spec) ([]review.Item, review.Design, error) {
	d, err := sample(ctx, from, spec, max(spec.Among, spec.Notes))
	if err != nil {
		return nil, review.Design{}, err
	}
	measured, err := from.Doubts(ctx, spec.Table, spec.Column, d.keys)
	if err != nil {
		return nil, review.Design{}, err
	}
	weight := weigh(spec.Kind, measured)
	slices.SortStableFunc(measured, func(a, b review.Doubts) int { return cmp.Compare(weight(b), weight(a)) })
	var keys [][]string
	for _, m := range measured {
		if weight(m) > 0 && len(keys) < spec.Notes {
			keys = append(keys, m.Key)
		}
	}
	items, err := from.Locate(ctx, spec.Table, spec.Column, keys, false)
	note := fmt.Sprintf("the %d that say most of %d notes drawn at random: no figures about all notes follow from them",
		len(items), len(d.keys))
	return items, review.Design{Seed: spec.Seed, Note: note}, err
}

// weigh returns how much a note says, among those that were measured.
func weigh(kind review.Kind, among []review.Doubts) func(review.Doubts) float64 {
	switch kind {
	case review.Disagreement:
		return func(m review.Doubts) float64 { return float64(m.Alone) }
	case review.Rare:
		return rarity(among)
	default:
		return func(m review.Doubts) float64 { return float64(m.Nearly + m.Unsure) }
	}
}

// rarity returns how rare the forms of a note's lines are, on average, by the logarithm of their share among notes (inverse
// document frequency; Sparck Jones, Journal of Documentation 28, 1972).
func rarity(among []review.Doubts) func(review.Doubts) float64 {
	notes := map[uint64]int{}
	for _, m := range among {
		for _, form := range m.Layout {
			notes[form]++
		}
	}
	return func(m review.Doubts) float64 {
		sum := 0.0
		for _, form := range m.Layout {
			sum += math.Log(float64(len(among)) / float64(notes[form]))
		}
		return sum / float64(max(len(m.Layout), 1))
	}
}
