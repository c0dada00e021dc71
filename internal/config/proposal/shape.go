package proposal

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/internal/document/encoding"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/plain"
)

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
	monthly  int // dates that can be read if the month is before the day
	daily    int // and if the day is before the month
	distinct int
	persons  int // names of persons, the family name first: "LAST,FIRST M"
	never    int // days that stand for "never", or for "not known": after 2099 and before 1901
	kinds    map[kind]int
	lists    map[string]*listing // by separator; only those that a value has
}

// kind is what a document is, as [document.Guess] says it.
type kind struct {
	format   document.Format
	encoding encoding.Encoding
}

// Days of patients are in these years.
const (
	firstYear = 1901
	lastYear  = 2099
)

var (
	emailShape = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$`)
	phoneShape = regexp.MustCompile(`^\+?[\d\s().-]*\d{3}[\s).-]*\d{3,4}[\s.-]*\d{4}(\s*(x|ext\.?)\s*\d+)?$`)
	ssnShape   = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)
	zipShape   = regexp.MustCompile(`^\d{5}(-\d{4})?$`)
	urlShape   = regexp.MustCompile(`^https?://\S+$`)
	// neverShape matches days after the year 2999.
	neverShape = regexp.MustCompile(`^[3-9]\d{3}([-/.]?)\d\d([-/.]?)\d\d\b`)
	// personShape matches a family name and given names behind a comma, each beginning with a capital.
	personShape = regexp.MustCompile(`^\p{Lu}[\p{L}'’ -]*\p{L}, ?\p{Lu}[\p{L}'’-]*\.?( \p{Lu}[\p{L}'’-]*\.?){0,3}$`)
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
	if format, encoding := document.Guess([]byte(v)); format != document.Plain || encoding != "" {
		s.addKind(kind{format, encoding})
	}
	s.addLists(v)
	if n > 100 {
		return
	}
	s.addForms(v)
}

// addForms counts of which forms a value is.
func (s *shape) addForms(v string) {
	for _, c := range []struct {
		like  *regexp.Regexp
		count *int
	}{{emailShape, &s.emails}, {ssnShape, &s.ssns}, {zipShape, &s.zips}, {urlShape, &s.urls}, {personShape, &s.persons}} {
		if c.like.MatchString(v) {
			*c.count++
		}
	}
	switch day, err := plain.ParseDate(v, plain.AnyOrder); {
	case err == nil:
		s.days++
		s.addYear(day.Time().Year())
	case errors.Is(err, plain.ErrOrder):
		s.twoWays++
	case neverShape.MatchString(v):
		s.never++
	}
	for order, count := range map[plain.Order]*int{plain.MonthFirst: &s.monthly, plain.DayFirst: &s.daily} {
		if _, err := plain.ParseDate(v, order); err == nil {
			*count++
		}
	}
	if digits := countDigits(v); digits >= 10 && digits <= 14 && strings.ContainsAny(v, "-().+ ") && phoneShape.MatchString(v) {
		s.phones++
	}
}

// addDate counts one value of a column of dates, as PostgreSQL writes it.
func (s *shape) addDate(v string) {
	s.values++
	year, err := strconv.Atoi(strings.SplitN(v, "-", 2)[0])
	if err != nil || strings.HasSuffix(v, "BC") { // infinity
		year = 0
	}
	s.addYear(year)
}

func (s *shape) addYear(year int) {
	if year < firstYear || year > lastYear {
		s.never++
	}
}

// addBytes counts one value of bytes.
func (s *shape) addBytes(data []byte) {
	s.values++
	if len(bytes.Fields(data)) >= 5 {
		s.words++
	}
	format, encoding := document.Guess(data)
	s.addKind(kind{format, encoding})
}

func (s *shape) addKind(k kind) {
	if s.kinds == nil {
		s.kinds = map[kind]int{}
	}
	s.kinds[k]++
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

// share says how many values were counted, in words.
func (s *shape) share(n int) string {
	if n == s.values {
		return fmt.Sprintf("all of %d values", n)
	}
	return fmt.Sprintf("%d %% of %d values", max(1, min(99, 100*n/max(s.values, 1))), s.values)
}

// whyNever says why dates are dropped of which some stand for "never".
func (s *shape) whyNever() string {
	return s.share(s.never) + " are no days of patients (never, not known): moved, they would show by how much dates move"
}

// mostly reports whether at least four fifths of the values (and three at least)
// were counted.
func (s *shape) mostly(n int) bool { return n >= 3 && n*5 >= s.values*4 }

// dates reports whether values are dates, and whether it is known how to read them: in the order of month and day that is
// returned.
func (s *shape) dates() (order plain.Order, dates, sure bool) {
	dates = s.mostly(s.days + s.twoWays)
	switch {
	case s.twoWays == 0:
		return plain.AnyOrder, dates, true
	case s.monthly > s.daily && s.monthly == s.days+s.twoWays:
		return plain.MonthFirst, dates, true
	case s.daily > s.monthly && s.daily == s.days+s.twoWays:
		return plain.DayFirst, dates, true
	}
	return plain.AnyOrder, dates, false
}

// prose reports whether values look like free text.
func (s *shape) prose() bool {
	return s.values > 0 && (s.longest > 200 || s.words*2 >= s.values && s.total/s.values > 40)
}

// codes reports whether a few short values return again and again.
func (s *shape) codes() bool {
	return s.values >= 20 && s.longest <= 30 && s.distinct >= 2 && s.distinct*5 <= s.values && s.distinct <= 30
}
