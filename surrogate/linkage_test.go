package surrogate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// What a shift by patient reveals to an attacker who knows some true dates of a patient. The
// figures are those of SECURITY.md, computed on a made-up population: patients whose visits come
// at random (6 on average) over five years. [TestSecurityPage] checks the page against them.
const (
	linkPatients = 200_000
	linkVisits   = 6
	linkDays     = 5 * 365
)

// visitsOf draws the days of all patients' visits, each sorted. A day is a number; day 0
// is a Monday.
func visitsOf(r *rand.Rand, patients int, open func(day int) bool) [][]int {
	all := make([][]int, patients)
	for i := range all {
		for range poisson(r, linkVisits) {
			day := r.IntN(linkDays)
			for !open(day) {
				day = r.IntN(linkDays)
			}
			all[i] = append(all[i], day)
		}
		slices.Sort(all[i])
	}
	return all
}

func everyDay(int) bool { return true }

func workingDay(d int) bool { return d%7 < 5 }

// opening draws a second of a day between 8 and 17 h.
func opening(r *rand.Rand, day int) int { return (day*24+8)*3600 + r.IntN(9*3600) }

// changed applies a function to every moment of every patient.
func changed(moments [][]int, change func(int) int) [][]int {
	out := make([][]int, len(moments))
	for i, m := range moments {
		for _, at := range m {
			out[i] = append(out[i], change(at))
		}
	}
	return out
}

// poisson draws from a Poisson distribution (Knuth's method; the mean is small).
func poisson(r *rand.Rand, mean float64) int {
	limit, n, p := math.Exp(-mean), -1, 1.0
	for p > limit {
		p *= r.Float64()
		n++
	}
	return n
}

// uniqueByIntervals returns the share of patients who are unique by the intervals between known
// consecutive moments, with one window drawn for each.
func uniqueByIntervals(r *rand.Rand, moments [][]int, known int) float64 {
	count := map[string]int{}
	for i, m := range moments {
		mine := map[string]bool{}
		for at := range max(0, len(m)-known+1) {
			mine[intervals(moments[i][at:at+known])] = true
		}
		for key := range mine {
			count[key]++
		}
	}
	unique, all := 0, 0
	for _, m := range moments {
		if len(m) < known {
			continue
		}
		all++
		at := r.IntN(len(m) - known + 1)
		if count[intervals(m[at:at+known])] == 1 {
			unique++
		}
	}
	return float64(unique) / float64(all)
}

func intervals(moments []int) string {
	var b strings.Builder
	for i := 1; i < len(moments); i++ {
		fmt.Fprintf(&b, "%d ", moments[i]-moments[i-1])
	}
	return b.String()
}

// shiftsLeft returns how many of the possible shifts, on average, are compatible with a patient's
// shown weekdays if clinics are open from Monday to Friday.
func shiftsLeft(r *rand.Rand, d DateShift, visits int) float64 {
	d = d.withDefaults()
	var possible []int
	for n := d.MinDays; n <= d.MaxDays; n++ {
		if !d.WholeWeeks || n%7 == 0 {
			possible = append(possible, n)
		}
	}
	const patients = 4000
	sum := 0
	for range patients {
		shift := possible[r.IntN(len(possible))]
		var shown [7]bool
		for range visits {
			shown[(r.IntN(5)+shift)%7] = true
		}
		for _, candidate := range possible {
			if allOpen(shown, candidate) {
				sum++
			}
		}
	}
	return float64(sum) / patients
}

// allOpen reports whether a shift would move every shown weekday from a working day.
func allOpen(shown [7]bool, shift int) bool {
	for weekday, is := range shown {
		if is && !workingDay((weekday-shift%7+7)%7) {
			return false
		}
	}
	return true
}

// TestSecurityPage computes the figures on residual risk and looks them up in SECURITY.md.
func TestSecurityPage(t *testing.T) {
	page, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	r := rand.New(rand.NewPCG(20, 26))
	days := visitsOf(r, linkPatients, everyDay)
	stamps := changed(days, func(day int) int { return opening(r, day) })
	hours := changed(stamps, func(second int) int { return second / 3600 })
	months := changed(days, func(day int) int { return day * 12 / 365 })
	whole := DateShift{WholeWeeks: true}
	for _, row := range []struct{ what, figure string }{
		{"2 days", percent(uniqueByIntervals(r, days, 2))},
		{"3 days", percent(uniqueByIntervals(r, days, 3))},
		{"4 days", percent(uniqueByIntervals(r, days, 4))},
		{"2 times to the second", percent(uniqueByIntervals(r, stamps, 2))},
		{"2 times to the hour", percent(uniqueByIntervals(r, hours, 2))},
		{"4 months", percent(uniqueByIntervals(r, months, 4))},
		{"shifts left by 1 visit", fmt.Sprintf("%.0f", shiftsLeft(r, DateShift{}, 1))},
		{"shifts left by 5 visits", fmt.Sprintf("%.0f", shiftsLeft(r, DateShift{}, 5))},
		{"shifts left by 12 visits", fmt.Sprintf("%.0f", shiftsLeft(r, DateShift{}, 12))},
		{"shifts left, whole weeks", fmt.Sprintf("%.0f", shiftsLeft(r, whole, 12))},
		{"names in a stratum", strataFigures()},
	} {
		t.Logf("%-26s %s", row.what, row.figure)
		if !strings.Contains(text, "| "+row.what+" | "+row.figure+" |") {
			t.Errorf("SECURITY.md does not give %s for %q", row.figure, row.what)
		}
	}
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// strataFigures returns the numbers of names from which a surrogate is drawn.
func strataFigures() string {
	var sizes []int
	for _, s := range names().strata {
		sizes = append(sizes, len(s.names))
	}
	slices.Sort(sizes)
	return fmt.Sprintf("%d strata of %d to %d names, median %d", len(sizes), sizes[0], sizes[len(sizes)-1], sizes[len(sizes)/2])
}
