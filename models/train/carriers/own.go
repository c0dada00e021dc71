package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// buildOwn writes a site's own notes as training sentences: annotated.jsonl with the
// notes as they are and refilled, errors.jsonl with corrected sentences. Both files
// hold what the notes hold, so they are readable by their owner alone. The open data
// are used for names if they are there.
func buildOwn(o options, set settings, report io.Writer) error {
	if err := os.MkdirAll(o.out, 0o700); err != nil {
		return err
	}
	labels, err := readLabels(o.labels)
	if err != nil {
		return err
	}
	if o.annotated != "" {
		own, err := readOwn(o.annotated, "annotated", labels)
		if err != nil {
			return err
		}
		refilled, err := own.refill(set)
		if err != nil {
			return err
		}
		if err := writeOwn(o.out, "annotated.jsonl", append(own.sentences(), refilled...), report); err != nil {
			return err
		}
	}
	if o.errors != "" {
		own, err := readOwn(o.errors, "errors", labels)
		if err != nil {
			return err
		}
		return writeOwn(o.out, "errors.jsonl", slices.Repeat(own.sentences(), set.ErrorWeight), report)
	}
	return nil
}

// readLabels reads the meaning of labels from a file, if one is named.
func readLabels(path string) (corpus.Labels, error) {
	if path == "" {
		return corpus.BuiltinLabels(), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	labels, err := corpus.ReadLabels(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return labels, nil
}

func writeOwn(dir, name string, all []sentence, report io.Writer) error {
	lines := make([][]byte, 0, len(all))
	for _, s := range all {
		line, err := encode(s)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	fmt.Fprintf(report, "%s: %d sentences\n", name, len(lines))
	return writeLines(dir, name, forOwner, lines)
}

// ownNotes are annotated documents with tags that training knows.
type ownNotes struct {
	source string
	docs   []ownNote
	covers []string // the classes that are marked anywhere: the others may have been left alone
}

type ownNote struct {
	text  string
	marks []mark // in order, free of overlap
	types []phi.Type
	group string
}

// readOwn reads a file or folder in any format that package corpus reads.
func readOwn(path, source string, labels corpus.Labels) (*ownNotes, error) {
	own := &ownNotes{source: source}
	seen := map[string]bool{}
	for doc, err := range corpus.ReadAnnotated(path) {
		if err != nil {
			return nil, err
		}
		note := ownNote{text: doc.Text, group: strings.ToLower(doc.Group)}
		for i, m := range doc.Marks {
			if n := len(note.marks); n > 0 && note.marks[n-1].end > m.Start {
				continue
			}
			meaning, err := labels.Resolve(m)
			if err != nil {
				return nil, fmt.Errorf("%s: document %d, mark %d: %w", path, len(own.docs)+1, i+1, err)
			}
			tag := tagOf(meaning)
			if tag == "" {
				continue
			}
			note.marks = append(note.marks, mark{m.Start, m.End, tag})
			note.types = append(note.types, meaning.Main)
			seen[classOf(tag)] = true
		}
		own.docs = append(own.docs, note)
	}
	for _, class := range allClasses {
		if seen[class] {
			own.covers = append(own.covers, class)
		}
	}
	return own, nil
}

// tagOf is the tag of a label's meaning: a fine type if it has but one, the class if
// all its types are of one, and unknown if training must not ask.
func tagOf(m corpus.Meaning) string {
	if m.Types == corpus.SetOf(phi.Time) {
		return ""
	}
	if m.Ignored() {
		return unknown
	}
	fine, class := map[string]bool{}, map[string]bool{}
	for _, t := range phi.Types() {
		if t == phi.Username && m.Main.Class() == phi.ClassName && m.Main != t {
			continue // who marks persons may mark their logins
		}
		if tag := fineTag(t); m.Types.Has(t) && tag != "" {
			fine[tag], class[classOf(tag)] = true, true
		}
	}
	main := fineTag(m.Main)
	switch {
	case len(fine) == 1:
		return main
	case len(class) == 1 && classOf(main) != main:
		return classOf(main)
	default:
		return unknown
	}
}

// classOf is the coarse class of a tag.
func classOf(tag string) string {
	switch tag {
	case "PATIENT", "DOCTOR":
		return "NAME"
	case "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER":
		return "LOCATION"
	case "HOSPITAL", "ORGANIZATION":
		return "ORG"
	}
	return tag
}

func (own *ownNotes) sentences() []sentence {
	var out []sentence
	for _, d := range own.docs {
		all := cut(own.source, d.text, d.marks, own.covers)
		for i := range all {
			all[i].Group = d.group
		}
		out = append(out, all...)
	}
	return out
}

// refill fills the notes' PHI anew, as often as the settings say.
func (own *ownNotes) refill(set settings) ([]sentence, error) {
	lists, err := ownLists(set)
	if err != nil {
		return nil, err
	}
	h, err := synth.NewHospital(set.Seed, synth.Options{Patients: 2000, Providers: 1000, Sites: 500, Notes: 1, Lists: &lists})
	if err != nil {
		return nil, err
	}
	fills, err := newRefiller()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(set.Seed, 5))
	var out []sentence
	for range set.Refills {
		for _, d := range own.docs {
			s := h.Fill(rng, nil, synth.Setting{Sex: sexOf(d.text)}, fills.template(rng, d))
			filled := ofSnippet("annotated-refilled", s)
			for i := range filled {
				filled[i].Covers = own.covers
			}
			out = append(out, filled...)
		}
	}
	return out, nil
}

// ownLists are the lists of the open data, or of the lexicon where those are not.
func ownLists(set settings) (synth.Lists, error) {
	data := dataFolder(set.Folder)
	if _, err := os.Stat(string(data)); err == nil {
		return loadLists(data, synth.TrainNames)
	}
	lists := synth.LexiconLists().Fold(synth.TrainNames)
	lists.Even = true
	return lists, nil
}
