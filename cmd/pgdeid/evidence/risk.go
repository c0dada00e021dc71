package evidence

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"github.com/pgdeid/pgdeid/cmd/pgdeid/internal/command"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/risk"
	"github.com/pgdeid/pgdeid/internal/risk/survey"
	"github.com/pgdeid/pgdeid/sql/migrations"
	"github.com/pgdeid/pgdeid/sql/research"
)

// riskFlags overrule what the configuration says of risk.
type riskFlags struct {
	options  survey.Options
	register string // file
	html     string // file
	table    string // file
	json     bool
}

func newRiskCmd(g *command.Globals) *cobra.Command {
	f := &riskFlags{}
	cmd := &cobra.Command{
		Use:   "risk",
		Short: "Measure what is left in the tables of the replica: who is unique, and by what",
		Long: `risk looks at what analysts see and counts: patients who are unique by what the replica
publishes of them (sex, year of birth, ZIP3, race, language, …), the sizes of classes of
patients who look alike, and the risks that follow for a prosecutor, a journalist and a
marketer (El Emam); which sets of columns make patients unique; codes that few patients
have; how many known visits single a patient out, and how far shown days narrow the shift
of dates. Then it computes what coarser columns would come to. It changes nothing.

It proposes quasi-identifiers from the policies of the mapping; --columns, --ignore and
"risk" of the configuration overrule that. Nothing that it prints is a value of a row;
--table writes the columns of each patient, as analysts see them, for a comparison with ARX
or sdcMicro. It reads as the role of replica.admin_dsn, in temporary tables.

Methods and their sources: internal/risk/README.md.`,
		Example: `  pgdeid risk
  pgdeid risk --population 350000 --html risk.html
  pgdeid risk --register census.csv --columns ehr.patient.sex,ehr.patient.birth_date,ehr.address.zip
  pgdeid risk --json | jq .together
  pgdeid risk --columns ehr.patient.sex,ehr.patient.birth_date --table people.csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := g.Load()
			if err != nil {
				return err
			}
			report, err := f.measure(cmd, cfg, g.Version)
			if err != nil {
				return err
			}
			return f.write(cmd.OutOrStdout(), report)
		},
	}
	o := &f.options
	flags := cmd.Flags()
	flags.StringSliceVar(&o.Choice.Columns, "columns", nil, "quasi-identifiers, as `schema.table.column`, instead of those proposed")
	flags.StringSliceVar(&o.Choice.Ignore, "ignore", nil, "`columns` that are none")
	flags.StringSliceVar(&o.Sensitive, "sensitive", nil, "`columns` that should differ among patients who look alike")
	flags.StringVar(&o.Visits, "visits", "", "`column` with the dates of visits")
	flags.Int64Var(&o.Population, "population", 0, "`people` of whom the patients are a sample, such as those of the region")
	flags.StringVar(&f.register, "register", "", "CSV `file` that counts the population by some of the columns, the last one being \"count\"")
	flags.Int64Var(&o.Smallest, "smallest-class", 0, "`patients` who have to look alike so that none is at risk (11 unless configured)")
	flags.IntVar(&o.Depth, "set-columns", survey.DefaultDepth, "columns in the largest sets that are tried")
	flags.IntVar(&o.Sample, "sample", survey.DefaultSample, "`patients` who are drawn to be recognised by their visits")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.html, "html", "", "also write a page with charts to `file`")
	flags.StringVar(&f.table, "table", "", "also write the measured columns of each patient, as published, to a CSV `file`")
	return cmd
}

// measure runs the survey with the configuration's settings where no flag says otherwise.
func (f *riskFlags) measure(cmd *cobra.Command, cfg *config.Config, version string) (*risk.Report, error) {
	if f.register != "" {
		file, err := os.Open(f.register)
		if err != nil {
			return nil, command.UsageError("--register: %w", err)
		}
		defer file.Close()
		if f.options.Register, err = survey.ReadRegister(file); err != nil {
			return nil, command.UsageError("--register: %w", err)
		}
	}
	conn, err := connect.ReplicaAdmin(cmd.Context(), cfg)
	if err != nil {
		return nil, err
	}
	defer connect.Close(conn)
	if err := migrations.CheckReplica(cmd.Context(), conn); err != nil {
		return nil, err
	}
	report, err := f.survey(cmd.Context(), conn, cfg)
	if err == nil {
		report.Version = version
	}
	return report, err
}

// survey measures, and writes the table of patients where one is asked for.
func (f *riskFlags) survey(ctx context.Context, conn *pgx.Conn, cfg *config.Config) (*risk.Report, error) {
	o := f.options.Or(cfg.Risk)
	if f.table == "" {
		return survey.Run(ctx, conn, cfg, shownRows(cfg), o)
	}
	file, err := os.OpenFile(f.table, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, command.UsageError("--table: %w", err)
	}
	o.Table = file
	report, err := survey.Run(ctx, conn, cfg, shownRows(cfg), o)
	return report, errors.Join(err, file.Close())
}

// shownRows are the tables with the rows that analysts see.
func shownRows(cfg *config.Config) survey.Places {
	rows := research.RowsTable
	if cfg.Release.Mode != config.Live {
		rows = research.ReleasedTable
	}
	return survey.Places{Rows: rows, Owner: research.PatientColumn}
}

func (f *riskFlags) write(out io.Writer, report *risk.Report) error {
	if f.html != "" {
		file, err := os.Create(f.html)
		if err != nil {
			return command.UsageError("--html: %w", err)
		}
		if err := report.WriteHTML(file); err != nil {
			file.Close()
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	if !f.json {
		return report.WriteText(out)
	}
	return command.PrintJSON(out, report)
}
