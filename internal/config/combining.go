package config

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Combining says how probabilities are combined, besides the weights of the models.
type Combining struct {
	// RecallBias is added to the log-odds of PHI, RecallBiases to those of a type besides:
	// above 0 for recall.
	RecallBias   float64
	RecallBiases map[phi.Type]float64
	// Vocabulary are files of clinical words, besides those of the program.
	Vocabulary []string
	// Gate is GateOff where every model is to read everything.
	Gate string
	// Weights is a file that 'pgdeid train merge' wrote; "": that of the program.
	Weights string
}

// Gate can be on or off.
const (
	GateOn  = "on"
	GateOff = "off"
)

// HighestRecallBias bounds biases: beyond it, nothing else counts.
const HighestRecallBias = 10.0

func (c *Combining) setters() map[string]func(node) {
	return map[string]func(node){
		"recall_bias":   decimal(&c.RecallBias, -HighestRecallBias, HighestRecallBias),
		"recall_biases": recallBiases(&c.RecallBiases),
		"vocabulary":    texts(&c.Vocabulary),
		"gate":          oneOf("gate", &c.Gate, GateOn, GateOff),
		"weights":       text(&c.Weights),
	}
}

// recallBiases returns a setter of a bias by type.
func recallBiases(dst *map[phi.Type]float64) func(node) {
	return func(n node) {
		biases := map[phi.Type]float64{}
		for _, f := range n.fields() {
			t, err := phi.ParseType(f.name)
			if err != nil {
				f.value.fail("unknown PHI type (one of %v)", phi.Types())
				continue
			}
			var b float64
			decimal(&b, -HighestRecallBias, HighestRecallBias)(f.value)
			biases[t] = b
		}
		*dst = biases
	}
}

// Default reports whether nothing is said.
func (c *Combining) Default() bool {
	return c.RecallBias == 0 && len(c.RecallBiases) == 0 && len(c.Vocabulary) == 0 && c.Gate != GateOff && c.Weights == ""
}

// essence is of it what decides the output, but for the files' content; nil where nothing
// is said.
func (c *Combining) essence() any {
	if c.Default() {
		return nil
	}
	biases := [][2]any{}
	for t, b := range c.RecallBiases {
		biases = append(biases, [2]any{t.String(), b})
	}
	slices.SortFunc(biases, func(a, b [2]any) int {
		if a[0].(string) < b[0].(string) {
			return -1
		}
		return 1
	})
	return []any{c.RecallBias, biases, len(c.Vocabulary), c.Gate == GateOff, c.Weights != ""}
}
