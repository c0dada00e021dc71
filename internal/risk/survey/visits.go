package survey

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/risk"
)

// visits reads the dates of visits.
type visits struct {
	s      *surveyor
	column risk.Column
	shifts risk.Shifts
	chance *rand.Rand
}

func (v *visits) measure(ctx context.Context) (*risk.Visits, error) {
	types, err := v.s.typesOf(ctx, v.column.Table)
	if err != nil {
		return nil, err
	}
	if !config.IsDate(types[v.column.Name]) {
		v.s.report.Omitted = append(v.s.report.Omitted, risk.Omitted{
			Column: v.column.ID(), Why: "visits are followed in columns of type date and timestamp alone",
		})
		return nil, nil
	}
	out := &risk.Visits{
		Column: v.column.ID(), Shifts: v.shifts.Number(), WholeWeeks: v.s.cfg.Surrogates.Dates.WholeWeeks, Release: string(v.s.cfg.Release.Mode),
	}
	traces := risk.NewTraces(v.shifts)
	err = v.each(ctx, v.statement(true), []any{v.s.Sample}, func(owner string, times []int64) {
		traces.Draw(owner, times, v.chance)
	})
	if err != nil {
		return nil, err
	}
	narrowing := risk.NewNarrowing(v.shifts, risk.Day(v.s.Today))
	err = v.each(ctx, v.statement(false), nil, func(owner string, times []int64) {
		out.Patients++
		out.Visits += int64(len(times))
		traces.Add(owner, times)
		narrowing.Add(daysOf(times))
		out.TimeOfDay = out.TimeOfDay || slices.ContainsFunc(times, func(t int64) bool { return t%secondsOfDay != 0 })
	})
	if err != nil || out.Visits == 0 {
		return nil, err
	}
	out.Unicity, out.Left = traces.Unicity(), narrowing.Left()
	return out, nil
}

const secondsOfDay = 24 * 60 * 60

// daysOf returns the days of times, which are in order, each once.
func daysOf(times []int64) []int {
	var days []int
	for _, t := range times {
		day := t / secondsOfDay
		if t%secondsOfDay < 0 {
			day--
		}
		if n := len(days); n == 0 || days[n-1] != int(day) {
			days = append(days, int(day))
		}
	}
	return days
}

// statement reads pseudonyms with seconds since 1970; of a sample, those of so many patients at random. Pseudonyms are
// random, so their order is, too.
func (v *visits) statement(sample bool) string {
	column := pgx.Identifier{v.column.Name}.Sanitize()
	rows := fmt.Sprintf("%s where %s <> '' and isfinite(%s)", v.s.places.Rows(v.column.Table), v.s.places.Owner, column)
	limit := ""
	if sample {
		limit = fmt.Sprintf(" and %s in (select %[1]s from %s group by 1 order by md5(%[1]s) limit $1)", v.s.places.Owner, rows)
	}
	return fmt.Sprintf("select %s, floor(extract(epoch from %s))::bigint from %s%s order by %[1]s collate \"C\", 2", v.s.places.Owner, column, rows, limit)
}

// each passes the visits of one patient after the other.
func (v *visits) each(ctx context.Context, statement string, args []any, do func(owner string, times []int64)) error {
	rows, err := v.s.tx.Query(ctx, statement, args...)
	if err != nil {
		return err
	}
	var owner, last string
	var second int64
	var times []int64
	_, err = pgx.ForEachRow(rows, []any{&owner, &second}, func() error {
		if owner != last && len(times) > 0 {
			do(last, times)
			times = times[:0]
		}
		last, times = owner, append(times, second)
		return nil
	})
	if err == nil && len(times) > 0 {
		do(last, times)
	}
	return err
}
