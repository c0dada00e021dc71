package surrogate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

func TestPlacesKeepTheirKind(t *testing.T) {
	for _, c := range []struct {
		typ           phi.Type
		in, form, not string
	}{
		{phi.Hospital, "Massachusetts General Hospital", `^[A-Z][A-Za-z ]+ General Hospital$`, "Massachusetts"},
		{phi.Hospital, "MASSACHUSETTS GENERAL HOSPITAL", `^[A-Z ]+ GENERAL HOSPITAL$`, "MASSACHUSETTS"},
		{phi.Hospital, "Mayo Clinic", `^[A-Z]\w+ Clinic$`, "Mayo"},
		{phi.Hospital, "St. Mary's Hospital", `^St\. [A-Z]\w+'s Hospital$`, "Mary"},
		{phi.Hospital, "Veterans Memorial Center", `^[A-Z]\w+ Center$`, "Veterans"},
		{phi.Hospital, "Community Hospital", `^[A-Z]\w+ Hospital$`, "Community"},
		{phi.Hospital, "the Medical Center", `Medical Center$`, ""},
		{phi.Hospital, "Temple Health Center", `^[A-Z]\w+ Health Center$`, "Temple"},
		{phi.Organization, "Family Drug of College Station", `^[A-Z]\w+ Drug of College [A-Z]\w+$`, "Station"},
		{phi.LocationOther, "East Wing", `^(North|South|West) Wing$`, "East"},
		{phi.LocationOther, "NORTH TOWER", `^(EAST|SOUTH|WEST) TOWER$`, "NORTH"},
		{phi.Country, "Korean", `^[A-Z][a-z]+$`, "Korean"},
		{phi.Hospital, "Johns Hopkins", `^[A-Z]\w+$`, "Hopkins"},
		{phi.Hospital, "MGH", `^[A-Z]{3}$`, "MGH"},
		{phi.Hospital, "BWH Emergency Department", `^[A-Z]{3} Emergency Department$`, "BWH"},
		{phi.Hospital, "University of Michigan Hospital", `^University of [A-Z]\w+ Hospital$`, "Michigan"},
		{phi.Organization, "Walgreens Pharmacy", `^[A-Z]\w+ Pharmacy$`, "Walgreens"},
		{phi.Organization, "Wexel & Dunmore, Inc.", `^[A-Z]\w+, Inc\.$`, "Wexel"},
		{phi.Organization, "Local 1199", `\d{4}$`, "1199"},
		{phi.Street, "123 Main St Apt 4B", `^[1-9]\d\d [A-Z]\w+ St Apt \d[A-Z]$`, "Main"},
		{phi.Street, "500 State Highway 72", `^[1-9]\d\d State Highway [1-9]\d$`, "72"},
		{phi.Street, "12 MARTIN LUTHER KING BLVD", `^[1-9]\d [A-Z ]+ BLVD$`, "LUTHER"},
		{phi.Street, "P.O. Box 123", `^P\.O\. Box [1-9]\d\d$`, "123"},
		{phi.Street, "9 Broadway", `^\d [A-Z]\w+$`, "Broadway"},
		{phi.County, "Middlesex County", `^[A-Z]\w+ County$`, "Middlesex"},
		{phi.LocationOther, "Brooklyn Bridge", `^[A-Z]\w+ Bridge$`, "Brooklyn"},
		{phi.LocationOther, "Ward 12, bed 3", `^Ward \d\d, bed \d$`, "12"},
		{phi.Country, "Peru", `^[A-Z][a-z]+( [A-Z][a-z]+)?$`, "Peru"},
		{phi.Country, "MEXICO", `^[A-Z ]+$`, "MEXICO"},
		{phi.Country, "USA", `^[A-Z]`, "USA"},
		{phi.State, "MA", `^[A-Z]{2}$`, "MA"},
		{phi.State, "Mass.", `^[A-Z]{2}`, "Mass"},
		{phi.State, "Massachusetts", `^[A-Z][a-z]+`, "Massachusetts"},
		{phi.State, "NEW YORK", `^[A-Z ]+$`, "NEW YORK"},
		{phi.City, "Cambridge", `^[A-Z]`, "Cambridge"},
		{phi.City, "CAMBRIDGE", `^[^a-z]+$`, "CAMBRIDGE"},
		{phi.City, "cambridge", `^[^A-Z]+$`, "cambridge"},
		{phi.City, "Nowheresville-on-Sea", `^[A-Z]`, "Nowheres"},
	} {
		form := regexp.MustCompile(c.form)
		for i := range 30 {
			b := testBook(t, fmt.Sprint(i), nil, 0)
			got := one(t, b, c.typ, c.in)
			if !form.MatchString(got) || got == c.in || c.not != "" && slices.Contains(strings.Fields(got), c.not) {
				t.Errorf("%v %q becomes %q, want %s without %q", c.typ, c.in, got, c.form, c.not)
			}
			if again := one(t, b, c.typ, c.in); again != got {
				t.Errorf("%v %q becomes %q, then %q", c.typ, c.in, got, again)
			}
		}
	}
}

func TestTownStateAndZipGoTogether(t *testing.T) {
	for i := range 100 {
		b := testBook(t, fmt.Sprint(i), johnSmith(), 0)
		out := replaced(t, b, "{CITY|Cambridge}, {STATE|MA} {ZIP|02139}")
		town, rest, _ := strings.Cut(out, ", ")
		state, zip, _ := strings.Cut(rest, " ")
		area := place.OfPrefix(zip[:3])
		if area == nil || place.States()[area.State].Abbr != state || !slices.Contains(area.Shown, zip[:3]) {
			t.Fatalf("%s is not of %s", zip, state)
		}
		if !slices.Contains(area.Towns, town) {
			t.Errorf("%s is not where %s is", town, zip)
		}
		if got := one(t, b, phi.State, "Massachusetts"); stateIndex(got) != stateIndex(state) {
			t.Errorf("Massachusetts is %s, MA %s", got, state)
		}
		if got := one(t, b, phi.Zip, "02139-4307"); got[:5] != zip {
			t.Errorf("02139 is %s, 02139-4307 %s", zip, got)
		}
	}
}

func TestAddressInOneSpan(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	town, state, zip := one(t, b, phi.City, "Cambridge"), one(t, b, phi.State, "MA"), one(t, b, phi.Zip, "02139")
	street := one(t, b, phi.Street, "12 Orchard Lane")
	for in, want := range map[string]string{
		"12 Orchard Lane, Cambridge, MA 02139":       street + ", " + town + ", " + state + " " + zip,
		"12 Orchard Lane\nCambridge,MA":              street + "\n" + town + "," + state,
		"12 Orchard Lane, Cambridge, MA, 02139-4307": street + ", " + town + ", " + state + ", " + one(t, b, phi.Zip, "02139-4307"),
		"12 Orchard Lane, Cambridge MA":              street + ", " + town + " " + state,
		"12 Orchard Lane, Cambridge MA 02139":        street + ", " + town + " " + state + " " + zip,
		"12 Orchard Lane, Cambridge, Massachusetts ": street + ", " + town + ", " + place.States()[stateIndex(state)].Name + " ",
		"12 Orchard Lane, , MA":                      street + ", , " + state,
	} {
		if got := one(t, b, phi.Street, in); got != want || strings.Contains(got, "Cambridge") {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestTownsAreDistinct(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	seen := map[string]string{}
	for _, p := range lexicon.Places()[:600] {
		got := one(t, b, phi.City, p.City)
		if was, dup := seen[got]; dup && letter.Plain(was) != letter.Plain(p.City) {
			t.Fatalf("%s and %s both become %s", was, p.City, got)
		}
		seen[got] = p.City
	}
}

func TestFacilityAbbreviation(t *testing.T) {
	rec := record.Record{record.Facility: {"Quarryfield Regional Medical Center"}}
	follows := 0
	for i := range 20 {
		b := testBook(t, fmt.Sprint(i), rec, 0)
		full, short := one(t, b, phi.Hospital, rec[record.Facility][0]), one(t, b, phi.Hospital, "QRMC")
		if strings.EqualFold(abbreviation(full), short) {
			follows++
		}
		if short == "QRMC" {
			t.Error("QRMC stays")
		}
	}
	if follows < 15 {
		t.Errorf("the abbreviation follows the name in %d of 20", follows)
	}
}

// No town, street or facility has a name of the patient in it, also as a part of a word: Jamestown for a James.
func TestPlacesShowNoNameOfThePatient(t *testing.T) {
	t.Parallel()
	rec := record.Record{
		record.NameFirst: {"James"}, record.NameMiddle: {"Green"}, record.NameLast: {"Charles"}, record.RelativeName: {"Anna Williams", "Fern Winter"},
	}
	who := record.NewGazetteer(rec)
	if len(who.Leaks("moved to Jamestown")) == 0 {
		t.Fatal("the record does not read James in Jamestown: the test would prove nothing")
	}
	text, spans := marked(t, "Of {STREET|14 Orchard Road}, {CITY|Minot}, {STATE|ND} {ZIP|58701}; {CITY|Fargo}, {CITY|Dickinson}, then {HOSPITAL|Trinity "+
		"Medical Center} and {LOCATION-OTHER|Fort Union}.")
	for n := range 400 {
		key, err := newKey(fmt.Appendf(nil, "%032d", n), 1)
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(key, Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := m.Patient("1", who, nil, 40).Replace(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range who.Leaks(res.Text) {
			t.Errorf("key %d: %q in %q", n, res.Text[r.Start:r.End], res.Text)
		}
	}
}
