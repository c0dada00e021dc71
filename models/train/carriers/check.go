package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// checkGrammar prints what is wrong with the grammar, how many roots it has and
// the samples asked for.
func checkGrammar(o options, out io.Writer) error {
	g, err := synth.ParseGrammar(os.DirFS(o.grammar))
	if err != nil {
		return fmt.Errorf("%w\nslots: %s", err, strings.Join(synth.SlotNames(), " "))
	}
	for _, name := range g.Unused(o.root) {
		fmt.Fprintln(out, "never used:", name)
	}
	roots := g.Names(o.root)
	total := 0
	for _, root := range roots {
		n := len(g.Alternatives(root))
		total += n
		fmt.Fprintf(out, "%5d alternatives  %s\n", n, root)
	}
	fmt.Fprintf(out, "%d roots, %d alternatives\n", len(roots), total)
	if o.sample == 0 || total == 0 {
		return nil
	}
	return sample(o, g, roots, out)
}

// sample prints filled alternatives, PHI in brackets with its type.
func sample(o options, g *synth.Grammar, roots []string, out io.Writer) error {
	h, err := synth.NewHospital(o.seed, synth.Options{Patients: 500, Providers: 200, Sites: 60})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(o.seed, 1))
	for range o.sample {
		root := roots[rng.IntN(len(roots))]
		i := rng.IntN(len(g.Alternatives(root)))
		t, err := g.Template(root, i)
		if err != nil {
			return err
		}
		s := h.Fill(rng, g, synth.Setting{}, t)
		fmt.Fprintf(out, "\n--- %s %d\n%s\n", root, i+1, marked(s.Text, s.Spans))
	}
	return nil
}

// marked writes a text with its spans in brackets: "seen by [DOCTOR Ann Moss]".
func marked(text string, spans []phi.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		fmt.Fprintf(&b, "[%s %s]", s.Type, text[s.Start:s.End])
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}
