package place

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/surrogate/letter"
)

func TestListsOfOtherCountries(t *testing.T) {
	t.Parallel()
	prefix := map[Country]*regexp.Regexp{Canada: regexp.MustCompile(`^[ABCEGHJKLMNPRSTVXY]$`), UnitedKingdom: regexp.MustCompile(`^[A-Z]{1,2}$`)}
	areas, towns := map[Country]int{}, map[Country]int{}
	_, first := Peers(0)
	for i := first; i < len(States()); i++ {
		s := &States()[i]
		if s.Country == UnitedStates || len(s.Open) == 0 || OfName(strings.ToLower(s.Abbr)) != i || s.Country == Canada && len(s.Codes) == 0 {
			t.Errorf("%s lacks something", s.Name)
		}
		for nth, area := range s.Areas {
			if area.Nth != nth || area.State != i || len(area.Towns) == 0 {
				t.Errorf("%s: area %d is broken", s.Name, nth)
			}
			for _, p := range area.Prefixes {
				areas[s.Country]++
				if !prefix[s.Country].MatchString(p) {
					t.Errorf("%s: prefix %s", s.Name, p)
				}
			}
			for n, town := range area.Towns {
				towns[s.Country]++
				if got := TownOf(strings.Join(strings.Fields(letter.Plain(town)), " "), i); got.Area != area || got.Nth != n {
					t.Errorf("%s is not where it is", town)
				}
			}
		}
	}
	// Canada has 18 letters; the United Kingdom has 121 areas of geography.
	if areas[Canada] != 18 || areas[UnitedKingdom] != 120 && areas[UnitedKingdom] != 121 || towns[Canada] < 200 || towns[UnitedKingdom] < 900 {
		t.Errorf("%v areas, %v towns", areas, towns)
	}
}

func TestPeers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"il": 52, "al": 52, "ontario": 12, "newfoundland": 12, "scotland": 4} {
		first, n := Peers(OfName(name))
		if country := States()[OfName(name)].Country; n != want || States()[first].Country != country || States()[first+n-1].Country != country {
			t.Errorf("%s has %d peers from %d on", name, n, first)
		}
	}
}

func TestReadCode(t *testing.T) {
	t.Parallel()
	for norm, want := range map[string]string{
		"k1a0b1": "ON", "m5v2t6": "ON", "v6b4y8": "BC", "x0a0h0": "NT", "sw1a2aa": "ENG", "m11ae": "ENG", "eh11yz": "SCT", "bt71nn": "NIR", "cf101aa": "WLS", "ls14ab": "ENG", "w1a0ax": "ENG",
	} {
		code, ok := ReadCode(norm)
		if !ok || States()[code.Area.State].Abbr != want {
			t.Errorf("%s is not in %s", norm, want)
			continue
		}
		for _, p := range code.Area.Shown { // what is made of it is a code of the same area
			var made []byte
			for _, set := range code.Places(p) {
				made = append(made, set[len(set)/2])
			}
			if again, ok := ReadCode(string(made)); !ok || again.Area != code.Area {
				t.Errorf("%s of %s is no code there", made, p)
			}
		}
	}
	for _, none := range []string{"", "62704", "w1a", "k1a", "d1a0b1", "zz11aa", "75008", "1011ab", "jj11aa", "k1a0b", "sw1a2a"} {
		if _, ok := ReadCode(none); ok {
			t.Errorf("%q is a code", none)
		}
	}
}

func TestBrokenListsOfCountries(t *testing.T) {
	t.Parallel()
	for _, list := range []string{
		"AB Alberta", "AB | 1", "  T Calgary", "    Calgary", "AB Alberta |\n    Calgary", "AB Alberta |\n  T Calgary\n  T Edmonton", "AB Alberta |\n  T Calgary\n  V Calgary",
	} {
		a := &atlas{prefix: map[string]*Area{}, letters: map[letters]*Area{}, code: map[string]int{}, towns: map[string]map[int]Town{}, home: map[string]int{}}
		if a.addCountry(Canada, list) == nil {
			t.Errorf("%q is a country", list)
		}
	}
	if !slices.Equal(States()[:1][0].Codes, []string{"205", "251", "256", "334", "659", "938"}) {
		t.Error("Alabama is not the first state")
	}
}
