package admin

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Ages over 89, and years that show one, are capped when a row is written. People
// grow older: with each new year another year of birth has to be capped.
func capTask() maintenance {
	return maintenance{
		name: "cap", what: "birth years and dates that tell an age over 89 by now",
		due: func(last, now time.Time) bool { return last.UTC().Year() < now.UTC().Year() },
		run: capAges,
	}
}

// capAges goes through the columns that can show an age over 89. All that it needs
// is what is published. Rows are found again by their key, which stays as it is.
func capAges(ctx context.Context, r *session.Session, w *apply.Writer) ([]Maintained, error) {
	var all []Maintained
	for _, t := range r.Plan.Tables {
		for _, c := range t.Publish {
			col := &t.Columns[c]
			which, recap := capOf(r, t, col)
			if which == "" || t.Identifies(c) {
				continue
			}
			for _, place := range t.Places() {
				rows, err := replaceValues(ctx, w, place, col, which, recap)
				if err != nil {
					return all, fault.New("cap column "+col.Name+" of "+t.ID, connect.Lost(w.Conn, err), apply.WriteHint(err))
				}
				all = append(all, Maintained{Task: "cap", Place: t.ID + "." + col.Name, Rows: rows})
			}
		}
	}
	return all, nil
}

// capOf returns which rows t of a table may have to be capped in a column, "" for none,
// and what becomes of a value. An age in a row with a birth date is the person's age now; one
// in a row of something that happened is the age at that time and grows no more.
func capOf(r *session.Session, t *schema.Table, col *schema.Column) (which string, recap func(string) (string, bool)) {
	oldest := surrogate.OldestBirth(r.Now())
	capped := func(text string) (string, bool) { return capPublished(col, text, oldest) }
	name := "t." + schema.Quote(col.Name)
	switch {
	case len(col.Rules) > 0:
		return inDocuments(col, oldest, r.Deid.Maker.OldestYear() > 0)
	case col.Publish == config.AgeCap:
		return bornIn(t, oldest), plain.OldestAge
	case col.Publish == config.Year && col.Tells == "birth_date":
		return name + " is not null", capped
	case col.Publish != config.ShiftDate || r.Deid.Maker.OldestYear() == 0:
		return "", nil
	case config.IsDate(col.Replica):
		return fmt.Sprintf("isfinite(%s) and %[1]s < make_date(%d, 1, 1)", name, oldest), capped
	}
	return name + " is not null", capped
}

// replaceValues gives a column of some rows other values, by value: rows that the stream
// writes in between are right already.
func replaceValues(ctx context.Context, w *apply.Writer, place string, col *schema.Column, which string,
	other func(string) (string, bool),
) (rows int64, err error) {
	var was, now []string
	value, same := "t."+schema.Quote(col.Name), "u.was::"+col.Replica
	if len(col.Rules) > 0 { // documents of type json can't be compared
		value, same = value+"::text", "u.was"
	}
	read := fmt.Sprintf("select distinct %s from %s t where %s and %[1]s is not null", value, place, which)
	err = schema.QueryText(ctx, w.Conn, read, func(row [][]byte) error {
		if to, changed := other(string(row[0])); changed {
			was, now = append(was, string(row[0])), append(now, to)
		}
		return nil
	})
	if err != nil || len(was) == 0 {
		return 0, err
	}
	tx, err := w.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer apply.Rollback(tx)
	write := fmt.Sprintf("update %s t set %s = u.now::%s from unnest($1::text[], $2::text[]) u (was, now) where %s = %s and %s",
		place, schema.Quote(col.Name), col.Replica, value, same, which)
	tag, err := tx.Exec(ctx, write, was, now)
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), tx.Commit(ctx)
}

// bornIn returns a condition on rows t of a table whose birth date or year, by its own
// columns, is of a year or earlier; "" if it has no such column.
func bornIn(t *schema.Table, year int) string {
	for _, c := range t.Publish {
		col := &t.Columns[c]
		name := "t." + schema.Quote(col.Name)
		switch {
		case col.Tells != "birth_date":
		case col.Publish == config.Year && schema.IsInteger(col.Replica):
			return fmt.Sprintf("%s <= %d", name, year)
		case col.Publish == config.Year:
			return fmt.Sprintf("%s <= '%d' collate \"C\"", name, year)
		case col.Publish == config.ShiftDate && config.IsDate(col.Replica):
			return fmt.Sprintf("isfinite(%s) and %[1]s < make_date(%d, 1, 1)", name, year+1)
		}
	}
	return ""
}

// capPublished caps a published value, and reports whether that changed it.
func capPublished(col *schema.Column, text string, oldest int) (string, bool) {
	if col.Publish == config.Year {
		y, err := plain.ParseYear(text, col.Order)
		if err != nil || y.Number >= oldest {
			return "", false
		}
		y.Number = oldest
		return y.String(), true
	}
	to, err := col.Map(text, func(one string) (string, error) { return capDate(col, one, oldest), nil })
	if err != nil || to == text {
		return "", false
	}
	return to, true
}

// capDate caps one date; what is none, or shows no age over the limit, stays as it is.
func capDate(col *schema.Column, text string, oldest int) string {
	d, err := plain.ParseDate(text, col.Order)
	if err != nil || d.Time().Year() >= oldest {
		return text
	}
	return d.Write(surrogate.NotBefore(d.Time(), oldest))
}

// inDocuments is capOf for a column of JSON. An age in a document is that of when it was written.
func inDocuments(col *schema.Column, oldest int, dates bool) (which string, recap func(string) (string, bool)) {
	capped := func(rule *schema.Column) bool {
		return rule.Publish == config.Year && rule.Tells == "birth_date" || rule.Publish == config.ShiftDate && dates
	}
	if !slices.ContainsFunc(col.Rules, func(rule schema.Column) bool { return capped(&rule) }) {
		return "", nil
	}
	return "t." + schema.Quote(col.Name) + " is not null", func(text string) (string, bool) {
		changed := false
		opened, err := col.Form.OpenWith(text, func(rule int, value string, _ func(string) string) (string, bool) {
			if r := &col.Rules[rule]; capped(r) {
				if to, old := capInDocument(r, value, oldest); old {
					changed, value = true, to
				}
			}
			return value, true
		})
		if err != nil || !changed {
			return "", false
		}
		written, err := opened.Write(surrogate.Result{Text: opened.Text()})
		return written.Value, err == nil
	}
}

// capInDocument is capPublished for what is at a path, which may be a date without a day.
func capInDocument(rule *schema.Column, text string, oldest int) (string, bool) {
	p, err := plain.ParsePartial(text)
	if err != nil {
		return capPublished(rule, text, oldest)
	}
	first, _ := p.Days()
	if first.Year() >= oldest {
		return "", false
	}
	return strconv.Itoa(oldest) + text[len("2006"):], true
}
