package risk

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Grain is how exactly dates are shown.
type Grain int

// The grains.
const (
	Second Grain = iota
	Hour
	WholeDay
	Week
	Month
	numGrains
)

// String names the grain.
func (g Grain) String() string {
	return [...]string{"to the second", "to the hour", "to the day", "to the week", "to the month"}[g]
}

// place returns where on the grain's scale a second since 1970 is.
func (g Grain) place(second int64) int64 {
	day := floorDiv(second, secondsOfDay)
	switch g {
	case Second:
		return second
	case Hour:
		return floorDiv(second, 3600)
	case Week:
		return floorDiv(day, 7)
	case Month:
		t := time.Unix(second, 0).UTC()
		return int64(t.Year())*12 + int64(t.Month())
	}
	return day
}

// perDay is how many places a day has; 0 where it is less than one.
func (g Grain) perDay() int64 { return [...]int64{secondsOfDay, 24, 1, 0, 0}[g] }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// maxPoints is the greatest number of visits that an attacker is taken to know.
const maxPoints = 5

// pattern is what an attacker knows of one patient: some visits, as places on a scale.
type pattern struct {
	owner  string
	places []int64 // ascending
}

// key is by what patterns that could match a pair of places are found: their distance, or, of a single place, its time of day.
type patternKey struct {
	grain  Grain
	single bool
	value  int64
}

// Traces counts how many patients are singled out by some of their visits (de Montjoye et al. 2013), where dates are moved by a
// shift of which the attacker knows only what the configuration allows. Patients are given one after the other.
type Traces struct {
	apart   map[int]bool
	widest  int64
	open    map[patternKey][]*pattern // patterns that no other patient matches so far
	drawn   [numGrains][maxPoints + 1]int64
	matched [numGrains][maxPoints + 1]int64
}

// NewTraces returns Traces without patterns. Dates that are not moved have no shifts.
func NewTraces(s Shifts) *Traces {
	t := &Traces{apart: s.apart(), widest: int64(s.widest()), open: map[patternKey][]*pattern{}}
	if s.Number() == 0 {
		t.apart = map[int]bool{0: true}
	}
	return t
}

// Draw takes what an attacker may know of a patient: for each grain and each number of visits, so many visits at random.
// Times are seconds since 1970, and owner names the patient.
func (t *Traces) Draw(owner string, times []int64, chance *rand.Rand) {
	for g := range numGrains {
		all := placesOf(g, times)
		for n := 1; n <= min(maxPoints, len(all)); n++ {
			p := &pattern{owner: owner}
			for _, i := range chance.Perm(len(all))[:n] {
				p.places = append(p.places, all[i])
			}
			slices.Sort(p.places)
			t.drawn[g][n]++
			key := t.keyOf(g, p.places)
			t.open[key] = append(t.open[key], p)
		}
	}
}

// placesOf returns the places of times, each once, in order.
func placesOf(g Grain, times []int64) []int64 {
	places := make([]int64, len(times))
	for i, second := range times {
		places[i] = g.place(second)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (t *Traces) keyOf(g Grain, places []int64) patternKey {
	if len(places) > 1 {
		return patternKey{g, false, places[1] - places[0]}
	}
	if day := g.perDay(); day > 0 {
		return patternKey{g, true, places[0] - floorDiv(places[0], day)*day}
	}
	return patternKey{g, true, 0}
}

// Add compares a patient with all patterns of others.
func (t *Traces) Add(owner string, times []int64) {
	for g := range numGrains {
		places := placesOf(g, times)
		for i, first := range places {
			t.compare(owner, g, places, first, t.keyOf(g, places[i:i+1]))
			for _, second := range places[i+1:] {
				t.compare(owner, g, places, first, patternKey{g, false, second - first})
			}
		}
	}
}

// compare strikes off the patterns that the patient's places match when the first of the pattern is at a place.
func (t *Traces) compare(owner string, g Grain, places []int64, first int64, key patternKey) {
	list, ok := t.open[key]
	if !ok {
		return
	}
	rest := slices.DeleteFunc(list, func(p *pattern) bool {
		if p.owner == owner || !t.mayDiffer(g, first-p.places[0]) || !holds(places, p.places, first-p.places[0]) {
			return false
		}
		t.matched[g][len(p.places)]++
		return true
	})
	if len(rest) == 0 {
		delete(t.open, key)
		return
	}
	t.open[key] = rest
}

// mayDiffer reports whether two patients' shifts can make the same day appear so many places apart.
func (t *Traces) mayDiffer(g Grain, places int64) bool {
	if day := g.perDay(); day > 0 {
		return places%day == 0 && t.apart[int(places/day)]
	}
	days := int64(7)
	if g == Month {
		days = 28
	}
	return max(places, -places)*days <= t.widest+days-1
}

// holds reports whether all places of a pattern, moved, are among those of a patient.
func holds(places, wanted []int64, by int64) bool {
	for _, w := range wanted {
		if _, found := slices.BinarySearch(places, w+by); !found {
			return false
		}
	}
	return true
}

// Unicity is how many patients are singled out by some visits.
type Unicity struct {
	Grain  string     `json:"dates"`
	Visits int        `json:"visits"`
	Drawn  int64      `json:"patients"` // who have so many visits and were drawn
	Unique int64      `json:"unique"`
	Share  float64    `json:"share"`
	Within [2]float64 `json:"interval"` // 95%, Wilson
}

// Unicity returns what was found, by grain and by number of visits.
func (t *Traces) Unicity() []Unicity {
	var out []Unicity
	for g := range numGrains {
		for n := 1; n <= maxPoints; n++ {
			drawn := t.drawn[g][n]
			if drawn == 0 {
				continue
			}
			u := Unicity{Grain: g.String(), Visits: n, Drawn: drawn, Unique: drawn - t.matched[g][n]}
			u.Share, u.Within = share(u.Unique, drawn), wilson(u.Unique, drawn)
			out = append(out, u)
		}
	}
	return out
}

// wilson returns the 95% interval of a share (Wilson 1927).
func wilson(part, whole int64) [2]float64 {
	if whole == 0 {
		return [2]float64{0, 1}
	}
	const z = 1.959963984540054
	n, p := float64(whole), share(part, whole)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	// Without rounding, the ends are reached where none or all are counted.
	return [2]float64{min(p, max(0, middle-half)), max(p, min(1, middle+half))}
}
