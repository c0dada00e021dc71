package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// world is everything that sentences are made of, read once.
type world struct {
	known     wordList // the words of all files
	set       settings
	data      folder
	pieces    *synth.Grammar
	templates *synth.Grammar // nil if there are none
	scrub     *scrubber
	lists     map[part]synth.Lists

	notes, dialogues map[part][]string
	visits           []string
	narratives       []narrative
	general          []sentence
	messages         []carrier
	answers          []sentence
	strings          []framed
	words            vocabulary
	marked           map[part][]ownNote
	fills            *refiller
}

// loadWorld reads the data and the grammars.
func loadWorld(set settings) (*world, error) {
	w := &world{set: set, data: dataFolder(set.Folder), lists: map[part]synth.Lists{}}
	steps := []func() error{
		func() (err error) { w.pieces, err = loadPieces(); return err },
		func() (err error) { w.templates, err = loadTemplates(set.Grammar); return err },
		func() (err error) { w.scrub, err = newScrubber(); return err },
		func() (err error) { w.lists[training], err = loadLists(w.data, synth.TrainNames); return err },
		func() (err error) { w.lists[heldOut], err = loadLists(w.data, synth.HeldOutNames); return err },
		func() (err error) { w.notes, err = loadTranscripts(w.data); return err },
		func() (err error) { w.dialogues, err = loadDialogues(w.data, w.notes[heldOut]); return err },
		func() (err error) { w.visits, err = loadVisits(w.data); return err },
		func() (err error) { w.narratives, err = loadNarratives(w.data); return err },
		func() (err error) { w.general, err = loadGeneral(w.data); return err },
		func() (err error) { w.messages, err = loadMessages(w.data); return err },
		func() (err error) { w.answers, err = loadAnswers(w.data, w.scrub.rules, 12); return err },
		func() (err error) { w.strings, err = loadStrings(w.data); return err },
		func() (err error) { w.words, err = loadVocabulary(w.data); return err },
		func() (err error) { w.marked, err = loadMarked(w.set, w.data); return err },
		func() (err error) { w.fills, err = newRefiller(); return err },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// hospital makes the hospital whose people and places fill one file.
func (w *world) hospital(seed uint64, side part) (*synth.Hospital, error) {
	lists := w.lists[side]
	return synth.NewHospital(seed, synth.Options{Patients: 6000, Providers: 3000, Sites: 1500, Notes: 1, Lists: &lists})
}

// carriers turns texts into carriers, laid out anew.
func (w *world) carriers(rng *rand.Rand, texts []string, layOut func(*rand.Rand, string) string) ([]carrier, error) {
	out := make([]carrier, 0, len(texts))
	for _, text := range texts {
		c, err := w.scrub.carrier(layOut(rng, text))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// tables turns structured documents into carriers: the people of the header are
// filled anew wherever the text names them.
func (w *world) tables() ([]carrier, error) {
	who, err := parseAll([]string{"{outdr.full}", "{person}", "{pt.full}"})
	if err != nil {
		return nil, err
	}
	out := make([]carrier, 0, len(w.narratives))
	for _, n := range w.narratives {
		c, err := w.scrub.carrier(n.text)
		if err != nil {
			return nil, err
		}
		var named []edit
		for i, name := range n.names {
			for _, m := range regexp.MustCompile(regexp.QuoteMeta(name)).FindAllStringIndex(n.text, -1) {
				if !overlap(named, m[0], m[1]) {
					named = append(named, edit{start: m[0], end: m[1], chance: 1, with: who[i%len(who) : i%len(who)+1]})
				}
			}
		}
		for _, e := range c.edits {
			if !overlap(named, e.start, e.end) {
				named = append(named, e)
			}
		}
		c.edits = settle(named)
		out = append(out, c)
	}
	return out, nil
}

// source makes sentences, some at a time, without end.
type source struct {
	name string
	next func() ([]sentence, error)
}

// sources are those of one training file.
func (w *world) sources(seed uint64) ([]source, error) {
	rng := rand.New(rand.NewPCG(seed, 2))
	h, err := w.hospital(seed, training)
	if err != nil {
		return nil, err
	}
	pieces := filler{h, w.pieces}
	notes, err := w.carriers(rng, w.notes[training], restored)
	if err != nil {
		return nil, err
	}
	dialogues, err := w.carriers(rng, w.dialogues[training], relaid)
	if err != nil {
		return nil, err
	}
	tables, err := w.tables()
	if err != nil {
		return nil, err
	}
	out := []source{
		{"mtsamples", pieces.notes(rng, "mtsamples", notes)},
		{"mts-dialog", pieces.notes(rng, "mts-dialog", dialogues)},
		{"ccda", pieces.notes(rng, "ccda", tables)},
		{"general", given(rng, w.general)},
		{"messages", pieces.messages(rng, w.messages)},
		{"labelled", labelledStrings(rng, w.strings)},
		{"answers", given(rng, w.answers)},
		{"notes", pieces.marked(rng, "notes", w.marked[training], w.fills)},
		{"negatives", w.words.sentences(rng)},
		{"lists", pieces.snippets(rng, "lists", append(alternatives(w.pieces, "list.", training),
			alternatives(w.pieces, "head.block", training)...))},
	}
	if w.templates != nil {
		all := alternatives(w.templates, "train.", training)
		if len(all) == 0 {
			return nil, fmt.Errorf("the grammar in %s has no root that begins with %q", w.set.Grammar, "train.")
		}
		out = append(out, source{"templates", filler{h, w.templates}.snippets(rng, "templates", all)})
	}
	return out, nil
}

// hasPHI reports whether any word is tagged as PHI.
func hasPHI(s sentence) bool {
	return slices.ContainsFunc(s.Tags, func(tag string) bool { return strings.HasPrefix(tag, "B-") })
}
