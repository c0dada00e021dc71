package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/about"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/detector"
	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/preflight"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/dossier"
	"github.com/pgdeid/pgdeid/models"
	"github.com/pgdeid/pgdeid/replicator/admin"
	"github.com/pgdeid/pgdeid/replicator/leaks"
	"github.com/pgdeid/pgdeid/sql/finding"
	"github.com/pgdeid/pgdeid/surrogate"
)

// dossierFlags say what goes into a dossier, and where it goes.
type dossierFlags struct {
	output     string
	title      string
	acceptance string
	publicKey  string
	risk       riskFlags
	riskFile   string
	noLeaks    bool
	asJSON     bool
}

func newDossierCmd(g *command.Globals) *cobra.Command {
	f := &dossierFlags{}
	cmd := &cobra.Command{
		Use:   "dossier -o FILE",
		Short: "Put what an expert determination or a privacy board asks for into one page",
		Long: `dossier writes one HTML page that needs nothing else and prints well: configuration and
its hashes, what is published of each column, models with their cards, the acceptance
report of notes (--acceptance, with its signature checked by --public-key), a search of
everything that is published for the identifiers of its patient's record, the risk in the tables
as "pgdeid risk" measures it, versions, what made the texts, and what is open: findings of
"pgdeid check", rows that were set aside, values that were withheld.

It has counts and names of columns, no value of a row, and is the same for the same state of
both databases but for the time. The search reads the records of all patients and needs the key.

Exit status: 0 if nothing is open, 3 if something needs a person.`,
		Example: `  pgdeid dossier -o dossier.html --acceptance spring.json --public-key board.key.pub --population 350000
  pgdeid dossier -o dossier.html --risk risk.json
  chromium --headless --print-to-pdf=dossier.pdf dossier.html`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, g) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write, which must not be there")
	flags.StringVar(&f.title, "title", "De-identification dossier", "of the page")
	flags.StringVar(&f.acceptance, "acceptance", "", "JSON `file` of 'pgdeid review report --output'")
	flags.StringVar(&f.publicKey, "public-key", "", "`file` with the public key that the acceptance report was signed for")
	flags.StringVar(&f.riskFile, "risk", "", "`file` of 'pgdeid risk --json', instead of measuring again")
	flags.Int64Var(&f.risk.options.Population, "population", 0, "`people` of whom the patients are a sample")
	flags.BoolVar(&f.noLeaks, "no-leak-scan", false, "leave the search for leaks out; the page says so")
	flags.BoolVar(&f.asJSON, "json", false, "write JSON instead of a page")
	return cmd
}

func (f *dossierFlags) run(cmd *cobra.Command, g *command.Globals) error {
	if f.output == "" {
		return command.UsageError("say where to: pgdeid dossier -o FILE")
	}
	if f.publicKey != "" && f.acceptance == "" {
		return command.UsageError("--public-key checks the report that --acceptance names")
	}
	if err := command.RefuseOld(f.output); err != nil {
		return err
	}
	d, err := f.gather(cmd, g)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return command.UsageError("--output: %w", err)
	}
	write := d.WriteHTML
	if f.asJSON {
		write = d.WriteJSON
	}
	if err := write(file); err != nil {
		file.Close()
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := printSummary(cmd.OutOrStdout(), d); err != nil {
		return err
	}
	if d.NeedsPerson() {
		return command.Attention(nil)
	}
	return nil
}

func printSummary(w io.Writer, d *dossier.Dossier) error {
	for _, s := range d.Summary() {
		if _, err := fmt.Fprintf(w, "%-26s %s %s\n", s.Name, s.Value, s.More); err != nil {
			return err
		}
	}
	return nil
}

// gather fills a dossier, what is quickly refused first.
func (f *dossierFlags) gather(cmd *cobra.Command, g *command.Globals) (d *dossier.Dossier, err error) {
	cfg, key, err := g.LoadWithKey()
	if err != nil {
		return nil, err
	}
	d = &dossier.Dossier{Title: f.title, Made: time.Now().UTC(), Tables: dossier.TablesOf(cfg)}
	if f.acceptance != "" {
		if d.Acceptance, err = dossier.ReadAcceptance(f.acceptance, f.publicKey); err != nil {
			return nil, err
		}
	}
	if f.riskFile != "" {
		if d.Risk, err = dossier.ReadRisk(f.riskFile, cfg.Hash()); err != nil {
			return nil, err
		}
	}
	ctx := cmd.Context()
	for _, step := range []func() error{
		func() error { return addConfiguration(ctx, d, cfg, key) },
		func() error { return addModels(d, cfg, g.Version) },
		func() error { return admin.AddState(ctx, d, cfg, g.Version) },
		func() error { return addFindings(ctx, d, g) },
		func() error { return f.addRisk(cmd, d, cfg, g.Version) },
		func() error { return f.addLeaks(ctx, d, cfg, key) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func addConfiguration(ctx context.Context, d *dossier.Dossier, cfg *config.Config, key *surrogate.Key) error {
	data, err := os.ReadFile(cfg.Path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	made, err := detector.MadeHash(ctx, cfg, key)
	d.Configuration = dossier.Configuration{
		File: hex.EncodeToString(sum[:]), Mapping: cfg.Hash(), Schema: cfg.SchemaHash(), Made: made, Lines: dossier.SettingsOf(cfg),
	}
	return err
}

func addModels(d *dossier.Dossier, cfg *config.Config, version string) error {
	info, err := about.Read(version)
	if err != nil {
		return err
	}
	d.Versions = append(d.Versions, dossier.Line{Name: "pgdeid", Value: fmt.Sprintf("%s (%s, %s/%s)", info.Version, info.Go, info.OS, info.Arch)})
	if info.ONNXRuntime != "" {
		d.Versions = append(d.Versions, dossier.Line{Name: "ONNX Runtime", Value: info.ONNXRuntime})
	}
	plan, err := models.PlanOf(&cfg.Detect)
	if err != nil {
		return err
	}
	d.Models, err = plan.Dossier()
	return err
}

// addFindings keeps of "check" what is more than a remark on a table: policies are listed anyway.
func addFindings(ctx context.Context, d *dossier.Dossier, g *command.Globals) error {
	all, err := preflight.Findings(ctx, g)
	for _, f := range all {
		if f.Level == finding.Problem || f.Level == finding.Warning {
			d.Findings = append(d.Findings, dossier.Finding{Level: string(f.Level), Subject: f.Subject, Text: f.Text, Remedy: f.Remedy})
		}
	}
	return err
}

func (f *dossierFlags) addRisk(cmd *cobra.Command, d *dossier.Dossier, cfg *config.Config, version string) (err error) {
	if d.Risk == nil {
		slog.Info("the risk in the tables is measured")
		d.Risk, err = f.risk.measure(cmd, cfg, version)
	}
	return err
}

func (f *dossierFlags) addLeaks(ctx context.Context, d *dossier.Dossier, cfg *config.Config, key *surrogate.Key) error {
	if f.noLeaks {
		return nil
	}
	slog.Info("everything that is published is searched for leaks")
	last := time.Now()
	r, err := leaks.Scan(ctx, cfg, key, slog.Default(), func(done, all int) {
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			slog.Info("searched", "patients", done, "of", all)
		}
	})
	if err != nil {
		return err
	}
	d.Leaks = &dossier.LeakScan{
		Patients: r.Patients, Tables: r.Tables, Columns: r.Columns, Rows: r.Rows, Values: r.Values, Bytes: r.Bytes,
		Unread: r.Unread, Unknown: r.Unknown, Leaks: r.Leaks(),
	}
	for _, c := range r.Found {
		d.Leaks.Found = append(d.Leaks.Found, dossier.Leak(c))
	}
	return nil
}
