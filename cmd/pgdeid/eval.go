package main

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval"
)

type evalFlags struct {
	memberFlags
	labels    string
	show      int
	blind     bool
	synthetic int
	seed      uint64
	asJSON    bool
	html      string
}

func newEvalCmd() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval FILE...",
		Short: "Score detection against gold spans",
		Long: `eval runs the detectors over documents whose PHI is marked and prints precision and
recall by words and by entities, for the groups A, B and C of identifiers, by class,
by type, by kind of note and by group of names.

A FILE holds JSON Lines (gzip if its name ends in .gz; - is standard input):
  {"id","text","spans":[{"start","end","label" or "type"}],"patient"?,"kind"?,"group"?}
Offsets count Unicode code points. A "type" is one of pgdeid's own; a "label" is the
source's, looked up in a built-in map that --labels extends.

--synthetic n scores n notes of a made-up hospital instead, with its staff known as
the service knows them.

Misses and false alarms quote the text. Use --show only on made-up documents.`,
		Example: `  pgdeid eval gold.jsonl
  pgdeid eval --synthetic 5000 --show 40
  pgdeid eval --detectors patterns,names --json gold.jsonl
  pgdeid eval --html report.html gold.jsonl
  pgdeid eval --labels my-labels.txt gold.jsonl   # lines such as: CLINICIAN = DOCTOR`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runEval(cmd, f, args) },
	}
	cmd.Flags().StringVar(&f.labels, "labels", "", "`file` of LABEL = TYPE[,TYPE] or LABEL = ignore lines")
	f.register(cmd.Flags())
	cmd.Flags().IntVar(&f.show, "show", 0, "print up to `n` misses and false alarms: quotes the text")
	cmd.Flags().BoolVar(&f.blind, "no-record", false, "leave out what is known of patients and staff")
	cmd.Flags().IntVar(&f.synthetic, "synthetic", 0, "score `n` notes of a made-up hospital")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "of the made-up hospital")
	cmd.Flags().StringVar(&f.html, "html", "", "write a report to `file`, one page that needs no other")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func runEval(cmd *cobra.Command, f evalFlags, paths []string) (err error) {
	labels, err := loadLabels(f.labels)
	if err != nil {
		return err
	}
	ens, set, err := f.open()
	if err != nil {
		return err
	}
	defer func() { err = joinClose(err, set) }()
	opts := eval.Options{Blind: f.blind, Cases: f.show > 0}
	docs := eval.FromAnnotated(readMarked(cmd.InOrStdin(), paths, corpus.Auto), labels)
	switch {
	case f.synthetic > 0 && len(paths) > 0:
		return usageError("give either files or --synthetic")
	case f.synthetic > 0:
		hospital, err := corpus.NewHospital(f.seed, corpus.Options{Notes: f.synthetic, Patients: max(50, f.synthetic/5)})
		if err != nil {
			return err
		}
		docs = eval.Synthetic(hospital)
		if !f.blind {
			opts.Directory = ensemble.NewGazetteer(hospital.Directory())
		}
	case len(paths) == 0:
		return usageError("want files of gold, or --synthetic n")
	}
	result, err := eval.Run(cmd.Context(), ens, docs, opts)
	if err != nil {
		return err
	}
	if f.html != "" {
		if err := writeHTML(f, paths, result); err != nil {
			return err
		}
	}
	if f.asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(result)
	}
	return result.WriteTable(cmd.OutOrStdout(), f.show)
}

func writeHTML(f evalFlags, paths []string, result eval.Result) error {
	title := "pgdeid eval: " + strings.Join(paths, ", ")
	if f.synthetic > 0 {
		title = fmt.Sprintf("pgdeid eval: %d synthetic notes, seed %d", f.synthetic, f.seed)
	}
	file, err := os.Create(f.html)
	if err != nil {
		return usageError("--html: %w", err)
	}
	if err := result.WriteHTML(file, title, f.show); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

func loadLabels(path string) (corpus.Labels, error) {
	if path == "" {
		return corpus.BuiltinLabels(), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("--labels: %w", err)
	}
	defer file.Close()
	labels, err := corpus.ReadLabels(file)
	if err != nil {
		return nil, usageError("--labels: %s: %w", path, err)
	}
	return labels, nil
}

// readMarked reads one file or folder after the other; - is standard input, as JSON
// Lines.
func readMarked(stdin io.Reader, paths []string, format corpus.Format) iter.Seq2[corpus.Annotated, error] {
	return func(yield func(corpus.Annotated, error) bool) {
		for _, path := range paths {
			docs := corpus.ReadAnnotatedAs(path, format)
			if path == "-" {
				docs = corpus.ReadMarkedLines(stdin)
			}
			for doc, err := range docs {
				if !yield(doc, err) {
					return
				}
			}
		}
	}
}
