package detector

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
)

// combiningFlags are the options for combining probabilities to spans.
type combiningFlags struct {
	bias       float64
	biases     map[string]string
	gate       string
	weights    string
	vocabulary []string
}

func (f *combiningFlags) register(flags *pflag.FlagSet) {
	flags.Float64Var(&f.bias, "recall-bias", 0, "`log-odds` added to every probability of PHI: above 0 for recall, below for precision")
	flags.StringToStringVar(&f.biases, "recall-biases", nil, "the same for single types, besides: `TYPE=LOG-ODDS`")
	flags.StringVar(&f.gate, "gate", config.GateOn, "off: every model reads everything, on: only what the cheaper ones leave in doubt")
	flags.StringVar(&f.weights, "weights", "", "`file` of 'pgdeid train merge' (default: that of the program)")
	flags.StringSliceVar(&f.vocabulary, "vocabulary", nil, "`file` of clinical words, besides those of the program")
}

// read returns the options.
func (f *combiningFlags) read() (config.Combining, error) {
	c := config.Combining{RecallBias: f.bias, Gate: f.gate, Weights: f.weights, Vocabulary: f.vocabulary}
	if f.gate != "" && f.gate != config.GateOn && f.gate != config.GateOff {
		return c, command.UsageError("--gate: want %s or %s", config.GateOn, config.GateOff)
	}
	if !withinBias(f.bias) {
		return c, command.UsageError("--recall-bias: want a number within %v", config.HighestRecallBias)
	}
	for name, text := range f.biases {
		t, err := phi.ParseType(name)
		if err != nil {
			return c, command.UsageError("--recall-biases: %w (known: %s)", err, typeList())
		}
		b, err := strconv.ParseFloat(text, 64)
		if err != nil || !withinBias(b) {
			return c, command.UsageError("--recall-biases: %s: want a number within %v", t, config.HighestRecallBias)
		}
		if c.RecallBiases == nil {
			c.RecallBiases = map[phi.Type]float64{}
		}
		c.RecallBiases[t] = b
	}
	return c, nil
}

// typeList lists the types of PHI.
func typeList() string {
	var names []string
	for _, t := range phi.Types() {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}

func withinBias(b float64) bool {
	return b >= -config.HighestRecallBias && b <= config.HighestRecallBias
}
