package risk

import (
	"fmt"

	"github.com/pgdeid/pgdeid/internal/config"
)

// of returns how many patients are singled out by so many visits at a grain, and false if that was not measured.
func (v *Visits) of(g Grain, visits int) (Unicity, bool) {
	for _, u := range v.Unicity {
		if u.Grain == g.String() && u.Visits == visits {
			return u, true
		}
	}
	return Unicity{}, false
}

// Advice says what could be done about dates, with what was computed of it.
func (v *Visits) Advice() []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if v.TimeOfDay {
		shown, ok := v.of(Second, 2)
		rounded, also := v.of(WholeDay, 2)
		if ok && also && shown.Share > rounded.Share {
			say("Without times of day, 2 known visits single out %s of patients instead of %s: publish a date in place of %s.",
				percent(rounded.Share), percent(shown.Share), v.Column)
		}
	}
	const many = 3
	if days, ok := v.of(WholeDay, many); ok && days.Share > 0.05 {
		for _, g := range []Grain{Week, Month} {
			if u, ok := v.of(g, many); ok {
				say("With dates %s, %d known visits single out %s instead of %s.", g, many, percent(u.Share), percent(days.Share))
			}
		}
	}
	for i, l := range v.Left {
		switch {
		case !l.Holds():
			if l.Patients > 0 {
				say("That %s does not hold here for enough patients to tell anything.", l.Rule)
			}
		case Rule(i) == Weekdays && l.Median < v.Shifts && !v.WholeWeeks:
			say("Weekdays narrow the shift of half of the patients to %d of %d or fewer: with dates.whole_weeks they tell nothing, "+
				"but raise dates.max_days, since only every seventh shift is left then.", l.Median, v.Shifts)
		case l.Known > 0 && Rule(i) == Holidays:
			say("Of %d patients one shift alone is left: raise dates.max_days.", l.Known)
		}
	}
	if v.Release == string(config.Live) && v.Shifts > 0 {
		say("release: live shows the shift of every patient who is seen while somebody watches: see surrogate/README.md.")
	}
	return list
}
