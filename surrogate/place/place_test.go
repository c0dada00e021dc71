package place

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// The lists against the lexicon's towns, which come from other sources.
func TestPrefixesAreWhereTownsAre(t *testing.T) {
	t.Parallel()
	unknown, elsewhere := map[string]int{}, 0
	for _, p := range lexicon.Places() {
		area := OfPrefix(p.Zip3)
		switch {
		case p.Zip3 == "":
		case area == nil:
			unknown[p.Zip3]++
		case States()[area.State].Abbr != p.State:
			elsewhere++ // a town that the post serves from the next state
		}
	}
	if len(unknown) > 0 {
		t.Errorf("prefixes of towns that are in no state: %v", unknown)
	}
	if elsewhere > 5 {
		t.Errorf("%d towns have ZIP codes of another state", elsewhere)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	_, n := Peers(0)
	states := States()[:n]
	if n != 52 || states[0].Abbr != "AL" || states[49].Abbr != "WY" || states[51].Name != "Puerto Rico" {
		t.Fatalf("%d states, or in another order, on which surrogates depend", len(states))
	}
	prefix, code := regexp.MustCompile(`^[0-9]{3}$`), regexp.MustCompile(`^[2-9][0-8][0-9]$`)
	prefixes, codes, towns := 0, 0, 0
	for i := range states {
		s := &states[i]
		if len(s.Codes) == 0 || len(s.Areas) == 0 || len(s.Open) == 0 || OfName(strings.ToLower(s.Abbr)) != i {
			t.Errorf("%s lacks something", s.Abbr)
		}
		codes += len(s.Codes)
		towns += len(s.Towns)
		for _, c := range s.Codes {
			if !code.MatchString(c) || strings.HasSuffix(c, "11") || OfCode(c) != i {
				t.Errorf("%s: area code %s", s.Abbr, c)
			}
		}
		for nth, area := range s.Areas {
			prefixes += len(area.Prefixes)
			if area.Nth != nth || area.State != i || len(area.Prefixes) == 0 {
				t.Errorf("%s: area %d is broken", s.Abbr, nth)
			}
			for _, p := range area.Prefixes {
				if !prefix.MatchString(p) || OfPrefix(p) != area || smallZip3[p] == slices.Contains(area.Shown, p) {
					t.Errorf("%s: prefix %s", s.Abbr, p)
				}
			}
			for n, town := range area.Towns {
				if got := TownOf(fold(town), i); got.Area != area || got.Nth != n {
					t.Errorf("%s: a town is not where it is", s.Abbr)
				}
			}
		}
		for _, area := range s.Open {
			if len(area.Shown) == 0 || len(area.Towns) == 0 && len(s.Towns) > 0 {
				t.Errorf("%s: area %v is not open", s.Abbr, area.Prefixes)
			}
		}
	}
	// The Postal Service uses some 900 prefixes in the states, the numbering plan some 350 area codes.
	if prefixes < 880 || prefixes > 920 || codes < 330 || codes > 390 || towns < 7000 {
		t.Errorf("%d prefixes, %d area codes, %d towns", prefixes, codes, towns)
	}
}

func TestKnownPlaces(t *testing.T) {
	t.Parallel()
	for zip3, abbr := range map[string]string{
		"006": "PR", "010": "MA", "021": "MA", "055": "MA", "060": "CT", "100": "NY", "005": "NY", "200": "DC", "201": "VA", "331": "FL", "398": "GA",
		"606": "IL", "627": "IL", "733": "TX", "770": "TX", "885": "TX", "900": "CA", "967": "HI", "995": "AK",
	} {
		if area := OfPrefix(zip3); area == nil || States()[area.State].Abbr != abbr {
			t.Errorf("%s is not in %s", zip3, abbr)
		}
	}
	for code, abbr := range map[string]string{"212": "NY", "217": "IL", "310": "CA", "617": "MA", "787": "PR", "202": "DC", "907": "AK", "512": "TX"} {
		if n := OfCode(code); n < 0 || States()[n].Abbr != abbr {
			t.Errorf("area code %s is not in %s", code, abbr)
		}
	}
	for _, none := range []string{"000", "099", "340", "969", "", "12", "abc"} {
		if OfPrefix(none) != nil {
			t.Errorf("prefix %q is somewhere", none)
		}
	}
	for _, none := range []string{"800", "555", "911", "900", "600", "", "21"} {
		if OfCode(none) >= 0 {
			t.Errorf("area code %q is somewhere", none)
		}
	}
	il, ma := OfName("illinois"), OfName("mass")
	if !InState("springfield", il) || !InState("springfield", ma) || InState("springfield", OfName("hi")) || Home("springfield") < 0 || Home("nowhere") >= 0 {
		t.Error("Springfield is elsewhere")
	}
	if a, b := OfPrefix("606"), OfPrefix("608"); a == nil || a != b || TownOf("chicago", il).Area != a || TownOf("chicago", ma).Area != nil {
		t.Error("Chicago's prefixes are several areas")
	}
}

func TestOfName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"il": "IL", "illinois": "IL", "ill": "IL", "newyork": "NY", "districtofcolumbia": "DC", "nmex": "NM", "penna": "PA", "wva": "WV", "puertorico": "PR",
	} {
		if n := OfName(name); n < 0 || States()[n].Abbr != want {
			t.Errorf("%s is not %s", name, want)
		}
	}
	for _, none := range []string{"", "bavaria", "xx", "new york"} {
		if OfName(none) >= 0 {
			t.Errorf("%q is a state", none)
		}
	}
}

func TestBrokenLists(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{"", "XX Xanadu | 200", "XX Xanadu | 200 | 1x", "XX Xanadu | 200 | 001-x", "XX Xanadu | 200 200 | 001", "XX Xanadu | 200 | 001,001"} {
		a := &atlas{prefix: map[string]*Area{}, code: map[string]int{}}
		if a.addState(entry) == nil {
			t.Errorf("%q is a state", entry)
		}
	}
	if got := entries("# a\n\nAL x |\n  1 | 2\nB\n"); !slices.Equal(got, []string{"AL x | 1 | 2", "B"}) {
		t.Errorf("%q", got)
	}
}
