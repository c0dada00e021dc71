package train

import (
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

func newTrainCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a member of the ensemble on notes whose PHI is marked",
		Long: `train makes a model folder of notes whose PHI is marked: what 'pgdeid eval' reads, or
training sentences (JSON Lines with words, gaps and tags). The folder holds the model
with its hashes and a card; it is a member like any other under detect.models.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(trainCommands()...)
	return cmd
}

// trainData are the flags of what a member is trained on.
type trainData struct {
	out     string
	notes   int
	seed    uint64
	records bool
}

func (d *trainData) register(flags *pflag.FlagSet) {
	flags.StringVarP(&d.out, "output", "o", "", "new `folder` for the model")
	flags.IntVar(&d.notes, "synthetic", 0, "train on `n` notes of a made-up hospital, too")
	flags.Uint64Var(&d.seed, "synthetic-seed", 1, "of the made-up hospital")
	flags.BoolVar(&d.records, "synthetic-records", false, "let the made-up notes come with what is known of patients and staff")
}

// check returns an error if the flags or files are wrong.
func (d *trainData) check(paths []string) error {
	switch {
	case d.out == "":
		return command.UsageError("say where the model goes: -o FOLDER")
	case len(paths) == 0 && d.notes <= 0:
		return command.UsageError("want files of marked notes, or --synthetic n")
	}
	if _, err := os.Stat(d.out); err == nil {
		return command.UsageError("%s exists: choose another name", d.out)
	}
	return nil
}

// read yields the documents named by the flags and paths. It ends at a document that can't be
// read, since the model's card must list exactly what it was trained on.
func (d *trainData) read(paths []string) iter.Seq2[corpus.Labelled, error] {
	return func(yield func(corpus.Labelled, error) bool) {
		for _, path := range paths {
			for l, err := range corpus.ReadLabelled(path) {
				var doc *corpus.DocumentError
				if err != nil && !errors.As(err, &doc) {
					err = fmt.Errorf("%s: %w", path, err)
				}
				if !yield(l, err) || err != nil {
					return
				}
			}
		}
		if d.notes > 0 {
			d.readHospital(yield)
		}
	}
}

func (d *trainData) readHospital(yield func(corpus.Labelled, error) bool) {
	h, err := synth.NewHospital(d.seed, synth.Options{Notes: d.notes, Patients: max(50, d.notes/5)})
	if err != nil {
		yield(corpus.Labelled{}, err)
		return
	}
	for l, err := range h.Labelled(d.records) {
		if !yield(l, err) {
			return
		}
	}
}

// trainCommands lists what can be trained. Each is in a file train_*.go.
func trainCommands() []*cobra.Command {
	return []*cobra.Command{newCRFCmd(), newRulesCmd(), newStackingCmd(), newMergeCmd()}
}
