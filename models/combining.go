package models

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/vocabulary"
	"github.com/pgdeid/pgdeid/internal/config"
)

// MergeFile holds the weights of a set's models, as [merge.Parse] reads them.
const MergeFile = "merge.json"

// combining is a configuration of how probabilities become spans, with the content of its files.
type combining struct {
	config.Combining
	settings []byte // of the weights; nil: all models alike
	words    []vocabulary.Text
}

// Combine makes the plan's models combine their probabilities according to a configuration.
func (p *Plan) Combine(c config.Combining) error {
	p.combining = combining{Combining: c}
	var err error
	switch {
	case c.Weights != "":
		p.combining.settings, err = os.ReadFile(c.Weights)
	case slices.ContainsFunc(p.sources, func(s source) bool { return s.shipped }):
		p.combining.settings, err = shippedMerge()
	}
	if err != nil {
		return fmt.Errorf("weights of the models: %w", err)
	}
	if _, err := p.combining.merge(); err != nil {
		return err
	}
	for _, file := range c.Vocabulary {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("vocabulary: %w", err)
		}
		p.combining.words = append(p.combining.words, vocabulary.Text{Name: filepath.Base(file), Text: string(text)})
	}
	p.digest, err = p.digestOf()
	return err
}

// shippedMerge returns the weights of the models that come with the program.
func shippedMerge() ([]byte, error) {
	folder, err := fs.Sub(shipped, "default")
	if err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(folder, SumsFile)
	if err != nil {
		return nil, err
	}
	sums, err := parseSums(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", SumsFile, err)
	}
	return readSummed(folder, MergeFile, sums)
}

// merge parses the weights.
func (c *combining) merge() (*merge.Settings, error) {
	if c.settings == nil {
		return merge.Default(), nil
	}
	s, err := merge.Parse(c.settings)
	if err != nil {
		return nil, fmt.Errorf("weights of the models: %w", err)
	}
	return s, nil
}

// digest identifies what affects the output; nil for the default.
func (c *combining) digest() ([]byte, error) {
	if c.settings == nil && c.Default() {
		return nil, nil
	}
	biases := map[string]float64{}
	for t, b := range c.RecallBiases {
		biases[t.String()] = b
	}
	return json.Marshal([]any{string(c.settings), c.words, c.RecallBias, biases, c.Gate == config.GateOff})
}
