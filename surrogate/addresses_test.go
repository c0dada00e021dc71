package surrogate

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// home is a made-up address of which all parts are of one place.
type home struct{ town, state, abbr, zip, phone string }

// randomHome puts together a town, a ZIP code of its area and a telephone of its state.
func randomHome(rng *rand.Rand) home {
	for {
		p := lexicon.Places()[rng.IntN(len(lexicon.Places()))]
		state := stateIndex(p.State)
		if state < 0 || place.TownOf(squeeze(letter.Plain(p.City)), state).Area == nil {
			continue
		}
		s := place.States()[state]
		return home{
			town: p.City, state: s.Name, abbr: s.Abbr, zip: fmt.Sprintf("%s%02d", p.Zip3, rng.IntN(100)),
			phone: fmt.Sprintf("(%s) %d-%04d", s.Codes[rng.IntN(len(s.Codes))], 200+rng.IntN(300), rng.IntN(10000)),
		}
	}
}

// Ten thousand addresses of a thousand patients: town, state, ZIP code and telephone fit together in any form, and again.
func TestAddressesAgree(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	rng := rand.New(rand.NewPCG(14, 1))
	forms := []string{
		"{STREET|9 Elm St}, {CITY|%[1]s}, {STATE|%[3]s} {ZIP|%[4]s}, {PHONE|%[5]s}",
		"{PHONE|%[5]s} of {ZIP|%[4]s}? From {CITY|%[1]s} {STATE|%[2]s} {ZIP|%[4]s}",
		"{STREET|9 Elm St, %[1]s, %[3]s %[4]s} or {CITY|%[1]s}, {STATE|%[3]s} {ZIP|%[4]s}; {FAX|%[5]s}",
	}
	made := 0
	for patient := range 1000 {
		id := fmt.Sprint(patient)
		b, again := m.Patient(id, record.NewGazetteer(nil), nil, -9), m.Patient(id, record.NewGazetteer(nil), nil, -9)
		for nth := range 10 {
			h := randomHome(rng)
			in := fmt.Sprintf(forms[nth%len(forms)], h.town, h.state, h.abbr, h.zip, h.phone)
			text, spans := marked(t, in)
			res, err := b.Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := again.Replace(text, spans); err != nil || same.Text != res.Text {
				t.Fatalf("another book writes something else")
			}
			seen := 0
			for _, a := range addressesIn(text, spans, func(i int) string { return shown(text, res, spans[i]) }) {
				seen++
				if why := a.disagreement(); why != "" {
					t.Fatalf("%s become %v: %s do not fit together", h, a, why)
				}
				if a.zip == h.zip || strings.EqualFold(a.town, h.town) || stateIndex(a.state) == stateIndex(h.abbr) {
					t.Errorf("%s become %v", h, a)
				}
				if place.Home(squeeze(letter.Plain(a.town))) < 0 {
					made++
				}
				checkPhones(t, spans, text, res, stateIndex(a.state))
			}
			if seen != 1 {
				t.Fatalf("%d addresses in %q", seen, in)
			}
		}
	}
	if made > 500 {
		t.Errorf("%d of 10,000 towns are made up, though there are others", made)
	}
}

func checkPhones(t *testing.T, spans []phi.Span, text string, res Result, state int) {
	t.Helper()
	for _, s := range spans {
		if !isPhone(s.Type) {
			continue
		}
		if got := letter.Alnum(shown(text, res, s)); place.OfCode(got[:3]) != state || got[3:8] != "55501" {
			t.Errorf("telephone %s is not of fiction in %s", got, place.States()[state].Name)
		}
	}
}

// A town alone is the town of the patient's record or of an address in the same text, and the largest of its name
// elsewhere; towns of one name in several states are several towns.
func TestTownsAlone(t *testing.T) {
	t.Parallel()
	springfield := record.Record{record.City: {"Boston", "Springfield"}, record.State: {"MA", "IL"}, record.Zip: {"02118", "62704"}}
	for i := range 50 {
		id := fmt.Sprint(i)
		b := testBook(t, id, springfield, -3)
		il := one(t, b, phi.City, "Springfield")
		if out := replaced(t, b, "{CITY|Springfield}, {STATE|IL} {ZIP|62704}"); !strings.HasPrefix(out, il+", ") {
			t.Errorf("Springfield of the record is %s, Springfield, IL is %s", il, out)
		}
		if out := replaced(t, b, "{CITY|SPRINGFIELD}, {STATE|MA}"); strings.HasPrefix(out, strings.ToUpper(il)+",") {
			t.Errorf("two Springfields are %s", il)
		}
		if il, ma := value(t, b, "Springfield", Address{State: "Illinois"}), value(t, b, "Springfield", Address{State: "MA"}); il == ma {
			t.Errorf("columns of two Springfields show %s", il)
		}

		b = testBook(t, id, nil, -3)
		out := replaced(t, b, "In {CITY|Springfield}. Lives in {STREET|9 Elm St, Springfield, Vermont 05156}. Back to {CITY|Springfield}")
		town := strings.TrimSuffix(strings.TrimPrefix(out, "In "), out[strings.Index(out, ". Lives"):])
		if !strings.HasSuffix(out, "Back to "+town) || strings.Count(out, town) < 3 {
			t.Errorf("Springfield is not one town: %s", out)
		}
		if got := replaced(t, b, "{CITY|Springfield} {ZIP|62704}"); strings.HasPrefix(got, town+" ") {
			t.Errorf("Springfield by its ZIP code is that of Vermont")
		}
	}
}

func value(t *testing.T, b *Book, city string, at Address) string {
	t.Helper()
	got, _, err := b.ValueAt(record.City, city, at)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The order in which the addresses of a patient come does not matter, except where two towns, telephones or ZIP codes
// want the same surrogate: towns of a state whose surrogate is a small one, mostly.
func TestOrderOfAddressesDoesNotMatter(t *testing.T) {
	t.Parallel()
	texts := []string{
		"{CITY|Springfield}", "{CITY|Springfield}, {STATE|IL} {ZIP|62704}", "{CITY|Springfield}, {STATE|MA}", "{ZIP|62711} {ZIP|01103}", "{CITY|Decatur}",
		"{CITY|Portland}, {STATE|Maine}", "{CITY|Portland}", "{PHONE|217-555-3301}", "{STATE|Ill.}", "{CITY|Chicago} {ZIP|60827}", "{ZIP|60601}",
	}
	patients, others := 100, 0
	for i := range patients {
		forward, backward := testBook(t, fmt.Sprint(i), johnSmith(), -3), testBook(t, fmt.Sprint(i), johnSmith(), -3)
		want := map[string]string{}
		for _, s := range texts {
			want[s] = replaced(t, forward, s)
		}
		for n := range texts {
			s := texts[len(texts)-1-n]
			if replaced(t, backward, s) != want[s] {
				others++
			}
		}
	}
	if limit := patients * len(texts) / 16; others > limit {
		t.Errorf("%d texts depend on what came first, want at most %d", others, limit)
	}
}

// Where states are kept, towns, ZIP codes and telephones stay in them.
func TestKeptStates(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{phi.State: Keep}})
	for i := range 50 {
		b := m.Patient(fmt.Sprint(i), record.NewGazetteer(nil), nil, -3)
		text, spans := marked(t, "{CITY|Springfield}, {STATE|IL} {ZIP|62704}, {PHONE|217-555-3301}")
		res, err := b.Replace(text, spans)
		if err != nil {
			t.Fatal(err)
		}
		a := addressesIn(text, spans, func(i int) string { return shown(text, res, spans[i]) })[0]
		if a.state != "IL" || a.disagreement() != "" || a.town == "Springfield" || a.zip == "62704" || areaOf(a.zip) == areaOf("62704") {
			t.Errorf("%v", a)
		}
		checkPhones(t, spans, text, res, stateIndex("IL"))
	}
}

// What a record says of a town whose states and ZIP codes are no longer in rows.
func TestTownOfRecord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name               string
		city, states, zips []string
		nth                int
		state, zip         string
	}{
		{"one of each", []string{"Springfield"}, []string{"IL"}, []string{"62704"}, 0, "IL", "62704"},
		{"by its index", []string{"Springfield", "Portland"}, []string{"IL", "ME"}, nil, 1, "ME", ""},
		{"two towns of one state", []string{"Decatur", "Springfield", "Portland"}, []string{"IL", "OR"}, nil, 2, "OR", ""},
		{"by the ZIP code", []string{"Springfield", "Salem", "Dover"}, []string{"MA", "NH"}, []string{"01103", "01970", "03820"}, 1, "MA", "01970"},
		{"ZIP code of another state", []string{"Springfield"}, []string{"IL"}, []string{"02139"}, 0, "IL", ""},
		{"ZIP codes of several", []string{"Springfield"}, []string{"IL"}, []string{"02139", "62704"}, 0, "IL", "62704"},
		{"no state", []string{"Springfield"}, nil, []string{"62704"}, 0, "IL", "62704"},
		{"nothing else", []string{"Springfield"}, nil, nil, 0, "", ""},
		{"a province", []string{"Toronto"}, []string{"Ontario"}, []string{"M5V 2T6"}, 0, "ON", "M5V 2T6"},
		{"a postcode alone", []string{"Leeds"}, []string{"West Yorkshire"}, []string{"LS1 4AB"}, 0, "England", "LS1 4AB"},
		{"no state that is known", []string{"Munich"}, []string{"Bavaria"}, []string{"D-80331"}, 0, "", ""},
		{"more towns than states", []string{"Quorr", "Zell"}, []string{"IL"}, nil, 1, "IL", ""},
	} {
		got := townOfRecord(record.Record{record.City: tt.city, record.State: tt.states, record.Zip: tt.zips}, tt.nth)
		want := -1
		if tt.state != "" {
			want = stateIndex(tt.state)
		}
		if got.state != want || got.zip != tt.zip && areaOf(got.zip) != nil {
			t.Errorf("%s: state %d, ZIP code %q", tt.name, got.state, got.zip)
		}
	}
}

func TestAddressPrintsRedacted(t *testing.T) {
	t.Parallel()
	a := Address{State: "Quorria", Zip: "62704"}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "at", a)
	if got := fmt.Sprintf("%v %+v %#v %s", a, a, a, a) + log.String(); strings.Contains(got, "Quorria") || strings.Contains(got, "627") {
		t.Errorf("an address prints as %s", got)
	}
}

// The columns of a made-up hospital's patients show what the patients' notes show of their addresses.
func TestColumnsShowWhatNotesShow(t *testing.T) {
	t.Parallel()
	hospital, err := synth.NewHospital(5, synth.Options{Patients: 150, Notes: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := testMaker(t, Options{})
	for i := range hospital.Patients {
		p := &hospital.Patients[i]
		b := m.Patient(fmt.Sprint(p.ID), record.NewGazetteer(p.Record()), nil, -9)
		for _, a := range p.Addresses() {
			note := replaced(t, b, fmt.Sprintf("{CITY|%s}|{STATE|%s}|{ZIP|%s}|{CITY|%[1]s}", a.City, a.State, a.Zip))
			var columns []string
			for _, c := range []struct {
				role  record.Role
				value string
			}{{record.City, a.City}, {record.State, a.State}, {record.Zip, a.Zip}, {record.City, strings.ToUpper(a.City)}} {
				v, _, err := b.ValueAt(c.role, c.value, Address{State: a.State, Zip: a.Zip})
				if err != nil {
					t.Fatal(err)
				}
				columns = append(columns, v)
			}
			if got := strings.Join(columns, "|"); !strings.EqualFold(got, note) {
				t.Errorf("columns show %s, a note %s", got, note)
			}
			if alone, _, err := b.Value(record.City, a.City); err != nil || alone != columns[0] && len(p.Addresses()) == 1 {
				t.Errorf("a column without a state beside it shows %s, others %s (%v)", alone, columns[0], err)
			}
		}
	}
}

// What the record comes to hold is never a surrogate of a state, and the others stay.
func TestStatesAvoidTheRecord(t *testing.T) {
	t.Parallel()
	for i := range 60 {
		b := testBook(t, fmt.Sprint(i), nil, -3)
		first := one(t, b, phi.State, "Illinois")
		b.Know(record.NewGazetteer(record.Record{record.NameLast: {strings.Fields(first)[0]}}))
		second := one(t, b, phi.State, "Illinois")
		if first == second {
			t.Errorf("%s stays, though the patient bears its name", first)
		}
		a := strings.Fields(replaced(t, b, "{STATE|IL} {ZIP|62704}"))
		if (written{state: a[0], zip: a[1]}).disagreement() != "" || stateIndex(a[0]) != stateIndex(second) {
			t.Errorf("after the record changed %v and %s do not fit together", a, second)
		}
	}
}

// Codes that are no ZIP code of a state.
func TestOtherPostalCodes(t *testing.T) {
	t.Parallel()
	for in, form := range map[string]string{
		"SW1A 2AA": `^[A-Z]{1,2}\d \d[A-Z]{2}$`, "D02 AF30": `^[A-Z]\d{2} [A-Z]{2}\d{2}$`, "K1A 0B1": `^[A-Z]\d[A-Z] \d[A-Z]\d$`, "09012": `^\d{5}$`, "00000": `^\d{5}$`, "96910-1234": `^\d{5}-\d{4}$`,
		"3002": `^\d{4}$`, "627": `^\d{3}$`,
	} {
		for i := range 20 {
			b := testBook(t, fmt.Sprint(i), nil, -3)
			got := one(t, b, phi.Zip, in)
			if !regexp.MustCompile(form).MatchString(got) || got == in || one(t, b, phi.Zip, in) != got {
				t.Errorf("%s becomes %s, want %s", in, got, form)
			}
			if area := areaOf(got); len(in) >= 5 && isNumeric(in[:5]) && (area == nil || !slices.Contains(area.Shown, got[:3])) {
				t.Errorf("%s becomes %s, which is nowhere or where few people live", in, got)
			}
		}
	}
}
