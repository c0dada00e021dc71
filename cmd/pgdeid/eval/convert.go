package eval

import (
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
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
	from, err := marked.ParseFormat("--from", f.from)
	if err != nil {
		return err
	}
	to, err := corpus.ParseFormat(f.to)
	if err != nil {
		return command.UsageError("--to: %w", err)
	}
	labels, err := marked.LoadLabels(f.labels)
	if err != nil {
		return err
	}
	if _, err := os.Stat(in); in != "-" && err != nil {
		return err // before an empty OUT is created
	}
	w, err := marked.NewWriter(cmd.OutOrStdout(), out, to, labels)
	if err != nil {
		return err
	}
	bar := progress.NewNotes()
	docs := counted(marked.Read(cmd.InOrStdin(), []string{in}, from), bar)
	if f.types {
		docs = corpus.TypedAll(docs, labels)
	}
	counts, err := corpus.CopyAnnotated(cmd.Context(), w, docs, func(err error) {
		fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %v\n", err)
	})
	if err = errors.Join(command.JoinClose(err, w), bar.Close()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s with %s", command.Plural(counts.Docs, "note"), command.Plural(counts.Marks, "mark"))
	if counts.PassedOver > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "; %s of other kinds passed over", command.Plural(counts.PassedOver, "annotation"))
	}
	fmt.Fprintln(cmd.ErrOrStderr())
	if counts.Failed > 0 {
		return command.Attention(fmt.Errorf("%s left out: see above", command.Plural(counts.Failed, "note")))
	}
	return nil
}

// counted advances a bar with each document.
func counted(docs iter.Seq2[corpus.Annotated, error], bar *progress.Notes) iter.Seq2[corpus.Annotated, error] {
	return func(yield func(corpus.Annotated, error) bool) {
		for doc, err := range docs {
			bar.Tick()
			if !yield(doc, err) {
				return
			}
		}
	}
}
