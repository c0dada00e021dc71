package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/goccy/go-yaml"
)

// settings are the part "data:" of models/train/train.yaml.
type settings struct {
	Folder    string `yaml:"folder"`    // of the open data; PGDEID_DATA goes first
	Grammar   string `yaml:"grammar"`   // of the templates
	Notes     string `yaml:"notes"`     // folder of whole notes with marks in their texts
	Seed      uint64 `yaml:"seed"`      // of all chance
	Files     int    `yaml:"files"`     // train-1.jsonl, train-2.jsonl, …
	Sentences int    `yaml:"sentences"` // in each of them
	HeldOut   int    `yaml:"held_out"`  // sentences in each held-out file, at most
	Same      int    `yaml:"same"`      // how often a sentence may occur in a file
	Answers   int    `yaml:"answers"`   // every n-th answer of medquad goes into lm.txt
	Refills   int    `yaml:"refills"`   // how often a site's own notes are filled anew
	// ErrorWeight is how often a corrected sentence is written.
	ErrorWeight int                `yaml:"error_weight"`
	Damaged     float64            `yaml:"damaged"` // the share of windows that are damaged
	Weights     map[string]float64 `yaml:"weights"` // shares of the sources
}

// defaults are the settings that are used where the file says nothing.
func defaults() settings {
	return settings{
		Folder: "../shared/data", Grammar: "models/train/grammar", Notes: "models/train/notes", Seed: 1, Files: 4, Sentences: 300_000,
		HeldOut: 5000, Same: 3, Answers: 2, Refills: 3, ErrorWeight: 5,
		Damaged: 0.15,
		Weights: map[string]float64{
			"templates": 35, "mtsamples": 27, "mts-dialog": 6, "ccda": 2, "general": 8, "messages": 4, "negatives": 6,
			"answers": 2, "lists": 9, "labelled": 2, "notes": 50,
		},
	}
}

// loadSettings reads the file, whose absence means defaults.
func loadSettings(name string) (settings, error) {
	file := struct {
		Data settings `yaml:"data"`
	}{Data: defaults()}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return file.Data, nil
	}
	if err != nil {
		return file.Data, err
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return file.Data, fmt.Errorf("%s: %w", name, err)
	}
	s := file.Data
	for source := range s.Weights {
		if _, ok := defaults().Weights[source]; !ok {
			return s, fmt.Errorf("%s: data.weights: unknown source %q", name, source)
		}
	}
	if s.Files < 1 || s.Sentences < 1 || s.Same < 1 || s.Answers < 1 || s.HeldOut < 1 || s.ErrorWeight < 1 || s.Refills < 0 || s.Damaged < 0 ||
		s.Damaged > 1 {
		return s, fmt.Errorf("%s: data: files, sentences, held_out, same, answers and error_weight must be 1 or more, refills 0 or "+
			"more, damaged 0 to 1", name)
	}
	return s, nil
}
