package detect

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/progress"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

type detectFlags struct {
	detector.Flags
	documents documentFlags
	workers   int
}

func newDetectCmd() *cobra.Command {
	var f detectFlags
	cmd := &cobra.Command{
		Use:   "detect [FILE...]",
		Short: "Find protected health information in JSON Lines",
		Long: `detect reads documents as JSON Lines and prints where they contain protected
health information, one line of output per line of input:

  {"id","text","patient"?,"format"?,"encoding"?}  ->  {"id","spans":[{"start","end","type","by":[…]}]}

Offsets count Unicode code points of "text". "patient" says what is known of the
patient: an object of roles (name.first, name.last, phone, mrn, birth_date, …) to
values or lists of values.

"text" may be a document: "format" says of which kind (rtf, html, xml, cda, hl7v2, json,
or auto), and "encoding" how it is wrapped (base64, gzip and others, or a chain such as
base64+gzip). Offsets then lie in the document as it came, markup included; where it is
wrapped, they count bytes of what is in it. With --format or --encoding each FILE is a
document itself, with a line of output that has the file's name as its id, and offsets
in bytes. Without a FILE, or for -, it reads standard input.

A line that is not valid is reported on standard error with its number and printed
nothing for; the exit status is then 3.`,
		Example: `  echo '{"id":1,"text":"Seen by Dr. Jane Roe in Flint, MI."}' | pgdeid detect
  pgdeid detect --detectors patterns,record notes.jsonl > spans.jsonl
  pgdeid detect --format rtf letter.rtf
  echo '{"id":1,"format":"json","text":"{\"name\":\"Jane Roe\"}"}' | pgdeid detect
  pgdeid detect --models none notes.jsonl > spans.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDetect(cmd, f, args) },
	}
	f.Register(cmd.Flags())
	f.documents.register(cmd.Flags())
	cmd.Flags().IntVar(&f.workers, "workers", 0, "documents at a time (default eight a core)")
	return cmd
}

func runDetect(cmd *cobra.Command, f detectFlags, paths []string) error {
	if f.workers < 0 {
		return command.UsageError("--workers: want 0 or more")
	}
	if _, err := f.documents.form(); err != nil {
		return err
	}
	ens, set, err := f.Open()
	if err != nil {
		return err
	}
	if f.documents.given() {
		return command.JoinClose(detectFiles(cmd, f, ens, paths), set)
	}
	pipe := corpus.Pipe{Workers: f.workers, Do: func(ctx context.Context, line corpus.Line) (any, error) {
		n, err := openLine(line)
		if err != nil {
			return nil, err
		}
		in := ensemble.Note{Text: n.Text()}
		if line.Patient != nil {
			in.Patient = record.NewGazetteer(line.Patient)
		}
		spans, err := ens.Detect(ctx, &in)
		if err != nil {
			return nil, err
		}
		return corpus.DetectLine{ID: line.ID, Spans: spanLines(ens, n, spans)}, nil
	}}
	return command.JoinClose(runPipe(cmd, pipe, paths), set)
}

// runPipe sends files, or standard input, through a pipe to standard output. It
// reports what failed line by line, and shows progress on a terminal.
func runPipe(cmd *cobra.Command, pipe corpus.Pipe, paths []string) error {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	failed := 0
	for _, path := range paths {
		counts, err := pipeFile(cmd, pipe, path)
		failed += counts.Failed
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return command.Attention(fmt.Errorf("%s could not be processed: see above", command.Plural(failed, "line")))
	}
	return nil
}

func pipeFile(cmd *cobra.Command, pipe corpus.Pipe, path string) (corpus.Counts, error) {
	in, size := cmd.InOrStdin(), int64(-1)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return corpus.Counts{}, err
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil {
			size = info.Size()
		}
		in = file
	}
	bar := progress.NewBytes(size)
	pipe.Failed = func(err *corpus.LineError) {
		if path == "-" {
			fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %v\n", err)
			return
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s: %v\n", path, err)
	}
	counts, err := pipe.Run(cmd.Context(), io.TeeReader(in, bar), cmd.OutOrStdout())
	return counts, command.JoinClose(err, bar)
}
