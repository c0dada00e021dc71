package stacking

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Names of a model's files, and its model_type in config.json.
const (
	ModelFile  = "stacking.json"
	ConfigFile = "config.json"
	ModelType  = "pgdeid-stacking"
)

// format is the version of the model file.
const format = 1

// Model is a trained classifier. It is immutable and safe for concurrent use.
type Model struct {
	name   string
	data   Data
	forest *forest
}

// Data is the content of a model's file, stacking.json.
type Data struct {
	Format int `json:"format"`
	// Members are the names of the ensemble's members in training.
	Members []string `json:"members"`
	// Threshold is the least probability of a word that would count by vote, chosen for RecallFloor.
	Threshold float64 `json:"threshold"`
	// Admit is the least probability of a word that would not count by vote, since only one source
	// proposes it and is unsure; 1 admits none.
	Admit       float64 `json:"admit"`
	RecallFloor float64 `json:"recall_floor"`
	// Curve is the effect of other thresholds, by rising threshold.
	Curve []Point `json:"curve"`
	// Bias is the log-odds of PHI before any tree adds to it.
	Bias  float64 `json:"bias"`
	Trees []*Node `json:"trees"`
}

// Point is the effect of a threshold on the words that would count by vote, in notes that the
// classifier had not seen.
type Point struct {
	Threshold float64 `json:"threshold"`
	Kept      float64 `json:"kept"`    // share of the words with PHI that is kept
	Dropped   float64 `json:"dropped"` // share of the others that is dropped
}

// Load reads a model from its folder. Every file that sums lists must have the SHA-256 given
// there, in hexadecimal, and both model files must be listed.
func Load(name string, folder fs.FS, sums map[string]string) (*Model, error) {
	for _, file := range []string{ConfigFile, ModelFile} {
		if sums[file] == "" {
			return nil, fmt.Errorf("model %s: %s: its SHA-256 is not listed", name, file)
		}
	}
	var text []byte
	for file, want := range sums {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", name, err)
		}
		if sum := sha256.Sum256(data); !strings.EqualFold(want, hex.EncodeToString(sum[:])) {
			return nil, fmt.Errorf("model %s: %s: the model is not the one that was verified: SHA-256 is %x, not %s", name, file, sum, want)
		}
		if file == ModelFile {
			text = data
		}
	}
	m, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("model %s: %s: %w", name, ModelFile, err)
	}
	m.name = name
	return m, nil
}

// parse parses a model's file.
func parse(text []byte) (*Model, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var d Data
	if err := dec.Decode(&d); err != nil {
		return nil, err
	}
	return newModel(d)
}

func newModel(d Data) (*Model, error) {
	switch {
	case d.Format != format:
		return nil, fmt.Errorf("format is %d, this program reads %d", d.Format, format)
	case len(d.Members) == 0 || len(d.Members) > 32:
		return nil, errors.New("members: want the 1 to 32 of the ensemble that it was trained over")
	case !(d.Threshold >= 0 && d.Threshold < 1):
		return nil, errors.New("threshold: want 0 to 1")
	case !(d.Admit > 0 && d.Admit <= 1):
		return nil, errors.New("admit: want more than 0, and 1 at most")
	}
	for i, p := range d.Curve {
		if !(p.Threshold >= 0 && p.Threshold < 1 && p.Kept >= 0 && p.Kept <= 1) || i > 0 && p.Threshold <= d.Curve[i-1].Threshold {
			return nil, fmt.Errorf("curve[%d]: want rising thresholds with shares", i)
		}
	}
	at := map[string]int{}
	for i, name := range columns(d.Members) {
		at[name] = i
	}
	f, err := plant(d.Trees, at)
	if err != nil {
		return nil, err
	}
	return &Model{data: d, forest: f}, nil
}

// Name returns the name under which the model was loaded.
func (m *Model) Name() string { return m.name }

// Members returns the names of the ensemble's members in training.
func (m *Model) Members() []string { return append([]string(nil), m.data.Members...) }

// Threshold returns the default threshold.
func (m *Model) Threshold() float64 { return m.data.Threshold }

// Curve returns the effect of other thresholds.
func (m *Model) Curve() []Point { return append([]Point(nil), m.data.Curve...) }

// Files returns the content of a model's folder.
func (m *Model) Files() (map[string][]byte, error) {
	text, err := json.MarshalIndent(m.data, "", " ")
	if err != nil {
		return nil, err
	}
	config := fmt.Appendf(nil, "{\n  \"model_type\": %q\n}\n", ModelType)
	return map[string][]byte{ConfigFile: config, ModelFile: append(text, '\n')}, nil
}

// Nodes returns the number of nodes of all trees.
func (m *Model) Nodes() int { return len(m.forest.nodes) }
