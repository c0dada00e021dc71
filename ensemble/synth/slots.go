package synth

import (
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// slots write what a scene decides: PHI, mostly, and the words that depend on the
// patient's sex.
var slots = allSlots()

func allSlots() map[string]func(*scene) {
	all := map[string]func(*scene){}
	for _, m := range []map[string]func(*scene){dateSlots(), patientSlots(), staffSlots(), placeSlots(), siteSlots(), contactSlots(), numberSlots(), wordSlots(), layoutSlots(), specialSlots(), formSlots()} {
		maps.Copy(all, m)
	}
	return all
}

func (s *scene) bySex(female, male string) string {
	if s.pt.Female {
		return female
	}
	return male
}

// markBare marks a name of a place or group, without an article in front.
func (s *scene) markBare(t phi.Type, name string) {
	if bare, ok := strings.CutPrefix(name, "the "); ok {
		s.put("the ")
		name = bare
	}
	s.mark(t, name)
}

func joined(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// initial returns the first letter of a name.
func initial(name string) string {
	_, size := utf8.DecodeRuneInString(name)
	return name[:size]
}

func itoa(n int) string { return strconv.Itoa(n) }

func wordSlots() map[string]func(*scene) {
	num := func(lo, hi int) func(*scene) {
		return func(s *scene) { s.put(itoa(lo + s.rng.IntN(hi-lo+1))) }
	}
	return map[string]func(*scene){
		"n5": num(1, 5), "n10": num(1, 10), "n20": num(2, 20), "n100": num(5, 100), "n500": num(20, 500), "n1000": num(100, 4000),
		"bp": func(s *scene) { s.put(itoa(92+s.rng.IntN(90)) + "/" + itoa(48+s.rng.IntN(60))) },
		"hr": num(52, 128),
		"rr": num(10, 28),
		"o2": num(86, 100),
		"temp": func(s *scene) {
			s.put(either(s.rng, "9"+itoa(6+s.rng.IntN(4))+"."+digits(s.rng, 1), "36."+digits(s.rng, 1), "37."+digits(s.rng, 1)))
		},
		"inr": func(s *scene) { s.put(itoa(1+s.rng.IntN(4)) + "." + itoa(s.rng.IntN(10))) },
		"dec": func(s *scene) { s.put(itoa(s.rng.IntN(14)) + "." + itoa(s.rng.IntN(10))) },
		"mgdose": func(s *scene) {
			s.put(either(s.rng, "5", "10", "20", "25", "40", "50", "81", "100", "250", "325", "500", "650", "750", "1,000"))
		},
		"frac": func(s *scene) {
			s.put(either(s.rng, "1/2", "3/4", "2/6", "5/5", "4/5", "3/10", "7/10", "0/10", "1/4", "20/20", "20/40", "2/2", "1/3"))
		},
		"unseen": func(s *scene) { s.put(inventName(s.rng, lexicon.White, 'l')) },
	}
}
