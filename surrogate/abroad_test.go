package surrogate

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// abroadHome draws a town, its state and a code of the town's area in another country.
func abroadHome(rng *rand.Rand, country place.Country) (town, state, code string) {
	for {
		s := &place.States()[rng.IntN(len(place.States()))]
		if s.Country != country {
			continue
		}
		area := s.Areas[rng.IntN(len(s.Areas))]
		like := map[place.Country]string{place.Canada: "k1a0b1", place.UnitedKingdom: []string{"m11aa", "ls114ab"}[rng.IntN(2)]}[country]
		form, _ := place.ReadCode(like)
		var made []byte
		for _, set := range form.Places(area.Shown[rng.IntN(len(area.Shown))]) {
			made = append(made, set[rng.IntN(len(set))])
		}
		n := len(made) - place.Local
		return area.Towns[rng.IntN(len(area.Towns))], s.Name, strings.ToUpper(string(made[:n]) + " " + string(made[n:]))
	}
}

// Towns, provinces or nations, and postal codes of Canada and the United Kingdom go together in notes and in columns.
func TestAddressesAbroadAgree(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	rng := rand.New(rand.NewPCG(4, 4))
	forms := map[place.Country]*regexp.Regexp{
		place.Canada: regexp.MustCompile(`^[A-Z][0-9][A-Z] [0-9][A-Z][0-9]$`), place.UnitedKingdom: regexp.MustCompile(`^[A-Z]{1,2}[0-9]{1,2} [0-9][A-Z]{2}$`),
	}
	made := 0
	for patient := range 1000 {
		country := place.Country(1 + patient%2)
		town, state, code := abroadHome(rng, country)
		b := m.Patient(fmt.Sprint(patient), record.NewGazetteer(nil), nil, -9)
		in := fmt.Sprintf("{CITY|%s}, {STATE|%s} {ZIP|%s}|{CITY|%[1]s} {ZIP|%[3]s}|{CITY|%[1]s}, {COUNTY|Kent} {ZIP|%[3]s}|{CITY|%[1]s}", town, state, code)
		text, spans := marked(t, in)
		res, err := b.Replace(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		gotTown, gotState, gotCode := shown(text, res, spans[0]), shown(text, res, spans[1]), shown(text, res, spans[2])
		area := areaOf(gotCode)
		if area == nil || !forms[country].MatchString(gotCode) || area.State != stateIndex(gotState) || place.States()[area.State].Country != country {
			t.Fatalf("%s, %s %s becomes %s, %s %s", town, state, code, gotTown, gotState, gotCode)
		}
		name := squeeze(letter.Plain(gotTown))
		switch known := place.TownOf(name, area.State); {
		case known.Area == nil:
			made++
		case known.Area != area:
			t.Errorf("%s, %s %s becomes %s, which is not where %s is", town, state, code, gotTown, gotCode)
		}
		if gotTown == town || gotState == state || strings.EqualFold(gotCode, code) || strings.Count(res.Text, gotTown) < 4 || strings.Count(res.Text, gotCode) < 3 {
			t.Errorf("%s, %s %s becomes %s", town, state, code, res.Text)
		}
		for role, want := range map[record.Role][2]string{record.City: {town, gotTown}, record.State: {state, gotState}, record.Zip: {code, gotCode}} {
			if got, _, err := b.ValueAt(role, want[0], Address{State: state, Zip: code}); err != nil || got != want[1] {
				t.Errorf("a column shows %s, a note %s (%v)", got, want[1], err)
			}
		}
	}
	if made > 20 {
		t.Errorf("%d of 1,000 towns are made up", made)
	}
}

// A town abroad without its address is that of the record's country; telephones of a province get an area code of its surrogate.
func TestTownsAbroadAlone(t *testing.T) {
	t.Parallel()
	for i := range 30 {
		british := testBook(t, fmt.Sprint(i), record.Record{record.City: {"Leeds"}, record.Zip: {"LS1 4AB"}}, -3)
		out := one(t, british, phi.City, "Cambridge")
		if n := place.Home(squeeze(letter.Plain(out))); !isAbroad(n) && !place.InState(squeeze(letter.Plain(out)), stateIndex("scotland")) &&
			!place.InState(squeeze(letter.Plain(out)), stateIndex("wales")) && !place.InState(squeeze(letter.Plain(out)), stateIndex("nir")) {
			t.Errorf("Cambridge becomes %s", out)
		}
		american := testBook(t, fmt.Sprint(i), record.Record{record.City: {"Boston"}, record.State: {"MA"}}, -3)
		if out := squeeze(letter.Plain(one(t, american, phi.City, "Todmorden"))); isAbroad(place.Home(out)) {
			t.Errorf("a town of which the record of an American knows nothing becomes %s", out)
		}
		b := testBook(t, fmt.Sprint(i), nil, -3)
		text := replaced(t, b, "{STATE|ON} {PHONE|416-967-1111}")
		state := stateIndex(text[:2])
		phone := text[3:]
		if state < 0 || !strings.Contains(strings.Join(place.States()[state].Codes, " "), phone[:3]) || !strings.HasPrefix(phone[4:], "555-01") {
			t.Errorf("a telephone of Ontario: %s", text)
		}
		if state := one(t, b, phi.State, "British Columbia"); !isAbroad(stateIndex(state)) {
			t.Errorf("a province becomes %s", state)
		}
	}
}

// Postcodes come out in the case and with the space with which they were written.
func TestPostcodesAsWritten(t *testing.T) {
	t.Parallel()
	for in, form := range map[string]string{
		"LS1 4AB": `^[A-Z]{1,2}\d \d[A-Z]{2}$`, "LS14AB": `^[A-Z]{1,2}\d\d[A-Z]{2}$`, "ls11 4ab": `^[a-z]{1,2}\d\d \d[a-z]{2}$`, "W1A\u00a00AX": `^[A-Z]{1,2}\d\x{a0}\d[A-Z]{2}$`,
		"M1-1AE": `^[A-Z]{1,2}\d-\d[A-Z]{2}$`, "k1a0b1": `^[a-z]\d[a-z]\d[a-z]\d$`, "K1A-0B1": `^[A-Z]\d[A-Z]-\d[A-Z]\d$`, "(EC1V 9BD)": `^\([A-Z]{1,2}\d \d[A-Z]{2}\)$`,
	} {
		for i := range 20 {
			if got := one(t, testBook(t, fmt.Sprint(i), nil, -3), phi.Zip, in); !regexp.MustCompile(form).MatchString(got) {
				t.Errorf("%s becomes %s, want %s", in, got, form)
			}
		}
	}
}

// What earlier versions made of addresses abroad, letters and digits and made-up names, stays as it is stored.
func TestStoredSurrogatesAbroadStay(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	w := &work{Book: m.Patient("p", record.NewGazetteer(nil), nil, -9)}
	entry := func(k kind, original, to string) Entry {
		id, _ := w.source.derive(k, original)
		return Entry{Kind: string(k), Hash: id.hash[:], Surrogate: to}
	}
	stored := []Entry{
		entry(kindZip, "ls14a", "qx70z"), entry(kindZip, "ls14ab", "qx70zr"), entry(kindZip, "k1a0b", "z7q4m"), entry(kindZip, "k1a0b1", "z7q4m3"),
		entry(kindCity, "leeds", "Akron"), entry(kindPlace, "ontario", "Fairbrook"), entry(kindPlace, "england", "Millstead"), entry(kindNumber, "bc", "xq"),
	}
	b := m.Patient("p", record.NewGazetteer(nil), stored, -9)
	out := replaced(t, b, "{CITY|Leeds}, {STATE|England} {ZIP|LS1 4AB}, {STATE|Ontario} {ZIP|K1A 0B1}, {STATE|BC}")
	if want := "Akron, Millstead QX7 0ZR, Fairbrook Z7Q 4M3, XQ"; out != want {
		t.Errorf("stored surrogates become %s, want %s (%s)", out, want, hex.EncodeToString(stored[0].Hash[:2]))
	}
}
