package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// seedHeldOut parts the chance of the held-out files from that of the others.
const seedHeldOut = 0x5eed

// heldOutFile is a file that models are measured on.
type heldOutFile struct {
	name string
	make func() ([]sentence, error)
}

// writeHeldOut writes the held-out files: texts, templates and names that no
// training file has.
func (w *world) writeHeldOut(dir string, report io.Writer) error {
	h, err := w.hospital(w.set.Seed^seedHeldOut, heldOut)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(w.set.Seed, seedHeldOut))
	files := []heldOutFile{
		{"heldout-hospital", func() ([]sentence, error) { return w.hospitalNotes() }},
		{"heldout-mtsamples", func() ([]sentence, error) { return w.heldOutNotes(rng, h, "mtsamples", w.notes[heldOut], restored) }},
		{"heldout-acibench", func() ([]sentence, error) { return w.heldOutNotes(rng, h, "aci-bench", w.visits, relaid) }},
		{"heldout-notes", func() ([]sentence, error) { return w.heldOutMarked(), nil }},
		{"dev-presidio", func() ([]sentence, error) { return loadDevelopment(w.data, "presidio-research", presidioTags) }},
		{"dev-handoff", func() ([]sentence, error) { return loadDevelopment(w.data, "handoff-phi", handoffTags) }},
	}
	if w.templates != nil {
		files = append(files, heldOutFile{"heldout-templates", func() ([]sentence, error) { return w.heldOutTemplates(rng, h) }})
	}
	for _, f := range files {
		all, err := f.make()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		have, phi := newSeen(1), 0
		var lines [][]byte
		for _, i := range rng.Perm(len(all)) {
			if len(lines) == w.set.HeldOut || have.enough(all[i]) {
				continue
			}
			w.known.add(all[i])
			line, err := encode(all[i])
			if err != nil {
				return err
			}
			if lines = append(lines, line); hasPHI(all[i]) {
				phi++
			}
		}
		fmt.Fprintf(report, "%-20s %6d sentences, %4.1f%% with PHI\n", f.name, len(lines), 100*float64(phi)/float64(max(len(lines), 1)))
		if err := writeLines(dir, f.name+".jsonl", forAll, lines); err != nil {
			return err
		}
	}
	return w.writeDocuments(dir, rng, h, report)
}

// hospitalNotes are notes of the synthetic hospital's own grammar, which training
// never sees, with held-out names.
func (w *world) hospitalNotes() ([]sentence, error) {
	lists := w.lists[heldOut]
	h, err := synth.NewHospital(w.set.Seed^seedHeldOut, synth.Options{Patients: 400, Providers: 200, Sites: 60, Notes: 400, Lists: &lists})
	if err != nil {
		return nil, err
	}
	var out []sentence
	for d := range h.Notes() {
		out = append(out, ofSnippet("hospital", synth.Snippet{Text: d.Text, Spans: d.Spans, Group: d.Group()})...)
	}
	return out, nil
}

// heldOutNotes fills texts that training never sees.
func (w *world) heldOutNotes(rng *rand.Rand, h *synth.Hospital, name string, texts []string,
	layOut func(*rand.Rand, string) string,
) ([]sentence, error) {
	all, err := w.carriers(rng, texts, layOut)
	if err != nil {
		return nil, err
	}
	return gather(filler{h, w.pieces}.notes(rng, name, all), len(all))
}

// heldOutMarked are whole notes that training never sees, as they are.
func (w *world) heldOutMarked() []sentence {
	var out []sentence
	for _, note := range w.marked[heldOut] {
		out = append(out, note.sentences("notes")...)
	}
	return out
}

// heldOutTemplates fills the alternatives that training never sees.
func (w *world) heldOutTemplates(rng *rand.Rand, h *synth.Hospital) ([]sentence, error) {
	all := alternatives(w.templates, "train.", heldOut)
	if len(all) == 0 {
		return nil, nil
	}
	return gather(filler{h, w.templates}.snippets(rng, "templates", all), 12*len(all))
}

// gather calls a source n times.
func gather(next func() ([]sentence, error), n int) ([]sentence, error) {
	var out []sentence
	for range n {
		s, err := next()
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return out, nil
}
