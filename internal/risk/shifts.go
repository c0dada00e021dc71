package risk

import (
	"math/bits"
	"time"

	"github.com/pgdeid/pgdeid/surrogate"
)

// Shifts are the shifts that the configuration allows.
type Shifts struct {
	days []int // ascending
}

// NewShifts returns the shifts of a configuration.
func NewShifts(d surrogate.DateShift) Shifts {
	unit := 1
	if d.WholeWeeks {
		unit = 7
	}
	from := (d.MinDays + unit - 1) / unit * unit
	s := Shifts{}
	if d.Direction != surrogate.Forward {
		for n := d.MaxDays / unit * unit; n >= from; n -= unit {
			s.days = append(s.days, -n)
		}
	}
	if d.Direction != surrogate.Back {
		for n := from; n <= d.MaxDays; n += unit {
			s.days = append(s.days, n)
		}
	}
	return s
}

// Number returns how many shifts there are.
func (s Shifts) Number() int { return len(s.days) }

// apart returns the differences that two patients' shifts can have.
func (s Shifts) apart() map[int]bool {
	differences := map[int]bool{}
	for _, a := range s.days {
		for _, b := range s.days {
			differences[a-b] = true
		}
	}
	return differences
}

// widest returns the greatest difference between two shifts.
func (s Shifts) widest() int {
	if len(s.days) == 0 {
		return 0
	}
	return s.days[len(s.days)-1] - s.days[0]
}

// Rule is what an attacker takes for granted about true days.
type Rule int

// The rules, each with those before it.
const (
	Weekdays Rule = iota // nobody is seen on Saturdays and Sundays
	Past                 // nor after the day of the copy
	Holidays             // nor on the great public holidays of the United States
	numRules
)

// String says what is taken for granted.
func (r Rule) String() string {
	return [...]string{
		"visits are from Monday to Friday", "and none is after the day of the copy", "and none is on a public holiday (U.S.)",
	}[r]
}

// Day numbers a day, from 1970-01-01.
func Day(t time.Time) int {
	return int(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

const secondsOfDay = 24 * 60 * 60

// rulesOut reports whether a true day is against a rule alone.
func (r Rule) rulesOut(day, today int) bool {
	t := time.Unix(int64(day)*secondsOfDay, 0).UTC()
	switch r {
	case Weekdays:
		return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
	case Past:
		return day > today
	}
	return isHoliday(t)
}

// isHoliday reports whether clinics that are closed on any day are closed on this one.
func isHoliday(t time.Time) bool {
	nth := (t.Day() + 6) / 7
	last := t.AddDate(0, 0, 7).Month() != t.Month()
	switch t.Month() {
	case time.January, time.July:
		return t.Month() == time.January && t.Day() == 1 || t.Month() == time.July && t.Day() == 4
	case time.May:
		return t.Weekday() == time.Monday && last
	case time.September:
		return t.Weekday() == time.Monday && nth == 1
	case time.November:
		return t.Weekday() == time.Thursday && nth == 4
	case time.December:
		return t.Day() == 25
	}
	return false
}

// Narrowing counts how many shifts the shown days of each patient leave. Days are those of one patient after the other.
type Narrowing struct {
	shifts Shifts
	today  int
	open   map[int]*[numRules][]uint64 // by shown day: shifts that its true day could have
	left   [numRules][]int64           // patients by the number of shifts that are left
}

// NewNarrowing returns a Narrowing without patients; today is the day of the copy.
func NewNarrowing(s Shifts, today int) *Narrowing {
	n := &Narrowing{shifts: s, today: today, open: map[int]*[numRules][]uint64{}}
	for r := range n.left {
		n.left[r] = make([]int64, len(s.days)+1)
	}
	return n
}

// Add adds a patient who is shown on these days.
func (n *Narrowing) Add(days []int) {
	var fits [numRules][]uint64
	for i, day := range days {
		open := n.fits(day)
		for r := range fits {
			if i == 0 {
				fits[r] = append(fits[r], open[r]...)
				continue
			}
			for w := range fits[r] {
				fits[r][w] &= open[r][w]
			}
		}
	}
	for r := range fits {
		left := 0
		for _, word := range fits[r] {
			left += bits.OnesCount64(word)
		}
		n.left[r][left]++
	}
}

// fits returns, for each rule, which shifts a shown day leaves.
func (n *Narrowing) fits(day int) *[numRules][]uint64 {
	if known, ok := n.open[day]; ok {
		return known
	}
	open := &[numRules][]uint64{}
	for r := range open {
		open[r] = make([]uint64, (len(n.shifts.days)+63)/64)
	}
	for i, shift := range n.shifts.days {
		for r := range numRules {
			if r.rulesOut(day-shift, n.today) {
				break
			}
			open[r][i/64] |= 1 << (i % 64)
		}
	}
	n.open[day] = open
	return open
}

// Left is what a rule leaves of the shifts.
type Left struct {
	Rule     string `json:"rule"`
	Patients int64  `json:"patients"` // of whom the days fit some shift
	// Contradicted are patients of whom no shift fits: the rule does not hold for them.
	Contradicted int64 `json:"contradicted"`
	Median       int   `json:"median"`
	Fewest       int   `json:"fewest"`
	Known        int64 `json:"known"` // patients with one shift left
	Week         int64 `json:"week"`  // patients with seven or fewer left
}

// Holds reports whether the rule holds for so many patients that what it leaves is worth something.
func (l Left) Holds() bool { return l.Contradicted*10 < l.Patients }

// Left returns what each rule leaves.
func (n *Narrowing) Left() []Left {
	var out []Left
	for r := range numRules {
		l := Left{Rule: r.String(), Contradicted: n.left[r][0]}
		for left, patients := range n.left[r] {
			if left == 0 || patients == 0 {
				continue
			}
			if l.Patients == 0 {
				l.Fewest = left
			}
			l.Patients += patients
			if left == 1 {
				l.Known += patients
			}
			if left <= 7 {
				l.Week += patients
			}
		}
		l.Median = median(n.left[r][1:]) + 1
		if l.Patients == 0 {
			l.Median = 0
		}
		out = append(out, l)
	}
	return out
}

// median returns the index at which half of what was counted is reached.
func median(counts []int64) int {
	var all, so int64
	for _, c := range counts {
		all += c
	}
	for i, c := range counts {
		if so += c; 2*so >= all {
			return i
		}
	}
	return 0
}
