package proposal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/plain"
)

// sampleRows is how many rows of a table are looked at.
const sampleRows = 300

// shape counts what values look like. It holds no value.
type shape struct {
	values   int // that are not null
	longest  int // in code points
	total    int // code points of all values
	words    int // values with at least five words
	emails   int
	phones   int
	ssns     int
	zips     int
	urls     int
	days     int // complete dates that can be read in one way
	twoWays  int // and in two
	distinct int
}

var (
	emailShape = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$`)
	phoneShape = regexp.MustCompile(`^\+?[\d\s().-]*\d{3}[\s).-]*\d{3,4}[\s.-]*\d{4}(\s*(x|ext\.?)\s*\d+)?$`)
	ssnShape   = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)
	zipShape   = regexp.MustCompile(`^\d{5}(-\d{4})?$`)
	urlShape   = regexp.MustCompile(`^https?://\S+$`)
)

// add counts one value.
func (s *shape) add(v string) {
	v = strings.TrimSpace(v)
	n := utf8.RuneCountInString(v)
	s.values++
	s.total += n
	s.longest = max(s.longest, n)
	if len(strings.Fields(v)) >= 5 {
		s.words++
	}
	if n > 100 {
		return
	}
	for _, c := range []struct {
		like  *regexp.Regexp
		count *int
	}{{emailShape, &s.emails}, {ssnShape, &s.ssns}, {zipShape, &s.zips}, {urlShape, &s.urls}} {
		if c.like.MatchString(v) {
			*c.count++
		}
	}
	switch _, err := plain.ParseDate(v, plain.AnyOrder); {
	case err == nil:
		s.days++
	case errors.Is(err, plain.ErrOrder):
		s.twoWays++
	}
	if digits := countDigits(v); digits >= 10 && digits <= 14 && strings.ContainsAny(v, "-().+ ") && phoneShape.MatchString(v) {
		s.phones++
	}
}

func countDigits(s string) int {
	n := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	return n
}

// mostly reports whether at least four fifths of the values (and three at least)
// were counted.
func (s *shape) mostly(n int) bool { return n >= 3 && n*5 >= s.values*4 }

// dates reports whether values are dates, and whether all of those can be read in one
// way only.
func (s *shape) dates() (dates, sure bool) { return s.mostly(s.days + s.twoWays), s.twoWays == 0 }

// prose reports whether values look like free text.
func (s *shape) prose() bool {
	return s.values > 0 && (s.longest > 200 || s.words*2 >= s.values && s.total/s.values > 40)
}

// codes reports whether a few short values return again and again.
func (s *shape) codes() bool {
	return s.values >= 20 && s.longest <= 30 && s.distinct >= 2 && s.distinct*5 <= s.values && s.distinct <= 30
}

// sample looks at some rows of a table. A table that may not be read, or not
// within a few seconds, is left without shapes.
func sample(ctx context.Context, conn *pgx.Conn, t *table) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var list []string
	var cols []*column
	for _, c := range t.columns {
		if isText(c) {
			list, cols = append(list, "left("+pgx.Identifier{c.name}.Sanitize()+"::text, 2000)"), append(cols, c)
		}
	}
	if len(cols) == 0 {
		return nil
	}
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing was written
	if _, err := tx.Exec(ctx, "set local statement_timeout = '10s'"); err != nil {
		return err
	}
	return look(ctx, tx, fmt.Sprintf("select %s from %s limit %d", strings.Join(list, ", "),
		pgx.Identifier{t.schema, t.name}.Sanitize(), sampleRows), cols)
}

func look(ctx context.Context, tx pgx.Tx, query string, cols []*column) error {
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return err
	}
	seen := make([]map[string]bool, len(cols))
	values := make([]*string, len(cols))
	targets := make([]any, len(cols))
	for i := range cols {
		seen[i], targets[i] = map[string]bool{}, &values[i]
	}
	_, err = pgx.ForEachRow(rows, targets, func() error {
		for i, v := range values {
			if v != nil && *v != "" {
				cols[i].shape.add(*v)
				seen[i][*v] = true
			}
		}
		return nil
	})
	for i, c := range cols {
		c.shape.distinct = len(seen[i])
	}
	return err
}

func isText(c *column) bool {
	switch config.BaseType(c.dataType) {
	case "text", "character varying", "character", "citext", "name":
		return true
	}
	return false
}
