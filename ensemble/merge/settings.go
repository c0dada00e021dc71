package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Settings determine how the posteriors of models become decisions. They are fitted on annotated
// notes and stored as a JSON file.
type Settings struct {
	// Format is 1.
	Format int `json:"format"`
	// Stages are the sets of models that may have read a token, each a superset of the one before:
	// first the cheap models, which read everything.
	Stages []Stage `json:"stages"`
	Gate   Gate    `json:"gate"`
}

// Stage holds the decision parameters for tokens read by exactly these models.
type Stage struct {
	Models  []string  `json:"models"`
	Weights []float64 `json:"weights"` // of the models' log-odds, in their order
	Bias    float64   `json:"bias"`
	// Vocabulary is the penalty for a word of the clinical vocabulary.
	Vocabulary float64 `json:"vocabulary"`
	// Threshold is the least probability of PHI, Thresholds those of classes with their own.
	Threshold  float64            `json:"threshold"`
	Thresholds map[string]float64 `json:"thresholds,omitempty"`
}

// Gate selects the tokens that the models of the next stage read.
type Gate struct {
	// Low and High are the limits of the first stage's probabilities for which the second stage reads
	// a token and its neighbours. A High of 0 is no limit.
	Low  float64 `json:"low"`
	High float64 `json:"high,omitempty"`
	// AgainLow and AgainHigh are the limits of the second stage's probabilities for the third.
	AgainLow  float64 `json:"again_low"`
	AgainHigh float64 `json:"again_high"`
}

const (
	format = 1
	// MaxModels is the maximum number of models that are combined.
	MaxModels = 8
	// defaultVocabulary is the weight of vocabulary if no stage fits.
	defaultVocabulary = 3
	// defaultThreshold is the threshold if no stage fits.
	defaultThreshold = 0.5
	maxWeight        = 100
)

// Default returns the settings for unknown models: the mean of their log-odds decides, and every
// model reads every token.
func Default() *Settings { return &Settings{Format: format} }

// Parse reads settings and checks them.
func Parse(data []byte) (*Settings, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s Settings
	if err := dec.Decode(&s); err != nil {
		return nil, err
	}
	return &s, s.Validate()
}

// Encode encodes settings for [Parse].
func (s *Settings) Encode() ([]byte, error) {
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

// Validate returns an error if the settings are invalid.
func (s *Settings) Validate() error {
	if s.Format != format {
		return fmt.Errorf("format is %d, want %d", s.Format, format)
	}
	if len(s.Stages) > 3 {
		return fmt.Errorf("%d stages: want at most 3", len(s.Stages))
	}
	for i := range s.Stages {
		if err := s.Stages[i].validate(); err != nil {
			return fmt.Errorf("stages[%d]: %w", i, err)
		}
		if i > 0 && !s.Stages[i].follows(&s.Stages[i-1]) {
			return fmt.Errorf("stages[%d]: want all models of the stage before, and more", i)
		}
	}
	for _, p := range []float64{s.Gate.Low, s.Gate.High, s.Gate.AgainLow, s.Gate.AgainHigh} {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("gate: %v is no probability", p)
		}
	}
	return nil
}

func (s *Stage) validate() error {
	if len(s.Models) == 0 || len(s.Models) > MaxModels || len(s.Weights) != len(s.Models) {
		return fmt.Errorf("%d models with %d weights: want 1 to %d, and a weight for each", len(s.Models), len(s.Weights), MaxModels)
	}
	for i, m := range s.Models {
		if m == "" || slices.Contains(s.Models[:i], m) {
			return errors.New("want each model once, by its name")
		}
	}
	for _, w := range append([]float64{s.Vocabulary}, s.Weights...) {
		if !(w >= 0 && w <= maxWeight) {
			return fmt.Errorf("weight %v: want 0 to %v", w, maxWeight)
		}
	}
	if !(math.Abs(s.Bias) <= maxWeight) {
		return fmt.Errorf("bias %v: want one within %v", s.Bias, maxWeight)
	}
	if !(s.Threshold > 0 && s.Threshold < 1) {
		return fmt.Errorf("threshold %v: want a probability between 0 and 1", s.Threshold)
	}
	for class, p := range s.Thresholds {
		if !knownClass(class) || !(p > 0 && p < 1) {
			return fmt.Errorf("threshold %v of %q: want a probability between 0 and 1 of a class such as NAME", p, class)
		}
	}
	return nil
}

func (s *Stage) follows(before *Stage) bool {
	return len(s.Models) > len(before.Models) && !slices.ContainsFunc(before.Models,
		func(m string) bool { return !slices.Contains(s.Models, m) })
}

func knownClass(name string) bool {
	return slices.ContainsFunc(phi.Types(), func(t phi.Type) bool { return t.Class().String() == name })
}

// StageOf returns the number of the first stage with a model, counted from 0; a model in no stage belongs
// to the second.
func (s *Settings) StageOf(model string) int {
	for i := range s.Stages {
		if slices.Contains(s.Stages[i].Models, model) {
			return i
		}
	}
	return min(1, len(s.Stages))
}
