package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// heldOutDocuments is how many whole notes are written of each held-out text source.
const heldOutDocuments = 400

// trainingDocuments is how many whole notes are written of the training side.
const trainingDocuments = 800

// unknownLabel marks what may or may not be PHI: "UNKNOWN = ignore" in a file of
// labels leaves it out of every count.
const unknownLabel = "UNKNOWN"

// writeDocuments writes held-out texts as whole notes with gold spans, for pgdeid
// eval: sentences alone can't show what the whole ensemble does.
func (w *world) writeDocuments(dir string, rng *rand.Rand, h *synth.Hospital, report io.Writer) error {
	for _, source := range []struct {
		name  string
		texts []string
		lay   func(*rand.Rand, string) string
	}{{"mtsamples", w.notes[heldOut], restored}, {"acibench", w.visits, relaid}} {
		all, err := w.carriers(rng, source.texts, source.lay)
		if err != nil {
			return err
		}
		name := "notes-" + source.name + ".jsonl"
		n := min(heldOutDocuments, len(all))
		if err := writeNotes(filepath.Join(dir, name), n, filler{h, w.pieces}.whole(rng, all)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(report, "%-20s %6d notes\n", name, n)
	}
	return nil
}

// seedNotes parts the chance of the training notes from that of all else.
const seedNotes = 0x907e5

// writeTrainingDocuments writes texts of the training side as whole notes, with names of
// that side: for what learns from whole notes what an ensemble makes of them.
func (w *world) writeTrainingDocuments(dir string, report io.Writer) error {
	h, err := w.hospital(w.set.Seed^seedNotes, training)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(w.set.Seed, seedNotes))
	texts := slices.Clone(w.notes[training])
	rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	all, err := w.carriers(rng, texts[:min(len(texts), trainingDocuments)], restored)
	if err != nil {
		return err
	}
	const name = "notes-train.jsonl"
	if err := writeNotes(filepath.Join(dir, name), len(all), filler{h, w.pieces}.whole(rng, all)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(report, "%-20s %6d notes\n", name, len(all))
	return nil
}

func writeNotes(path string, n int, next func() (synth.Snippet, error)) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := corpus.NewMarkedLines(file)
	defer func() { err = errors.Join(err, out.Close(), file.Close()) }()
	for i := range n {
		s, err := next()
		if err != nil {
			return err
		}
		doc := corpus.Annotated{ID: fmt.Sprint(i + 1), Text: s.Text, Group: synth.GroupName(s.Group)}
		for _, x := range s.Spans {
			m := corpus.Mark{Start: x.Start, End: x.End, Label: x.Type.String(), Exact: true}
			if x.Type == phi.None {
				m.Label, m.Exact = unknownLabel, false
			}
			doc.Marks = append(doc.Marks, m)
		}
		if err := out.Write(doc); err != nil {
			return err
		}
	}
	return nil
}
