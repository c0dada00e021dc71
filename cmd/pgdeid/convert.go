package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
)

type convertFlags struct {
	from, to string
	labels   string
	types    bool
}

func newConvertCmd() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert --to FORMAT IN OUT",
		Short: "Turn marked notes into another format",
		Long: `convert reads notes whose PHI is marked, from a file or a folder, and writes them in
another format:

  i2b2       i2b2 2014: an XML file for a note, offsets in TAGS
  i2b2-2006  an XML file for many notes, PHI elements in the text; can only be read
  brat       a .txt and a .ann for a note
  jsonl      a line for a note: {"id","text","spans":[{"start","end","label" or "type"}]}

OUT is a new file for jsonl and a folder for the others; - is standard input and
standard output, for jsonl. Files are readable for their owner alone, and none that
exists is written over. Labels stay what they are; --types writes pgdeid's own types in
their place and leaves out what a label map ignores.

A note that can't be read, or that the format can't hold (XML has no form feed), is
reported on standard error and left out; the exit status is then 3.`,
		Example: `  pgdeid convert --to jsonl i2b2/training-PHI-Gold-Set1 train.jsonl
  pgdeid convert --from brat --to i2b2 --types annotated/ xml/
  pgdeid convert --to brat gold.jsonl.gz brat/`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return runConvert(cmd, f, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "`format` of IN (default: look)")
	flags.StringVar(&f.to, "to", "", "`format` of OUT: i2b2, brat or jsonl")
	flags.StringVar(&f.labels, "labels", "", "`file` of LABEL = TYPE[,TYPE] or LABEL = ignore lines")
	flags.BoolVar(&f.types, "types", false, "write pgdeid's own types in the place of labels")
	return cmd
}

func runConvert(cmd *cobra.Command, f convertFlags, in, out string) error {
	from, err := parseFormat("--from", f.from)
	if err != nil {
		return err
	}
	to, err := corpus.ParseFormat(f.to)
	if err != nil {
		return usageError("--to: %w", err)
	}
	labels, err := loadLabels(f.labels)
	if err != nil {
		return err
	}
	if _, err := os.Stat(in); in != "-" && err != nil {
		return err // before an empty OUT is created
	}
	w, err := newMarkedWriter(cmd.OutOrStdout(), out, to, labels)
	if err != nil {
		return err
	}
	bar := newCountBar()
	docs := counted(readMarked(cmd.InOrStdin(), []string{in}, from), bar)
	if f.types {
		docs = corpus.TypedAll(docs, labels)
	}
	counts, err := corpus.CopyAnnotated(cmd.Context(), w, docs, func(err error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %v\n", err)
	})
	if err = errors.Join(joinClose(err, w), bar.Close()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s with %s", plural(counts.Docs, "note"), plural(counts.Marks, "mark"))
	if counts.PassedOver > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "; %s of other kinds passed over", plural(counts.PassedOver, "annotation"))
	}
	fmt.Fprintln(cmd.ErrOrStderr())
	if counts.Failed > 0 {
		return &exitError{exitAttention, fmt.Errorf("%s left out: see above", plural(counts.Failed, "note"))}
	}
	return nil
}

func newMarkedWriter(stdout io.Writer, path string, format corpus.Format, labels corpus.Labels) (corpus.AnnotatedWriter, error) {
	if path == "-" {
		if format != corpus.JSONLines {
			return nil, usageError("only %s can be written to standard output", corpus.JSONLines)
		}
		return corpus.NewMarkedLines(stdout), nil
	}
	w, err := corpus.NewAnnotatedWriter(path, format, labels)
	if errors.Is(err, fs.ErrExist) {
		return nil, usageError("%s exists: choose another name", path)
	}
	if err != nil {
		return nil, usageError("%w", err)
	}
	return w, nil
}

// counted advances a bar with each document.
func counted(docs iter.Seq2[corpus.Annotated, error], bar *countBar) iter.Seq2[corpus.Annotated, error] {
	return func(yield func(corpus.Annotated, error) bool) {
		for doc, err := range docs {
			bar.tick()
			if !yield(doc, err) {
				return
			}
		}
	}
}

// countBar shows how many notes are done, on standard error, if that is a terminal and
// standard output is not.
type countBar struct{ bar *progressbar.ProgressBar }

func newCountBar() *countBar {
	if !term.IsTerminal(int(os.Stderr.Fd())) || term.IsTerminal(int(os.Stdout.Fd())) {
		return &countBar{}
	}
	return &countBar{progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("notes"), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))}
}

func (b *countBar) tick() {
	if b.bar != nil {
		_ = b.bar.Add(1) // nothing depends on the display
	}
}

// Close removes the bar.
func (b *countBar) Close() error {
	if b.bar == nil {
		return nil
	}
	return b.bar.Finish()
}
