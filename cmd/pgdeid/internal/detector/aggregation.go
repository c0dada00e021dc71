package detector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/models"
)

// aggregationFlags are the options for aggregating votes to spans.
type aggregationFlags struct {
	by       string
	stacking string
	floor    float64
}

func (f *aggregationFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.by, "aggregation", "", "how what the members find becomes spans: combine, vote, union or stacking (default combine)")
	flags.StringVar(&f.stacking, "stacking", "", "`folder` of the model that decides; means --aggregation stacking")
	flags.Float64Var(&f.floor, "recall-floor", 0, "least `share` that stacking keeps of the words with PHI that votes would find, "+
		"by its curve (default what it was trained for)")
}

// read returns the options, with the current hashes of the model's files.
func (f *aggregationFlags) read() (config.Aggregation, error) {
	by := merge.Aggregation(f.by)
	stacking := by == merge.ByStacking || f.by == "" && f.stacking != ""
	switch {
	case f.by != "" && !slices.Contains(merge.Aggregations(), by):
		return config.Aggregation{}, command.UsageError("--aggregation: want %s", wayList())
	case !stacking && (f.stacking != "" || f.floor != 0):
		return config.Aggregation{}, command.UsageError("--stacking and --recall-floor are for --aggregation stacking")
	case !stacking:
		return config.Aggregation{By: by}, nil
	case f.stacking == "":
		return config.Aggregation{}, command.UsageError("--aggregation stacking: say which model decides: --stacking FOLDER")
	case f.floor != 0 && !(f.floor >= config.LowestRecallFloor && f.floor <= config.HighestRecallFloor):
		return config.Aggregation{}, command.UsageError("--recall-floor: want %g to %g", config.LowestRecallFloor, config.HighestRecallFloor)
	}
	a, err := models.StackingOf(f.stacking)
	if err != nil {
		return a, command.UsageError("--stacking: %w", err)
	}
	a.RecallFloor = f.floor
	return a, nil
}

func wayList() string {
	var words []string
	for _, w := range merge.Aggregations() {
		words = append(words, fmt.Sprint(w))
	}
	return strings.Join(words, ", ")
}
