package detect

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/surrogate"
)

// openPatients is the number of patients whose surrogates are held in memory.
const openPatients = 4096

type deidFlags struct {
	detector.Flags
	documents documentFlags
	patientID string
	keyFile   string
	profile   string
	workers   int
	spans     bool
}

func newDeidCmd() *cobra.Command {
	var f deidFlags
	cmd := &cobra.Command{
		Use:   "deid [FILE...]",
		Short: "De-identify JSON Lines",
		Long: `deid reads documents as JSON Lines, puts surrogates in the place of protected health
information and prints a line for a line, in the same order:

  {"id","patient_id","text","patient"?,"format"?,"encoding"?}  ->  {"id","text"}

Lines of one patient_id share their surrogates and their date shift: those that a
replica made with the same key shows. A line without a patient_id is a patient of its
own. "patient" says what is known of the patient, as for 'pgdeid detect'; it counts
for the patient's later lines too.

"text" may be a document, as for 'pgdeid detect'; what is printed is a document of the
same format with the same structure, without comments, pictures and hidden parts. With
--format or --encoding the one FILE is a document itself, which is printed as it would
be published. Without a FILE, or for -, it reads standard input.

A line that is not valid, or whose output would contain an identifier of the
patient, is reported on standard error with its number and has no output; the exit
status is then 3.`,
		Example: `  pgdeid key new key
  echo '{"id":1,"patient_id":7,"text":"Seen by Dr. Jane Roe on 3/5/14."}' | pgdeid deid --key-file key
  pgdeid deid --key-file key --format rtf --patient-id 7 letter.rtf > out.rtf
  PGDEID_KEY_FILE=key pgdeid deid --profile limited --spans notes.jsonl > out.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDeid(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.keyFile, "key-file", command.EnvOr(command.KeyFileEnv, ""), "key `file` (or "+command.KeyFileEnv+")")
	flags.StringVar(&f.profile, "profile", string(surrogate.SafeHarbor), "what is replaced: safe_harbor or limited")
	f.Register(flags)
	f.documents.register(flags)
	flags.StringVar(&f.patientID, "patient-id", "", "with --format or --encoding: `key` of the document's patient")
	flags.IntVar(&f.workers, "workers", 0, "documents at a time (default eight a core)")
	flags.BoolVar(&f.spans, "spans", false, "print the places of surrogates: never give these to readers of the texts")
	return cmd
}

func runDeid(cmd *cobra.Command, f deidFlags, paths []string) error {
	if f.workers < 0 {
		return command.UsageError("--workers: want 0 or more")
	}
	if err := f.checkDocument(paths); err != nil {
		return err
	}
	d, err := newDeidentifier(f)
	if err != nil {
		return err
	}
	if f.documents.given() {
		return command.JoinClose(d.deidFile(cmd, f, append(paths, "-")[0]), d.models)
	}
	return command.JoinClose(runPipe(cmd, corpus.Pipe{Workers: f.workers, Key: patientOf, Do: d.do}, paths), d.models)
}

// checkDocument returns an error for flags that don't go together.
func (f deidFlags) checkDocument(paths []string) error {
	if _, err := f.documents.form(); err != nil {
		return err
	}
	switch {
	case !f.documents.given() && f.patientID != "":
		return command.UsageError("--patient-id goes with --format or --encoding: JSON Lines have a patient_id of their own")
	case f.documents.given() && len(paths) > 1:
		return command.UsageError("--format and --encoding take one FILE: its document is printed")
	case f.documents.given() && f.spans:
		return command.UsageError("--spans goes with JSON Lines")
	}
	return nil
}

// patientOf returns the patient key of a line, a unique one if the line has none. The NUL
// keeps these distinct from keys that a line can have.
func patientOf(line corpus.Line) string {
	if line.PatientID != "" {
		return line.PatientID
	}
	return "\x00line\x00" + string(line.ID) + "\x00" + strconv.Itoa(line.Number)
}

type deidentifier struct {
	ensemble *ensemble.Ensemble
	models   io.Closer
	shelf    *surrogate.Shelf
	spans    bool
}

func newDeidentifier(f deidFlags) (*deidentifier, error) {
	maker, err := newMaker(f)
	if err != nil {
		return nil, err
	}
	shelf, err := maker.NewShelf(openPatients)
	if err != nil {
		return nil, err
	}
	ens, set, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &deidentifier{ensemble: ens, models: set, shelf: shelf, spans: f.spans}, nil
}

func newMaker(f deidFlags) (*surrogate.Maker, error) {
	profile := surrogate.Profile(f.profile)
	if profile != surrogate.SafeHarbor && profile != surrogate.Limited {
		return nil, command.UsageError("--profile: want %s or %s, not %q", surrogate.SafeHarbor, surrogate.Limited, f.profile)
	}
	key, err := command.ReadKey(f.keyFile)
	if err != nil {
		return nil, err
	}
	return surrogate.New(key, surrogate.Options{Profile: profile})
}

// deidLine is a line of output with the spans of its text.
type deidLine struct {
	ID    json.RawMessage   `json:"id"`
	Text  string            `json:"text"`
	Spans []corpus.SpanLine `json:"spans"`
}

func (d *deidentifier) do(ctx context.Context, line corpus.Line) (any, error) {
	n, err := openLine(line)
	if err != nil {
		return nil, err
	}
	res, err := d.replace(ctx, line, n)
	if err != nil {
		return nil, err
	}
	if !d.spans {
		return corpus.DeidLine{ID: line.ID, Text: res.Value}, nil
	}
	out := deidLine{ID: line.ID, Text: res.Value, Spans: make([]corpus.SpanLine, 0, len(res.Spans))}
	for _, s := range res.Spans {
		out.Spans = append(out.Spans, corpus.SpanLine{Start: s.Start, End: s.End, Type: s.Type.String(), By: d.ensemble.Names(s.By)})
	}
	return out, nil
}
