package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	reviewreport "github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/signature"
	"github.com/pgdeid/pgdeid/replicator/admin"
)

type reportFlags struct {
	claims     []string
	confidence float64
	output     string
	sign       string
	by         string
	asJSON     bool
}

func newReportCmd(g *command.Globals) *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report ROUND",
		Short: "Report what an acceptance sample proves",
		Long: `report computes, from what was decided about the notes of a round that was drawn at random,
recall and precision with their intervals, by group, class and type, the recall of names
by their likely origin and sex, whether --claim is proven, and how the readers agree. The report says who drew and read what and which
version and configuration made it; it has no text of a note and names no patient.

--output NAME writes NAME.json and NAME.html, a page that prints well. --sign KEY signs
both with a key of "pgdeid key signing": "pgdeid review verify" then shows a change of a
single character, and so does openssl.

A claim is proven when all notes of the sample are read and the bounded interval, which
holds however misses bunch, says so. Name it when the round is drawn, "review draw
--claim": the report says which were named later. The exit status is 3 if a claim is not
proven.`,
		Example: `  pgdeid review report spring
  pgdeid review report spring --output spring --sign board.key
  pgdeid review report spring --claim C=.97
  pgdeid review verify --public-key board.key.pub spring.json spring.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, g, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.claims, "claim", nil, "`TYPES=RECALL` to judge, as NAME=.99; may be given several times")
	flags.Float64Var(&f.confidence, "confidence", .95, "`probability` of not making a claim wrongly")
	flags.StringVarP(&f.output, "output", "o", "", "write `NAME`.json and NAME.html")
	flags.StringVar(&f.sign, "sign", "", "sign both with the key in `file`")
	flags.StringVar(&f.by, "by", "", "`name` of who makes the report (default the user's)")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func (f *reportFlags) run(cmd *cobra.Command, g *command.Globals, round string) error {
	claims, err := parseClaims(f.claims, f.confidence)
	if err != nil {
		return err
	}
	by, err := command.WhoAmI(f.by)
	if err != nil {
		return err
	}
	key, err := f.signingKey()
	if err != nil {
		return err
	}
	if f.output != "" {
		for _, suffix := range []string{".json", ".html"} {
			if err := command.RefuseOld(f.output + suffix); err != nil {
				return err
			}
		}
	}
	r, err := makeReport(cmd.Context(), g, round, claims, by)
	if err != nil {
		return err
	}
	if f.output != "" {
		if err := writeReport(r, f.output, key); err != nil {
			return err
		}
	}
	if f.asJSON {
		err = r.WriteJSON(cmd.OutOrStdout())
	} else {
		err = r.WriteText(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	for _, v := range r.Verdicts {
		if !v.Proven {
			return command.Attention(nil)
		}
	}
	return nil
}

// signingKey reads the key to sign with; nil for none.
func (f *reportFlags) signingKey() (*signature.Key, error) {
	if f.sign == "" {
		return nil, nil //nolint:nilnil // no key is no error
	}
	if f.output == "" {
		return nil, command.UsageError("--sign signs files: say --output NAME too")
	}
	key, err := signature.ReadKey(f.sign)
	return &key, err
}

// parseClaims reads claims as NAME=.99.
func parseClaims(words []string, confidence float64) ([]review.Claim, error) {
	claims := make([]review.Claim, 0, len(words))
	for _, word := range words {
		types, share, _ := strings.Cut(word, "=")
		recall, err := strconv.ParseFloat(share, 64)
		if err != nil || !(recall > 0 && recall < 1) {
			return nil, command.UsageError("--claim %s: want TYPES=RECALL with a recall between 0 and 1, as NAME=.99", word)
		}
		if _, types, err = acceptance.ParseTypes(types); err != nil {
			return nil, command.UsageError("--claim: %w", err)
		}
		claims = append(claims, review.Claim{Types: types, Claim: acceptance.Claim{Recall: recall, Confidence: confidence}})
	}
	if !(confidence >= .5 && confidence < 1) {
		return nil, command.UsageError("--confidence %v: want one from 0.5 to below 1", confidence)
	}
	return claims, nil
}

func makeReport(ctx context.Context, g *command.Globals, round string, claims []review.Claim, by string) (*reviewreport.Report, error) {
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return nil, err
	}
	hash, err := detector.MadeHash(ctx, cfg, key)
	if err != nil {
		return nil, err
	}
	in, err := admin.ReadRound(ctx, cfg, key, round)
	if err != nil {
		return nil, err
	}
	in.Claims, in.By, in.At, in.Version, in.Config = claims, by, time.Now(), g.Version, hash
	slog.Info("a report of a review is made", "round", round, "by", by)
	r, err := reviewreport.New(in)
	return r, fault.New("report on round "+strconv.Quote(round), err, reportHint(err))
}

func reportHint(err error) string {
	switch {
	case errors.Is(err, reviewreport.ErrNotRandom):
		return "only a round of kind acceptance says something of all notes: 'pgdeid review draw' draws one"
	case errors.Is(err, reviewreport.ErrNothingRead):
		return "people read notes with 'pgdeid review serve'; 'pgdeid review status' says how far they have come"
	default:
		return ""
	}
}

// writeReport writes the files of a report, and their signatures.
func writeReport(r *reviewreport.Report, name string, key *signature.Key) error {
	for suffix, write := range map[string]func(io.Writer) error{".json": r.WriteJSON, ".html": r.WriteHTML} {
		path := name + suffix
		file, err := command.CreateNew(path)
		if err != nil {
			return err
		}
		if err := errors.Join(write(file), file.Close()); err != nil {
			return err
		}
		if key == nil {
			continue
		}
		if err := key.SignFile(path); err != nil {
			return err
		}
	}
	return nil
}

func newVerifyCmd() *cobra.Command {
	var public string
	cmd := &cobra.Command{
		Use:   "verify --public-key FILE REPORT...",
		Short: "Check that reports are what was signed",
		Long: `verify checks the signature beside each file, FILE.sig, with the signer's public key. Get
that key from the signer, not with the report, or compare its fingerprint over the
telephone. openssl does the same: see the documentation of internal/signature.`,
		Example: "  pgdeid review verify --public-key board.key.pub spring.json spring.html",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if public == "" {
				return command.UsageError("say whose signature it is to be: --public-key FILE")
			}
			key, err := signature.ReadPublicKey(public)
			if err != nil {
				return err
			}
			for _, path := range args {
				if err := key.VerifyFile(path); err != nil {
					return fault.New("check a report", err, "get the file and its .sig again from who signed it, and compare the key's fingerprint")
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is what the holder of key %s signed\n", path, key.Fingerprint())
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&public, "public-key", "", "the signer's public key in `file`")
	return cmd
}
