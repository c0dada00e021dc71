package risk

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/surrogate"
)

// at returns seconds since 1970 of a day and an hour.
func at(day, hour int) int64 { return int64(day)*secondsOfDay + int64(hour)*3600 }

// unicityOf draws the first patient and adds all.
func unicityOf(t *testing.T, s Shifts, patients ...[]int64) map[string]map[int]Unicity {
	t.Helper()
	traces := NewTraces(s)
	traces.Draw("0", patients[0], rand.New(rand.NewPCG(1, 2)))
	for i, times := range patients {
		traces.Add(string(rune('0'+i)), times)
	}
	found := map[string]map[int]Unicity{}
	for _, u := range traces.Unicity() {
		if found[u.Grain] == nil {
			found[u.Grain] = map[int]Unicity{}
		}
		found[u.Grain][u.Visits] = u
	}
	return found
}

func TestUnicity(t *testing.T) {
	t.Parallel()
	back := shiftsOf(30, 365, surrogate.Back, false)
	for name, tt := range map[string]struct {
		shifts Shifts
		others [][]int64
		grain  Grain
		visits int
		unique int64
	}{
		"nobody else":               {back, nil, WholeDay, 1, 1},
		"another day":               {back, [][]int64{{at(150, 9)}}, WholeDay, 1, 0},
		"too far away":              {back, [][]int64{{at(900, 9)}}, WholeDay, 1, 1},
		"same interval, moved":      {back, [][]int64{{at(200, 9), at(207, 9), at(230, 9)}}, WholeDay, 3, 0},
		"another interval":          {back, [][]int64{{at(200, 9), at(207, 9), at(231, 9)}}, WholeDay, 3, 1},
		"more visits between":       {back, [][]int64{{at(200, 9), at(203, 1), at(207, 9), at(230, 9)}}, WholeDay, 3, 0},
		"another time of day":       {back, [][]int64{{at(200, 9), at(207, 9), at(230, 9)}}, Hour, 3, 1},
		"same times":                {back, [][]int64{{at(200, 8), at(207, 14), at(230, 11)}}, Hour, 3, 0},
		"whole weeks, another day":  {shiftsOf(30, 365, surrogate.Back, true), [][]int64{{at(200, 8), at(207, 14), at(230, 11)}}, WholeDay, 3, 1},
		"whole weeks, the same day": {shiftsOf(30, 365, surrogate.Back, true), [][]int64{{at(198, 8), at(205, 14), at(228, 11)}}, WholeDay, 3, 0},
		"not moved, same days":      {Shifts{}, [][]int64{{at(100, 8), at(107, 8), at(130, 8)}}, WholeDay, 3, 0},
		"not moved, other days":     {Shifts{}, [][]int64{{at(101, 8), at(108, 8), at(131, 8)}}, WholeDay, 3, 1},
		"to the week":               {back, [][]int64{{at(199, 9), at(206, 9), at(227, 9)}}, Week, 3, 0},
		"to the month":              {back, [][]int64{{at(280, 9), at(310, 9)}}, Month, 2, 0},
	} {
		patients := append([][]int64{{at(100, 8), at(107, 14), at(130, 11)}}, tt.others...)
		got := unicityOf(t, tt.shifts, patients...)[tt.grain.String()][tt.visits]
		if got.Drawn != 1 || got.Unique != tt.unique {
			t.Errorf("%s: %+v, want %d unique", name, got, tt.unique)
		}
	}
}

func TestPatientsWithFewVisitsAreDrawnForFew(t *testing.T) {
	t.Parallel()
	got := unicityOf(t, shiftsOf(30, 365, surrogate.Back, false), []int64{at(1, 8), at(1, 9), at(3, 9)})
	if got["to the day"][2].Drawn != 1 || got["to the day"][3].Drawn != 0 || got["to the hour"][3].Drawn != 1 {
		t.Errorf("%+v", got)
	}
}

func TestUnicityGrowsWithWhatIsKnown(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	const patients = 3000
	all := make([][]int64, patients)
	for i := range all {
		for range 6 {
			all[i] = append(all[i], at(r.IntN(1800), 8+r.IntN(9))+int64(r.IntN(3600)))
		}
	}
	traces := NewTraces(shiftsOf(30, 365, surrogate.Back, false))
	for i := range 300 {
		traces.Draw(string(rune(i)), all[i], r)
	}
	for i, times := range all {
		traces.Add(string(rune(i)), times)
	}
	last := map[string]float64{}
	for _, u := range traces.Unicity() {
		if u.Share < last[u.Grain] {
			t.Errorf("%+v is below %v", u, last[u.Grain])
		}
		last[u.Grain] = u.Share
		if u.Within[0] > u.Share || u.Within[1] < u.Share {
			t.Errorf("%+v is not within its interval", u)
		}
	}
	if last["to the second"] != 1 || last["to the day"] < 0.99 {
		t.Errorf("%v", last)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	before := time.Date(1969, 12, 31, 22, 30, 0, 0, time.UTC).Unix()
	for g, want := range map[Grain]int64{Second: before, Hour: -2, WholeDay: -1, Week: -1, Month: 1969*12 + 12} {
		if got := g.place(before); got != want {
			t.Errorf("%v: %d, want %d", g, got, want)
		}
	}
}

func TestWilson(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		part, whole int64
		low, high   float64
	}{{0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {0, 0, 0, 1}} {
		got := wilson(tt.part, tt.whole)
		if !near(got[0]+1, tt.low+1, 1e-4) || !near(got[1], tt.high, 1e-3) {
			t.Errorf("%d of %d: %v", tt.part, tt.whole, got)
		}
	}
}
