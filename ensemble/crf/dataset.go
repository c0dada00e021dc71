package crf

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/features"
)

// dataset is sentences with their features as numbered keys.
type dataset struct {
	keys        []features.Key // by number
	windows     []window       // by number of a key
	train, held []sentence
	report      Report
}

// window is the range of offsets of a key's features from the token that they describe.
type window struct{ from, to int8 }

// sentence is a sentence with the allowed labels.
type sentence struct {
	n       int
	numbers []uint32 // numbers of the keys of all tokens, token by token
	ends    []uint32 // by token: where its numbers end
	allowed []set
}

// at returns the numbers of a token's keys.
func (s *sentence) at(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.numbers[from:s.ends[i]]
}

// gather reads data in two passes, the second from memory: it counts keys, then numbers the
// frequent ones.
func gather(ctx context.Context, data iter.Seq2[corpus.Labelled, error], labels *labelSet, templates *templateSet,
	opts *TrainOptions,
) (*dataset, error) {
	g := &gatherer{labels: labels, templates: templates, opts: opts, counts: make([]uint8, 1<<sketchBits), numbers: map[features.Key]uint32{}}
	g.set.report.Sources = map[string]int{}
	var notes []corpus.Labelled
	tokens := 0
	for l, err := range data {
		if err != nil {
			return nil, err
		}
		if tokens += len(l.Tags); tokens > opts.MaxTokens {
			g.set.report.Cut = true
			break
		}
		if err := g.count(ctx, &l); err != nil {
			return nil, err
		}
		notes = append(notes, l)
	}
	rng := rand.New(rand.NewPCG(opts.Seed, 1))
	for i := range notes {
		if err := g.number(ctx, &notes[i], rng.Float64() < opts.HeldOut); err != nil {
			return nil, fmt.Errorf("note %d of the training data: %w", i+1, err)
		}
		notes[i] = corpus.Labelled{} // frees its memory
	}
	return &g.set, nil
}

// gatherer builds a dataset.
type gatherer struct {
	labels    *labelSet
	templates *templateSet
	opts      *TrainOptions
	counts    []uint8 // counts of keys, by hash
	numbers   map[features.Key]uint32
	set       dataset
	rows      []features.Row
}

// sketchBits is the size of the table that counts keys. Colliding keys count together, which
// admits a few rare ones.
const sketchBits = 24

func place(key features.Key) uint64 { return key >> (64 - sketchBits) }

// eachSentence calls do with each sentence's first and last token.
func eachSentence(note *ensemble.Note, do func(from, to int)) {
	toks, first := note.View().Tokens, 0
	for _, r := range note.View().Sentences() {
		last := first
		for last < len(toks) && toks[last].Start < r.End {
			last++
		}
		for ; first < last; first += core {
			do(first, min(first+core, last))
		}
		first = last
	}
}

func (g *gatherer) count(ctx context.Context, l *corpus.Labelled) error {
	sheet, err := features.New(ctx, l.Note, g.templates.options())
	if err != nil {
		return err
	}
	eachSentence(l.Note, func(from, to int) {
		g.rows = sheet.Rows(g.rows[:0], from, to)
		for i := range g.rows {
			for k := range g.templates.list {
				key := g.templates.list[k].key(g.rows, i)
				if c := &g.counts[place(key)]; key != 0 && *c < 255 {
					*c++
				}
			}
		}
	})
	return nil
}

// number adds a note's sentences to the set.
func (g *gatherer) number(ctx context.Context, l *corpus.Labelled, held bool) error {
	covers, err := corpus.CoverTypes(l.Covers)
	if err != nil {
		return err
	}
	sheet, err := features.New(ctx, l.Note, g.templates.options())
	if err != nil {
		return err
	}
	eachSentence(l.Note, func(from, to int) {
		s := sentence{n: to - from, ends: make([]uint32, 0, to-from)}
		s.allowed, err = g.labels.allowed(l.Tags[from:to], covers)
		if err != nil {
			return
		}
		g.rows = sheet.Rows(g.rows[:0], from, to)
		g.addKeys(&s, held)
		g.add(s, l.Source, held)
	})
	return err
}

// addKeys numbers the keys of rows. Keys that occur only in held-out sentences get no weight.
func (g *gatherer) addKeys(s *sentence, held bool) {
	for i := range g.rows {
		for k := range g.templates.list {
			key := g.templates.list[k].key(g.rows, i)
			if key == 0 || int(g.counts[place(key)]) < min(g.opts.MinCount, 255) {
				continue
			}
			number, known := g.numbers[key]
			if !known {
				if held {
					continue
				}
				number = uint32(len(g.set.keys))
				g.numbers[key] = number
				g.set.keys = append(g.set.keys, key)
				g.set.windows = append(g.set.windows, window{int8(g.templates.list[k].from), int8(g.templates.list[k].to)})
			}
			s.numbers = append(s.numbers, number)
		}
		s.ends = append(s.ends, uint32(len(s.numbers)))
	}
}

func (g *gatherer) add(s sentence, source string, held bool) {
	r := &g.set.report
	r.Sources[source]++
	if held {
		r.HeldOut++
		g.set.held = append(g.set.held, s)
		return
	}
	r.Sentences++
	r.Tokens += s.n
	g.set.train = append(g.set.train, s)
}
