package place

import (
	"slices"
	"strings"
	"testing"
)

// Every town of the United Kingdom is in a county, and numbers for drama are those of ten digits that Ofcom lists.
func TestEveryBritishTownIsInACounty(t *testing.T) {
	t.Parallel()
	counties := map[string]int{}
	for n := range States() {
		s := &States()[n]
		for _, area := range s.Areas {
			county := CountyOf("", area)
			if (county != "") != (s.Country == UnitedKingdom) {
				t.Errorf("area %v of %s is in county %q", area.Prefixes, s.Name, county)
			}
			for _, town := range area.Towns {
				if s.Country == UnitedKingdom {
					counties[CountyOf(fold(town), area)]++
				}
			}
		}
	}
	for name, towns := range counties {
		if read, ok := ReadCounty(strings.ToUpper(name)); !ok || read != name || towns == 0 {
			t.Errorf("%q is read as %q", name, read)
		}
		home := CountyHome(name)
		if home == nil || !slices.ContainsFunc(home.Towns, func(town string) bool { return CountyOf(fold(town), home) == name }) {
			t.Errorf("%s is not where it is", name)
		}
	}
	if len(counties) < 80 || len(kingdom().home) != len(counties) {
		t.Errorf("%d counties have towns, %d are listed", len(counties), len(kingdom().home))
	}
}

func TestCounties(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"W. Yorks": "West Yorkshire", "west yorkshire": "West Yorkshire", "Co. Down": "County Down", "HERTS": "Hertfordshire", "Tyne & Wear": "Tyne and Wear",
		"Suffolk County": "", "Middlesex": "", "": "",
	} {
		if got, _ := ReadCounty(text); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
	for town, want := range map[string]string{
		"ENG otley": "West Yorkshire", "ENG tadcaster": "North Yorkshire", "ENG london": "Greater London", "SCT dunbar": "East Lothian", "WLS bangor": "Gwynedd",
		"NIR bangor": "County Down", "WLS cardiff": "South Glamorgan", "ENG newtown": "Powys", "SCT edinburgh": "Midlothian", "ENG no such town": "",
	} {
		nation, name, _ := strings.Cut(town, " ")
		n := OfName(strings.ToLower(nation))
		if got := CountyOf(name, TownOf(name, n).Area); got != want {
			t.Errorf("%s is in %q, want %q", town, got, want)
		}
		if got := Nation(name, want); want != "" && got != n {
			t.Errorf("%s of %s is in nation %d, want %d", name, want, got, n)
		}
	}
	if n := Nation("leeds", "Kent"); n >= 0 {
		t.Errorf("Leeds in Kent is in nation %d", n)
	}
}

func TestDiallingCodes(t *testing.T) {
	t.Parallel()
	for town, want := range map[string]string{
		"ENG london": "2079460", "ENG leeds": "1134960", "ENG otley": "", "ENG sheffield": "1144960", "ENG nottingham": "1154960", "ENG leicester": "1164960",
		"ENG bristol": "1174960", "ENG reading": "1184960", "ENG birmingham": "1214960", "SCT edinburgh": "1314960", "SCT glasgow": "1414960",
		"ENG liverpool": "1514960", "ENG manchester": "1614960", "ENG gateshead": "1914980", "NIR armagh": "2896496", "NIR ballyfoo": "2896496",
		"WLS cardiff": "2920180", "WLS swansea": "", "SCT leeds": "",
	} {
		nation, name, _ := strings.Cut(town, " ")
		if got := DramaOf(name, OfName(strings.ToLower(nation))); got != want {
			t.Errorf("%s has the numbers %q, want %q", town, got, want)
		}
	}
	for national, want := range map[string]string{"2079461234": "2079460", "1132345678": "1134960", "1943123456": "", "2890123456": "2896496", "": ""} {
		if got := Drama(national); got != want {
			t.Errorf("%s is like %q, want %q", national, got, want)
		}
	}
	if all := Dramas(); len(all) != 15 || Nowhere() != "1632960" || slices.Contains(all, Nowhere()) {
		t.Errorf("%v, and %s for no area", all, Nowhere())
	}
}

func TestBrokenListsOfBritain(t *testing.T) {
	t.Parallel()
	fresh := func() *britain {
		return &britain{
			county: map[*Area]string{}, towns: map[townIn]string{}, named: map[string]string{}, home: map[string]*Area{},
			called: map[townIn]string{}, nation: map[int]string{},
		}
	}
	for _, entries := range [][]string{
		{"Kent"},
		{"Kent | CT | Dover | Deal"},
		{"Kent | QQ"},
		{"Kent | CT", "Kent, Essex | CM"},
		{"Kent | CT", "Essex | CT"},
		{"Kent | | Atlantis"},
		{"Down | | Bangor"},
		{"Kent | | Tadcaster, Tadcaster"},
	} {
		b := fresh()
		var err error
		for _, entry := range entries {
			if err == nil {
				err = b.addCounty(entry)
			}
		}
		if err == nil {
			t.Errorf("%q is a list of counties", entries)
		}
	}
	for _, entry := range []string{"113 114496 Leeds", "113 1144960 Leeds", "113 1134960 Atlantis", "113 11349600 Leeds"} {
		if fresh().addDialling(entry) == nil {
			t.Errorf("%q is a dialling code", entry)
		}
	}
}
