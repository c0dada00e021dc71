package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// Whole notes as people and machines write them, with marks in the text:
//
//	⟦PATIENT#p|Ann Lee⟧ seen by Dr. ⟦DOCTOR#d1|Ostrowe⟧
//
// A mark names the PHI type and whose it is in the note: p for the patient, then r
// for relatives, d for professionals, h for facilities, and so on, with numbers.
var inlineMark = regexp.MustCompile(`⟦([A-Z-]+)#([a-z]+[0-9]*)\|([^⟦⟧]+)⟧`)

// readMarked reads a note with marks in its text.
func readMarked(text string) (ownNote, error) {
	var note ownNote
	var plain strings.Builder
	at := 0
	for _, m := range inlineMark.FindAllStringSubmatchIndex(text, -1) {
		plain.WriteString(text[at:m[0]])
		at = m[1]
		typ, err := phi.ParseType(text[m[2]:m[3]])
		if err != nil {
			return note, err
		}
		start := plain.Len()
		plain.WriteString(text[m[6]:m[7]])
		if tag := fineTag(typ); tag != "" {
			note.marks = append(note.marks, mark{start, plain.Len(), tag})
			note.types = append(note.types, typ)
		}
	}
	plain.WriteString(text[at:])
	note.text = plain.String()
	if i := strings.IndexAny(note.text, "⟦⟧"); i >= 0 {
		return note, fmt.Errorf("line %d: a mark is not ⟦TYPE#who|text⟧", 1+strings.Count(note.text[:i], "\n"))
	}
	return note, nil
}

// loadMarked reads the notes below the folder of the settings and those of the open
// data, by side: notes are held out whole.
func loadMarked(set settings, data folder) (map[part][]ownNote, error) {
	all, err := readMarkedFolder(set.Notes)
	if err != nil {
		return nil, err
	}
	messy, err := readOwn(filepath.Join(string(data), "notes-messy", "train.jsonl"), "notes", corpus.BuiltinLabels())
	if err != nil {
		return nil, err
	}
	all[training] = append(all[training], messy.docs...)
	return all, nil
}

// heldOutFolder has the notes of authors that training never sees.
const heldOutFolder = "held-out/"

// readMarkedFolder reads every .txt below a folder.
func readMarkedFolder(folder string) (map[part][]ownNote, error) {
	files := os.DirFS(folder)
	all := map[part][]ownNote{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".txt" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		note, err := readMarked(string(text))
		if err != nil {
			return fmt.Errorf("%s/%s: %w", folder, name, err)
		}
		side := training
		if strings.HasPrefix(name, heldOutFolder) {
			side = heldOut
		}
		all[side] = append(all[side], note)
		return nil
	})
	return all, err
}

// marked is a source of the sentences of marked notes, as they are and with other
// people, places and numbers by turns of chance.
func (f filler) marked(rng *rand.Rand, name string, all []ownNote, fills *refiller) func() ([]sentence, error) {
	next := endless(rng, len(all))
	return func() ([]sentence, error) {
		d := all[next()]
		if rng.IntN(2) == 0 {
			return d.sentences(name), nil
		}
		return ofSnippet(name, f.h.Fill(rng, nil, synth.Setting{Sex: sexOf(d.text)}, fills.template(rng, d))), nil
	}
}

// sentences returns a note's sentences as they are.
func (n ownNote) sentences(source string) []sentence { return cut(source, n.text, n.marks, allClasses) }
