package main

import (
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"

	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// pieces are what is put into open notes: sentences, headers and signatures, and
// lists of people, places and numbers.
//
//go:embed pieces/*.txt
var pieceFiles embed.FS

func loadPieces() (*synth.Grammar, error) {
	folder, err := fs.Sub(pieceFiles, "pieces")
	if err != nil {
		return nil, err
	}
	g, err := synth.ParseGrammar(folder)
	if err != nil {
		return nil, fmt.Errorf("pieces: %w", err)
	}
	return g, nil
}

// alternative is one alternative of a root.
type alternative struct {
	root string
	at   int
}

// alternatives lists those of the roots with a prefix that are on one side of the
// split: one in twenty is held out, by what it says.
func alternatives(g *synth.Grammar, prefix string, side part) []alternative {
	var out []alternative
	for _, root := range g.Names(prefix) {
		for i, text := range g.Alternatives(root) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(text)) // a hash's Write never fails
			if (h.Sum64()>>9%20 == 0) == (side == heldOut) {
				out = append(out, alternative{root, i})
			}
		}
	}
	return out
}

// loadTemplates reads the grammar of the training templates, nil if the folder
// holds none.
func loadTemplates(dir string) (*synth.Grammar, error) {
	if files, err := fs.Glob(os.DirFS(dir), "*.txt"); err != nil || len(files) == 0 {
		return nil, err
	}
	return synth.ParseGrammar(os.DirFS(dir))
}

// filler fills templates.
type filler struct {
	h       *synth.Hospital
	grammar *synth.Grammar
}

// endless returns the indices 0 to n-1 in an order of chance, again and again.
func endless(rng *rand.Rand, n int) func() int {
	var order []int
	return func() int {
		if len(order) == 0 {
			order = rng.Perm(n)
		}
		i := order[0]
		order = order[1:]
		return i
	}
}

// snippets is a source of a grammar's alternatives.
func (f filler) snippets(rng *rand.Rand, name string, all []alternative) func() ([]sentence, error) {
	next := endless(rng, len(all))
	return func() ([]sentence, error) {
		a := all[next()]
		t, err := f.grammar.Template(a.root, a.at)
		if err != nil {
			return nil, err
		}
		return ofSnippet(name, f.h.Fill(rng, f.grammar, synth.Setting{}, t)), nil
	}
}

// notes is a source of the sentences of filled carriers.
func (f filler) notes(rng *rand.Rand, name string, all []carrier) func() ([]sentence, error) {
	next := f.whole(rng, all)
	return func() ([]sentence, error) {
		s, err := next()
		if err != nil {
			return nil, err
		}
		return ofSnippet(name, s), nil
	}
}

// whole is a source of filled carriers, some with a header or a signature.
func (f filler) whole(rng *rand.Rand, all []carrier) func() (synth.Snippet, error) {
	next := endless(rng, len(all))
	block := func(root string) (synth.Template, error) {
		return f.grammar.Template(root, rng.IntN(len(f.grammar.Alternatives(root))))
	}
	return func() (synth.Snippet, error) {
		c := all[next()]
		var parts []synth.Template
		body := c.template(rng, 3.5*rng.Float64())
		if rng.IntN(3) == 0 {
			head, err := block("head.block")
			if err != nil {
				return synth.Snippet{}, err
			}
			head.Text("\n\n")
			parts = append(parts, head)
		}
		parts = append(parts, body)
		if rng.IntN(3) == 0 {
			sign, err := block("sign.block")
			if err != nil {
				return synth.Snippet{}, err
			}
			var gap synth.Template
			gap.Text("\n\n")
			parts = append(parts, gap, sign)
		}
		return f.h.Fill(rng, f.grammar, synth.Setting{Sex: c.sex}, parts...), nil
	}
}
