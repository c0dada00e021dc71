// Package survey reads a replica for package risk. Counting is PostgreSQL's: what comes over the connection are counts, and, of
// visits, pseudonyms with times, one patient after the other. So its memory does not grow with the number of patients.
package survey

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/risk"
)

// Places says where the rows of mapped tables are.
type Places struct {
	Rows  func(*config.Table) string // quoted
	Owner string                     // the column with the pseudonym of a row's patient, or the empty text
}

// Options say what is measured.
type Options struct {
	Choice     risk.Choice
	Sensitive  []string // columns of which classes should have many values
	Visits     string   // column with the dates of visits; "" for the one that looks like it
	Smallest   int64    // members of the smallest class that is not at risk
	Population int64    // people of whom the patients are a sample; 0: not known
	Register   *Register
	Depth      int // columns in the largest sets that are tried
	Sample     int // patients drawn to be recognised by their visits
	Steps      int // of the proposed plan
	// Table is where the quasi-identifiers and sensitive columns of each patient go as CSV, with values as analysts see them, for a
	// comparison with other programs; nil: nowhere.
	Table io.Writer
	Today time.Time
}

// The defaults of options.
const (
	DefaultSmallest = config.DefaultSmallestClass
	DefaultDepth    = 3
	DefaultSample   = 1000
	DefaultSteps    = 6
)

func (o Options) withDefaults() Options {
	if o.Smallest == 0 {
		o.Smallest = DefaultSmallest
	}
	if o.Depth == 0 {
		o.Depth = DefaultDepth
	}
	if o.Sample == 0 {
		o.Sample = DefaultSample
	}
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.Today.IsZero() {
		o.Today = time.Now()
	}
	return o
}

// surveyor works in one transaction, in which all that it makes is temporary.
type surveyor struct {
	Options
	cfg    *config.Config
	places Places
	tx     pgx.Tx
	report *risk.Report
	fields []field // of the quasi-identifiers, then of the sensitive columns
	quasi  int     // how many of the fields are quasi-identifiers
}

// Run measures the risk in the database of conn, whose role may make temporary tables there. It changes nothing.
func Run(ctx context.Context, conn *pgx.Conn, cfg *config.Config, places Places, o Options) (*risk.Report, error) {
	const op = "measure the risk in the replica"
	// No writer is disturbed; what is seen is the replica at one moment.
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return nil, fault.New(op, err, "")
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	s := &surveyor{Options: o.withDefaults(), cfg: cfg, places: places, tx: tx}
	s.report = &risk.Report{Made: s.Today.UTC().Truncate(time.Second), Mapping: cfg.Hash(), Smallest: s.Smallest}
	for _, step := range []func(context.Context) error{
		s.prepare, s.readPeople, s.writePeople, s.countColumns, s.countTogether, s.countSets, s.countDiversity, s.propose, s.followVisits,
	} {
		if err := step(ctx); err != nil {
			return nil, fault.New(op, err, hintOf(err))
		}
	}
	return s.report, nil
}

func hintOf(err error) string {
	switch fault.State(err) {
	case "42501":
		return "it needs a role that may read the schemas of pgdeid and make temporary tables: set replica.admin_dsn to the one that migrated"
	case "42P01":
		return "run 'pgdeid migrate up' first"
	}
	return fault.Hint(err)
}

// prepare lets the server sort and hash in memory.
func (s *surveyor) prepare(ctx context.Context) error {
	_, err := s.tx.Exec(ctx, "set local work_mem = '64MB'")
	return err
}

// sizes returns the equivalence classes of the patients by some expressions.
func (s *surveyor) sizes(ctx context.Context, by []string) (risk.Sizes, error) {
	rows, err := s.tx.Query(ctx, sizesStatement(by))
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[risk.Size])
	return risk.NewSizes(list...), err
}

// countTogether measures all quasi-identifiers at once.
func (s *surveyor) countTogether(ctx context.Context) error {
	sizes, err := s.sizes(ctx, s.expressions())
	if err != nil {
		return err
	}
	s.report.Patients = sizes.Records()
	s.report.Together = sizes.Anonymity(s.Smallest)
	s.report.Bins = sizes.Bins(s.Smallest)
	population := risk.Population{People: s.Population}
	if s.Register != nil {
		s.report.Journalist, err = s.compareRegister(ctx, population)
		return err
	}
	if s.Population == 0 {
		return nil
	}
	if s.Population < s.report.Patients {
		return fault.New("estimate the risk in the population", fmt.Errorf("it has %d people, and the replica %d patients",
			s.Population, s.report.Patients), "say of how many people the patients are a sample")
	}
	j := population.Estimate(sizes, s.Smallest)
	s.report.Journalist = &j
	return nil
}

// expressions returns the columns of the patients' table, unchanged.
func (s *surveyor) expressions() []string {
	list := make([]string, s.quasi)
	for i := range list {
		list[i] = s.fields[i].name()
	}
	return list
}

// followVisits measures what the days of visits tell.
func (s *surveyor) followVisits(ctx context.Context) error {
	column, found, err := risk.VisitColumn(s.cfg, s.Visits)
	if err != nil {
		return fault.New("choose the dates of visits", err, "name another one with --visits, or risk.visits of the configuration")
	}
	if !found {
		return nil
	}
	v := &visits{
		s: s, column: column, shifts: risk.NewShifts(s.cfg.Surrogates.Dates),
		chance: rand.New(rand.NewPCG(1, 2)), //nolint:gosec // a sample that can be drawn again; pseudonyms are random already
	}
	s.report.Visits, err = v.measure(ctx)
	return err
}

// Or returns the options with the configuration's settings where they say nothing.
func (o Options) Or(r config.Risk) Options {
	if len(o.Choice.Columns) == 0 {
		o.Choice.Columns = r.Columns
	}
	if len(o.Choice.Ignore) == 0 {
		o.Choice.Ignore = r.Ignore
	}
	if len(o.Sensitive) == 0 {
		o.Sensitive = r.Sensitive
	}
	if o.Visits == "" {
		o.Visits = r.Visits
	}
	if o.Population == 0 {
		o.Population = int64(r.Population)
	}
	if o.Smallest == 0 {
		o.Smallest = int64(r.SmallestClass)
	}
	return o
}
