package harvest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/ensemble/harvest"
)

type reviewFlags struct {
	reviewer string
	export   string
	table    string
	again    bool
	force    bool
}

func newReviewCmd() *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "review PROPOSALS",
		Short: "Have a person verify what was proposed, on the terminal or in a table",
		Long: `review shows one proposal after the other and asks whether it contains no PHI or, for a
template, whether PHI is exactly where it is marked: y, n, s to skip, b to go back, q to
quit. Each answer is saved at once, with the reviewer's name and the time, in a file next
to the proposals; you can quit at any time and continue later.

--export writes a table (CSV) for a spreadsheet: fill the column "decision" with yes or
no and read it back with --import, which goes by the column "id".

It shows identified text, and so does the table: keep it as you keep the notes.`,
		Example: `  pgdeid harvest review proposals.jsonl
  pgdeid harvest review proposals.jsonl --export proposals.csv
  pgdeid harvest review proposals.jsonl --import proposals.csv --reviewer jlee`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.UsageError("say which proposals: pgdeid harvest review FILE")
			}
			return runReview(cmd, f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.reviewer, "reviewer", "", "`name` to keep with the answers (default the user's)")
	flags.StringVar(&f.export, "export", "", "write the proposals as CSV to `file`: identified text")
	flags.StringVar(&f.table, "import", "", "read decisions from a CSV `file`")
	flags.BoolVar(&f.again, "again", false, "ask also about what is decided")
	flags.BoolVar(&f.force, "force", false, "let --export write over a file")
	return cmd
}

func runReview(cmd *cobra.Command, f reviewFlags, path string) (err error) {
	if f.export != "" && f.table != "" {
		return command.UsageError("give either --export or --import")
	}
	list, err := harvest.ReadProposals(path)
	if err != nil {
		return err
	}
	if f.export != "" {
		return exportTable(cmd, f, path, list)
	}
	name, err := command.WhoAmI(f.reviewer)
	if err != nil {
		return err
	}
	journal, err := harvest.OpenJournal(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, journal.Close()) }()
	if f.table != "" {
		return importTable(cmd, f.table, list, journal, name)
	}
	return askOnTerminal(cmd, list, journal, name, f.again)
}

func exportTable(cmd *cobra.Command, f reviewFlags, path string, list []harvest.Proposal) error {
	verdicts, err := harvest.ReadVerdicts(path)
	if err != nil {
		return err
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if f.force {
		mode = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	file, err := os.OpenFile(f.export, mode, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return command.UsageError("--export: %s exists and may hold decisions: choose another name, or say --force", f.export)
	}
	if err != nil {
		return command.UsageError("--export: %w", err)
	}
	if err := errors.Join(harvest.WriteTable(file, list, verdicts), file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s in %s: it is identified text, keep it as you keep the notes\n",
		command.Plural(len(list), "proposal"), f.export)
	return err
}

func importTable(cmd *cobra.Command, table string, list []harvest.Proposal, journal *harvest.Journal, name string) error {
	file, err := os.Open(table)
	if err != nil {
		return command.UsageError("--import: %w", err)
	}
	defer file.Close()
	verdicts, err := harvest.ReadTable(file, list, name, time.Now().UTC().Truncate(time.Second))
	if err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	if err := journal.Add(verdicts...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %s of %d\n", command.Plural(len(verdicts), "decision"), len(list))
	return err
}

// askOnTerminal reads single keys from a terminal, and letters from anything else.
func askOnTerminal(cmd *cobra.Command, list []harvest.Proposal, journal *harvest.Journal, name string, again bool) error {
	r := harvest.Reviewer{Keys: bufio.NewReader(cmd.InOrStdin()), Out: cmd.OutOrStdout(), Journal: journal, Name: name, Again: again}
	restore := func() error { return nil }
	if fd := int(os.Stdin.Fd()); cmd.InOrStdin() == io.Reader(os.Stdin) && term.IsTerminal(fd) {
		before, err := term.MakeRaw(fd)
		if err != nil {
			return err
		}
		r.LineEnd = "\r\n"
		restore = func() error { return term.Restore(fd, before) }
	}
	tally, err := r.Run(cmd.Context(), list)
	if err = errors.Join(err, restore()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "pgdeid: %d yes, %d no, %d skipped, %d left\n", tally.Yes, tally.No, tally.Skipped, tally.Left)
	return err
}
