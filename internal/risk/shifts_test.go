package risk

import (
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/surrogate"
)

func shiftsOf(low, high int, d surrogate.Direction, weeks bool) Shifts {
	return NewShifts(surrogate.DateShift{MinDays: low, MaxDays: high, Direction: d, WholeWeeks: weeks})
}

func TestShifts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shifts               Shifts
		number, first, width int
	}{
		"default":     {shiftsOf(30, 365, surrogate.Back, false), 336, -365, 335},
		"whole weeks": {shiftsOf(30, 365, surrogate.Back, true), 48, -364, 329},
		"forward":     {shiftsOf(1, 10, surrogate.Forward, false), 10, 1, 9},
		"both":        {shiftsOf(3, 4, surrogate.Both, false), 4, -4, 8},
		"none":        {Shifts{}, 0, 0, 0},
	} {
		first := 0
		if tt.shifts.Number() > 0 {
			first = tt.shifts.days[0]
		}
		if tt.shifts.Number() != tt.number || first != tt.first || tt.shifts.widest() != tt.width {
			t.Errorf("%s: %d from %d, %d wide", name, tt.shifts.Number(), first, tt.shifts.widest())
		}
	}
	apart := shiftsOf(3, 4, surrogate.Both, false).apart()
	for days, want := range map[int]bool{0: true, 1: true, 2: false, 6: true, 7: true, 8: true, 9: false, -7: true} {
		if apart[days] != want {
			t.Errorf("shifts of 3 and 4 days to either side differ by %d: %v", days, apart[days])
		}
	}
}

// shownDay returns a true day moved by a shift.
func shownDay(year int, month time.Month, day, shift int) int {
	return Day(time.Date(year, month, day, 15, 0, 0, 0, time.UTC)) + shift
}

const farAway = 1 << 20 // a day of the copy that is after all others

func TestWeekdaysNarrow(t *testing.T) {
	t.Parallel()
	monday := func(shift int) int { return shownDay(2024, time.March, 4, shift) }
	for name, tt := range map[string]struct {
		weeks bool
		days  []int
		left  int
	}{
		"one visit":                {false, []int{monday(-100)}, 240},
		"monday and friday":        {false, []int{monday(-100), monday(-96)}, 144},
		"a whole week of workdays": {false, []int{monday(-100), monday(-99), monday(-98), monday(-97), monday(-96)}, 48},
		"whole weeks":              {true, []int{monday(-98), monday(-94)}, 48},
	} {
		n := NewNarrowing(shiftsOf(30, 365, surrogate.Back, tt.weeks), farAway)
		n.Add(tt.days)
		got := n.Left()[Weekdays]
		if got.Patients != 1 || got.Median != tt.left || got.Fewest != tt.left || got.Contradicted != 0 || !got.Holds() {
			t.Errorf("%s: %+v, want %d left", name, got, tt.left)
		}
	}
}

func TestRulesThatDoNotHold(t *testing.T) {
	t.Parallel()
	n := NewNarrowing(shiftsOf(30, 365, surrogate.Back, false), farAway)
	week := []int{}
	for d := range 7 {
		week = append(week, shownDay(2024, time.March, 4+d, -100))
	}
	n.Add(week)
	left := n.Left()[Weekdays]
	if left.Contradicted != 1 || left.Patients != 0 || left.Holds() || left.Median != 0 {
		t.Errorf("seven days in a row can't all be workdays: %+v", left)
	}
}

func TestEachRuleLeavesNoMoreThanTheOneBefore(t *testing.T) {
	t.Parallel()
	today := shownDay(2024, time.June, 3, 0)
	n := NewNarrowing(shiftsOf(30, 365, surrogate.Back, false), today)
	n.Add([]int{today - 40})                   // true 30 to 40 days later: today, or a day of the past ten
	n.Add([]int{shownDay(2020, 1, 6, -200)})   // long ago: nothing in the future
	n.Add([]int{today - 33, today - 33 - 365}) // three or four days are left, weekends among them
	left := n.Left()
	if len(left) != int(numRules) {
		t.Fatalf("%d rules", len(left))
	}
	for i := 1; i < len(left); i++ {
		if left[i].Median > left[i-1].Median || left[i].Fewest > left[i-1].Fewest {
			t.Errorf("%+v leaves more than %+v", left[i], left[i-1])
		}
	}
	if left[Weekdays].Week != 0 || left[Past].Week != 1 && left[Past].Week != 2 {
		t.Errorf("patients with seven or fewer shifts: %+v", left)
	}
	if left[Holidays].Fewest > 4 {
		t.Errorf("who was seen 33 days before the copy has more than four shifts: %+v", left[Holidays])
	}
}

func TestHolidays(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]bool{
		"2024-01-01": true, "2024-01-02": false, "2024-05-27": true, "2024-05-20": false, "2021-05-31": true, "2024-07-04": true,
		"2024-01-04": false, "2024-07-01": false, "2024-09-02": true, "2024-09-09": false, "2023-09-04": true, "2024-11-28": true,
		"2024-11-21": false, "2023-11-23": true, "2024-12-25": true, "2024-12-24": false, "2024-10-14": false,
	} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := isHoliday(at); got != want {
			t.Errorf("%s: %v", day, got)
		}
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("west", -8*3600)
	for at, want := range map[time.Time]int{
		time.Date(1970, 1, 1, 23, 59, 0, 0, time.UTC): 0,
		time.Date(1970, 1, 2, 1, 0, 0, 0, zone):       1, // the day as it is written
		time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC): -1,
	} {
		if got := Day(at); got != want {
			t.Errorf("%v: %d, want %d", at, got, want)
		}
	}
}
