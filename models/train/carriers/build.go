package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

// build writes all files of a folder.
func build(o options, set settings, report io.Writer) error {
	began := time.Now()
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	w, err := loadWorld(set)
	if err != nil {
		return err
	}
	w.known = wordList{}
	fmt.Fprintf(report, "data read in %.0f s\n", time.Since(began).Seconds())
	if err := w.writeHeldOut(o.out, report); err != nil {
		return err
	}
	if err := w.writeTrainingDocuments(o.out, report); err != nil {
		return err
	}
	words := newLanguage()
	for i := range set.Files {
		name := fmt.Sprintf("train-%d.jsonl", i+1)
		sources, err := w.sources(set.Seed + uint64(i)*1009)
		if err != nil {
			return err
		}
		if i == 0 {
			if err := w.language(words, sources); err != nil {
				return err
			}
		}
		fmt.Fprintln(report, name)
		lines, err := w.mixed(rand.New(rand.NewPCG(set.Seed+uint64(i), 3)), sources, set.Sentences, report)
		if err != nil {
			return err
		}
		if err := writeLines(o.out, name, forAll, lines); err != nil {
			return err
		}
		fmt.Fprintf(report, "  %d sentences after %.0f s\n", len(lines), time.Since(began).Seconds())
	}
	if err := w.writeLanguage(o.out, words); err != nil {
		return err
	}
	if err := writeLines(o.out, "lexicon.tsv", forAll, w.known.lines()); err != nil {
		return err
	}
	fmt.Fprintf(report, "lm.txt, words.txt: done after %.0f s\n", time.Since(began).Seconds())
	return nil
}

// language fills every open note once for the language model, and counts the words
// of a draw of everything else.
func (w *world) language(l *language, sources []source) error {
	passes := map[string]int{
		"mtsamples": len(w.notes[training]), "mts-dialog": len(w.dialogues[training]), "ccda": len(w.narratives),
		"templates": 6000, "lists": 500,
	}
	for _, s := range sources {
		all, err := gather(s.next, passes[s.name])
		if err != nil {
			return err
		}
		if s.name == "templates" || s.name == "lists" {
			for _, x := range all {
				l.words(x)
			}
			continue
		}
		l.text(all)
	}
	return nil
}
