package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

func newVaultCmd(g *command.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vault",
		Short: "Open what the replica's vault holds, with the key",
		Long: `The vault in the replica holds surrogates, date shifts, the places of surrogates in
texts and the rows that were set aside, all of it sealed with the key: with these
dates become true ones, and missed names can be distinguished from made-up ones.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newVaultShowCmd(g))
	return cmd
}

// vaultParts are what can be shown: how it is read, and printed in a line of text.
var vaultParts = map[string]func(
	ctx context.Context, v *vault.Reader, of vault.Filter, show func(value any, line ...any) error,
) error{
	"surrogates": func(ctx context.Context, v *vault.Reader, of vault.Filter, show func(any, ...any) error) error {
		return v.Surrogates(ctx, of, func(s vault.Surrogate) error { return show(s, s.Patient, s.Kind, s.Surrogate) })
	},
	"shift": func(ctx context.Context, v *vault.Reader, of vault.Filter, show func(any, ...any) error) error {
		return v.Shifts(ctx, of, func(s vault.Shift) error { return show(s, s.Patient, s.Days) })
	},
	"spans": func(ctx context.Context, v *vault.Reader, of vault.Filter, show func(any, ...any) error) error {
		return v.Texts(ctx, of, func(t vault.MadeText) error {
			for _, s := range t.Spans {
				span := struct {
					vault.MadeText
					vault.Span
					Spans any `json:"spans,omitempty"` // hides those of the text
				}{MadeText: t, Span: s}
				err := show(span, t.Table, t.Column, t.Key, t.Patient, t.At.Format("2006-01-02T15:04:05Z"),
					s.Start, s.End, s.Type, strings.Join(s.By, ","))
				if err != nil {
					return err
				}
			}
			return nil
		})
	},
	"quarantine": func(ctx context.Context, v *vault.Reader, of vault.Filter, show func(any, ...any) error) error {
		return v.Quarantine(ctx, of, func(a vault.Quarantined) error {
			return show(a, a.ID, a.Table, strings.Join(a.Key, ","), a.Patient, a.Reason, a.Last.UTC().Format("2006-01-02T15:04:05Z"))
		})
	},
}

func newVaultShowCmd(g *command.Globals) *cobra.Command {
	var of vault.Filter
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "show {surrogates|shift|spans|quarantine}",
		Short: "Print a part of the vault",
		Long: `show prints, a line each with tabs between, or as JSON Lines:

  surrogates  patient, kind, surrogate
  shift       patient, days by which the patient's dates were moved
  spans       table, column, key, patient, when the text was made, first character
              of the surrogate from 0, character after it, type, detectors; in
              columns of type bytea and in encoded ones they count bytes of the
              document in UTF-8
  quarantine  number, table, key in the source, patient, reason, last attempt

Patients and keys are those of the replica, except for keys of the quarantine, which are
the source's. Say whose or which, or --all. Each use is a line in the log.`,
		Example: `  pgdeid vault show shift --patient 452498837
  pgdeid vault show spans --table ehr.note --key 81724 --json
  pgdeid vault show quarantine --all`,
		ValidArgs: []string{"surrogates", "shift", "spans", "quarantine"},
		Args:      cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkVaultChoice(args[0], &of, all); err != nil {
				return err
			}
			return showVault(cmd.Context(), g, cmd.OutOrStdout(), args[0], of, asJSON)
		},
	}
	cmd.Flags().StringVar(&of.Patient, "patient", "", "only of the patient with this published `key`")
	cmd.Flags().StringVar(&of.Table, "table", "", "only of this `table`, as schema.name")
	cmd.Flags().StringVar(&of.Key, "key", "", "only of the row with this published `key`; a JSON array of texts where it has several columns")
	cmd.Flags().BoolVar(&all, "all", false, "all that there is")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines")
	return cmd
}

// checkVaultChoice returns an error for a choice that the part does not support, and
// normalises the key to its form in the vault.
func checkVaultChoice(part string, of *vault.Filter, all bool) error {
	chosen := of.Patient+of.Table+of.Key != ""
	switch {
	case vaultParts[part] == nil:
		return command.UsageError("there is no %q: surrogates, shift, spans or quarantine", part)
	case all == chosen:
		return command.UsageError("say which (--patient, --table, --key), or --all")
	case of.Key != "" && (part != "spans" || of.Table == ""):
		return command.UsageError("--key goes with spans and with --table")
	case of.Table != "" && (part == "surrogates" || part == "shift"):
		return command.UsageError("%s belong to patients, not to tables: say --patient", part)
	}
	if of.Key != "" && !strings.HasPrefix(of.Key, "[") {
		data, err := json.Marshal([]string{of.Key})
		if err != nil {
			return err
		}
		of.Key = string(data)
	}
	return nil
}

func showVault(ctx context.Context, g *command.Globals, out io.Writer, part string, of vault.Filter, asJSON bool) error {
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return err
	}
	by := "unknown"
	if u, err := user.Current(); err == nil {
		by = u.Username
	}
	slog.Info("the vault is opened", "part", part, "patient", of.Patient, "table", of.Table, "key", of.Key, "by", by)
	enc := json.NewEncoder(out)
	show := func(value any, line ...any) error {
		if asJSON {
			return enc.Encode(value)
		}
		words := make([]string, len(line))
		for i, v := range line {
			words[i] = fmt.Sprint(v)
		}
		_, err := fmt.Fprintln(out, strings.Join(words, "\t"))
		return err
	}
	return admin.OpenVault(ctx, cfg, key, func(v *vault.Reader) error { return vaultParts[part](ctx, v, of, show) })
}
