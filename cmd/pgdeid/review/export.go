package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/marked"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/export"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/desk"
	"github.com/pgdeid/pgdeid/replicator/session"
)

type exportFlags struct {
	format    string
	role      string
	by        string
	corrected bool
}

func newExportCmd(g *command.Globals) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --role ROLE ROUND OUT",
		Short: "Write the notes of a round with the marks that people made",
		Long: `export writes the notes of a round that were read to the end, with the marks that hold, as
"pgdeid train", "pgdeid eval" and the carriers of the networks take them: i2b2 or brat, a
folder, or jsonl, a file.

OUT holds ORIGINALS: names, dates and numbers of patients. They are read from the source
now, with the rights of --role, which the role of source.dsn must be a member of; each
note is in the audit table deid.review_view before it is written. Files are readable for
their owner alone, and none that exists is written over. Notes that changed since they
were read, and those that the source does not show to the role, are left out and
counted.

brat has labels alone, which mean there what other corpora mean by them (a HOSPITAL is any
organisation): jsonl and i2b2 keep what pgdeid means.

--corrected takes the notes in which something was missed, wrong or of another type
alone: the site's own regression cases, to be measured after each change.`,
		Example: `  pgdeid review export --role ehr_reviewer spring marked.jsonl
  pgdeid train crf -o site marked.jsonl
  pgdeid review export --role ehr_reviewer --corrected spring cases.jsonl
  pgdeid eval cases.jsonl                          # what is still missed of it
  pgdeid review export --role ehr_reviewer --format i2b2 spring xml/`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, g, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "jsonl", "`format` of OUT: i2b2, brat or jsonl")
	flags.StringVar(&f.role, "role", "", "`role` of the source with whose rights originals are read")
	flags.StringVar(&f.by, "by", "", "`name` of who exports, for the audit (default the user's)")
	flags.BoolVar(&f.corrected, "corrected", false, "only notes in which something was to correct")
	return cmd
}

func (f *exportFlags) run(cmd *cobra.Command, g *command.Globals, round, out string) error {
	format, err := corpus.ParseFormat(f.format)
	if err != nil {
		return command.UsageError("--format: %w", err)
	}
	if f.role == "" {
		return command.UsageError("say with whose rights originals are read: --role ROLE")
	}
	if out == "-" {
		return command.UsageError("originals are not written to standard output: name a file or a folder")
	}
	by, err := command.WhoAmI(f.by)
	if err != nil {
		return err
	}
	var counts export.Counts
	err = detector.OpenSession(cmd.Context(), g, func(o session.Options) error {
		counts, err = f.export(cmd, o, format, round, out, by)
		return err
	})
	if err != nil {
		return err
	}
	return sayExported(cmd, counts, out)
}

func (f *exportFlags) export(
	cmd *cobra.Command, o session.Options, format corpus.Format, round, out, by string,
) (counts export.Counts, err error) {
	ctx := cmd.Context()
	in, err := admin.ReadRound(ctx, o.Config, o.Key, round)
	if err != nil {
		return counts, err
	}
	conn, err := connect.Replica(ctx, o.Config)
	if err != nil {
		return counts, err
	}
	defer connect.Close(conn)
	d, err := desk.Open(ctx, o)
	if err != nil {
		return counts, err
	}
	defer d.Close()
	w, err := marked.NewWriter(cmd.OutOrStdout(), out, format, corpus.BuiltinLabels())
	if err != nil {
		return counts, err
	}
	slog.Warn("originals are exported", "round", round, "to", out, "role", f.role, "by", by)
	e := f.over(d, conn, o, by)
	_, err = corpus.CopyAnnotated(ctx, w, e.Documents(ctx, in, &counts), func(err error) {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %v\n", err)
	})
	return counts, command.JoinClose(err, w)
}

func (f *exportFlags) over(d *desk.Desk, conn *pgx.Conn, o session.Options, by string) *export.Export {
	return &export.Export{Texts: originals{d, f.role}, Vault: store.New(conn, o.Key), By: by, Corrected: f.corrected}
}

// originals reads texts with the rights of a role.
type originals struct {
	desk *desk.Desk
	role string
}

// Text implements export.Texts.
func (o originals) Text(ctx context.Context, it review.Item) (string, store.Outcome, error) {
	text, err := o.desk.Original(ctx, o.role, it)
	switch {
	case errors.Is(err, review.ErrRole):
		return "", store.Refused, nil
	case errors.Is(err, review.ErrGone):
		return "", store.Gone, nil
	case errors.Is(err, review.ErrFormat):
		return "", store.Failed, nil
	}
	return text, store.Shown, err
}

func sayExported(cmd *cobra.Command, n export.Counts, out string) error {
	w := cmd.ErrOrStderr()
	_, _ = fmt.Fprintf(w, "pgdeid: %s of %s with %s written to %s: ORIGINALS, to be kept like the source\n",
		command.Plural(n.Notes, "note"), command.Plural(n.Patients, "patient"), command.Plural(n.Marks, "mark"), out)
	if n.Right > 0 {
		_, _ = fmt.Fprintf(w, "pgdeid: %s left out in which nothing was to correct\n", command.Plural(n.Right, "note"))
	}
	if n.Changed+n.Absent == 0 {
		return nil
	}
	return command.Attention(fmt.Errorf("%s left out that changed since they were read, %d that the source does not have, or does not show to the role",
		command.Plural(n.Changed, "note"), n.Absent))
}
