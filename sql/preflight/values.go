package preflight

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	grammar "github.com/pgdeid/pgdeid/internal/plain" // this package has a plain of its own

	"github.com/pgdeid/pgdeid/sql/catalog"
	"github.com/pgdeid/pgdeid/sql/postgres"
	"github.com/pgdeid/pgdeid/sql/quote"
)

// sampledRows is how many rows of a table are looked at.
const sampledRows = 2000

// checkValues looks at some rows of each table for values that can't be what the
// policy of their column means, and for dates that are published twice, once moved
// and once not. No value leaves this file: findings say how many of which kind.
func (p *run) checkValues(ctx context.Context, conn *pgx.Conn) error {
	for i := range p.cfg.Tables {
		t := &p.cfg.Tables[i]
		table := p.catalog.Tables[t.FullName()]
		if table == nil {
			continue
		}
		columns := p.sampledColumns(t, table)
		if !slices.ContainsFunc(columns, func(c *sampled) bool { return c.Publish != config.Keep }) {
			continue
		}
		if err := p.sample(ctx, conn, t, columns); fault.State(err) == "42501" {
			continue // that the role can't read the table is a finding of its own
		} else if err != nil {
			return fault.New("look at values of "+t.FullName(), err, "")
		}
		for _, c := range columns {
			p.judgeValues("table "+t.FullName()+" column "+c.Name, c)
		}
		p.judgeTwins("table "+t.FullName(), columns)
	}
	return nil
}

// sampled is a column of which values were looked at.
type sampled struct {
	config.Column
	isDate bool // by its type
	moved  bool // by the patient's shift
	values []reading
}

// reading is what a value turned out to be; nothing of the value itself but the
// moment that it names.
type reading struct {
	null bool
	kind string // in words, without the value
	err  error  // whether it fits the policy
	day  string // YYYY-MM-DD in UTC, for complete dates
	year int    // for years and dates
}

// sampledColumns returns the columns whose policies read values, and those kept as
// they are.
func (p *run) sampledColumns(t *config.Table, table *catalog.Table) []*sampled {
	moves := t.HasPatient() && !p.cfg.NotesKeepDates()
	var columns []*sampled
	for _, in := range table.Columns {
		c, ok := t.Column(in.Name)
		if !ok || c.Separator != "" || strings.HasSuffix(in.Type, "[]") {
			continue
		}
		if _, err := c.ReplicaType(in.Type); err != nil {
			continue // said before
		}
		s := &sampled{Column: *c, isDate: config.IsDate(in.Type)}
		switch c.Publish {
		case config.Year, config.ShiftDate:
			s.moved = moves
		case config.AgeCap:
		case config.Keep:
			if !moves || !s.isDate && !mayBeDate(in.Type) {
				continue
			}
		default:
			continue
		}
		columns = append(columns, s)
	}
	return columns
}

// mayBeDate reports whether a type that is none of dates can hold one all the same.
func mayBeDate(source string) bool {
	_, err := config.ReplicaType(config.ShiftDate, source)
	return err == nil
}

// sample reads rows from all over the table.
func (p *run) sample(ctx context.Context, conn *pgx.Conn, t *config.Table, columns []*sampled) error {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "to_jsonb(" + quote.Name(c.Name) + ") #>> '{}'" // one form whatever the server's DateStyle
	}
	return eachSampled(ctx, conn, t, list, sampledRows, func(row []*string) {
		for i, c := range columns {
			c.values = append(c.values, c.read(row[i]))
		}
	})
}

// eachSampled passes the values of expressions in rows from all over a table, at most limit of them.
func eachSampled(ctx context.Context, conn *pgx.Conn, t *config.Table, list []string, limit int, each func(row []*string)) error {
	rows, err := postgres.Number(ctx, conn, `select coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint from pg_partition_tree(to_regclass($1)) t
		join pg_class c on c.oid = t.relid union all select greatest(reltuples, 0)::bigint from pg_class where oid = to_regclass($1) limit 1`,
		quote.Name(t.Schema, t.Name))
	if err != nil {
		return err
	}
	from := quote.Name(t.Schema, t.Name)
	if rows > int64(4*limit) { // where there are fewer, the planner's estimate may be of an empty table
		from += fmt.Sprintf(" tablesample system (%g)", math.Min(100, float64(400*limit)/float64(rows)))
	}
	found, err := conn.Query(ctx, fmt.Sprintf("select array[%s] from %s limit %d", strings.Join(list, ", "), from, limit))
	if err != nil {
		return err
	}
	var row []*string
	_, err = pgx.ForEachRow(found, []any{&row}, func() error {
		each(row)
		return nil
	})
	return err
}

// read classifies a value.
func (c *sampled) read(value *string) reading {
	if value == nil || strings.TrimSpace(*value) == "" {
		return reading{null: true}
	}
	text := *value
	r := reading{kind: "text of another kind"}
	day, dayErr := grammar.ParseDate(text, c.Order)
	year, yearErr := grammar.ParseYear(text, c.Order)
	_, ageErr := grammar.Age(text)
	switch {
	case dayErr == nil:
		r.kind, r.day, r.year = "a date", day.Time().UTC().Format(time.DateOnly), day.Time().UTC().Year()
	case errors.Is(dayErr, grammar.ErrOrder):
		r.kind, r.year = "a date", year.Number
	case yearErr == nil:
		r.kind, r.year = "a year", year.Number
	case ageErr == nil:
		r.kind = "a small number"
	case strings.Trim(text, "0123456789.-") == "":
		r.kind = "a number out of range"
	case c.isDate:
		r.kind = "a date out of range, such as infinity"
	}
	switch c.Publish {
	case config.Year:
		r.err = yearErr
		if errors.Is(yearErr, grammar.ErrOrder) && !c.moved {
			r.err = nil
		}
	case config.AgeCap:
		r.err = ageErr
	case config.ShiftDate:
		if r.err = dayErr; c.isDate && strings.HasSuffix(text, "infinity") {
			r.err = nil
		}
	}
	return r
}

// judgeValues says which values of a column will be withheld.
func (p *run) judgeValues(subject string, c *sampled) {
	var all, unfit, eitherOrder int
	kinds := map[string]int{}
	for _, r := range c.values {
		switch {
		case r.null:
			continue
		case errors.Is(r.err, grammar.ErrOrder):
			eitherOrder++
		case r.err != nil:
			unfit++
			kinds[r.kind]++
		}
		all++
	}
	if eitherOrder > 0 {
		p.Problem(subject, fmt.Sprintf("%d of %d values looked at are dates that can be read month first or day first; "+
			"they would be published as NULL", eitherOrder, all),
			fmt.Sprintf("say which: {publish: %s, order: mdy} or {publish: %[1]s, order: dmy}", c.Publish))
	}
	if unfit == 0 {
		return
	}
	var what []string
	for kind, n := range kinds {
		what = append(what, fmt.Sprintf("%d are %s", n, kind))
	}
	slices.Sort(what)
	text := fmt.Sprintf("%d of %d values looked at can't be what policy %s means, and would be published as NULL: %s",
		unfit, all, c.Publish, strings.Join(what, ", "))
	if unfit == all {
		p.Problem(subject, text, "choose the policy that fits what the column holds, or drop")
	} else {
		p.Warn(subject, text, "nothing, if it may be NULL for those; otherwise correct them in the source or choose another policy")
	}
}

// twinYears is how many years, nine in ten of them equal, make two columns twins.
const twinYears = 20

// judgeTwins refuses a column that is kept and holds the moments of one that is moved:
// the difference is the patient's shift.
func (p *run) judgeTwins(subject string, columns []*sampled) {
	for _, kept := range columns {
		if kept.Publish != config.Keep {
			continue
		}
		found := false
		for _, moved := range columns {
			if !moved.moved {
				continue
			}
			days, years, both := kept.equals(moved)
			if found = days > 0 || years >= twinYears && 10*years >= 9*both; found {
				what := fmt.Sprintf("the same day in %d", days)
				if days == 0 {
					what = fmt.Sprintf("the year of the same day in %d", years)
				}
				p.Problem(subject+" column "+kept.Name, fmt.Sprintf("is kept as it is, and has %s of %d rows looked at as column %s, which is moved: "+
					"their difference gives the patient's shift away", what, both, moved.Name),
					fmt.Sprintf("publish %s as date_shift or year, or drop it", kept.Name))
				break
			}
		}
		if kept.isDate && !found {
			p.Warn(subject+" column "+kept.Name, "is a date of a patient and kept as it is, while notes and other dates are moved",
				"publish it as date_shift or year, unless it is no date of anything that happened to a patient")
		}
	}
}

// equals counts the rows in which two columns have the same day, or one has the year
// of the other's day, and the rows in which both have a date or a year.
func (c *sampled) equals(other *sampled) (days, years, both int) {
	for i, a := range c.values {
		b := other.values[i]
		if a.year == 0 || b.year == 0 {
			continue
		}
		both++
		switch {
		case a.day != "" && a.day == b.day:
			days++
		case a.day == "" && b.day != "" && a.year == b.year:
			years++
		}
	}
	return days, years, both
}
