package detect

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/note"
)

// documentFlags say that files are documents, and not JSON Lines.
type documentFlags struct{ format, encoding string }

func (f *documentFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", "", "each FILE is one document of this `format`: "+command.List(config.Formats()))
	flags.StringVar(&f.encoding, "encoding", "",
		"each FILE is one document in this `encoding`, or chain of encodings such as base64+gzip: "+command.List(config.Encodings()))
}

// given reports whether files are documents.
func (f documentFlags) given() bool { return f.format != "" || f.encoding != "" }

func (f documentFlags) form() (note.Form, error) {
	form, err := note.NewForm(f.format, f.encoding)
	if err != nil {
		return form, command.UsageError("--format, --encoding: %w (see --help)", err)
	}
	return form, nil
}

// openLine opens the document of a line.
func openLine(line corpus.Line) (*note.Note, error) {
	form, err := note.NewForm(line.Format, line.Encoding)
	if err != nil {
		return nil, err
	}
	return form.Open(line.Text)
}

// openFile opens a document in a file, or standard input.
func (f documentFlags) openFile(cmd *cobra.Command, path string) (*note.Note, error) {
	form, err := f.form()
	if err != nil {
		return nil, err
	}
	data, err := readWhole(cmd, path)
	if err != nil {
		return nil, err
	}
	n, err := form.OpenFile(data)
	if err != nil && path != "-" {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, err
}

func readWhole(cmd *cobra.Command, path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	return os.ReadFile(path)
}

// detectFiles prints a line for each document.
func detectFiles(cmd *cobra.Command, f detectFlags, ens *ensemble.Ensemble, paths []string) error {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	out := json.NewEncoder(cmd.OutOrStdout())
	out.SetEscapeHTML(false)
	for _, path := range paths {
		n, err := f.documents.openFile(cmd, path)
		if err != nil {
			return err
		}
		spans, err := ens.Detect(cmd.Context(), &ensemble.Note{Text: n.Text()})
		if err != nil {
			return err
		}
		id, err := json.Marshal(path)
		if err != nil {
			return err
		}
		err = out.Encode(corpus.DetectLine{ID: id, Spans: spanLines(ens, n, spans)})
		if err != nil {
			return err
		}
	}
	return nil
}

// spanLines are the places of spans of a document's text in the document.
func spanLines(ens *ensemble.Ensemble, n *note.Note, spans []phi.Span) []corpus.SpanLine {
	lines := make([]corpus.SpanLine, 0, len(spans))
	for _, s := range n.Locate(spans) {
		lines = append(lines, corpus.SpanLine{Start: s.Start, End: s.End, Type: s.Type.String(), By: ens.Names(s.By)})
	}
	return lines
}

// deidFile writes a document with surrogates.
func (d *deidentifier) deidFile(cmd *cobra.Command, f deidFlags, path string) error {
	n, err := f.documents.openFile(cmd, path)
	if err != nil {
		return err
	}
	written, err := d.replace(cmd.Context(), corpus.Line{PatientID: f.patientID}, n)
	if err != nil {
		return err
	}
	_, err = io.WriteString(cmd.OutOrStdout(), written.Value)
	return err
}

// replace puts surrogates into a document of the patient of a line.
func (d *deidentifier) replace(ctx context.Context, line corpus.Line, n *note.Note) (note.Written, error) {
	book, who := d.shelf.Patient(patientOf(line), line.Patient)
	found, err := d.ensemble.Detect(ctx, &ensemble.Note{Text: n.Text(), Patient: who})
	if err != nil {
		return note.Written{}, err
	}
	res, err := book.Replace(n.Text(), found)
	if err != nil {
		return note.Written{}, err
	}
	return n.Write(res)
}
