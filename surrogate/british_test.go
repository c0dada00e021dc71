package surrogate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/place"
)

// britishAddress is an address with a telephone there.
type britishAddress struct{ town, county, code, phone string }

// someBritish draws an address. Its telephone has the dialling code of the town, or one of no town for which there are numbers for
// drama.
func someBritish(rng *rand.Rand) britishAddress {
	town, nation, code := abroadHome(rng, place.UnitedKingdom)
	n, name := stateIndex(nation), squeeze(letter.Plain(town))
	a := britishAddress{town: town, county: place.CountyOf(name, areaOf(code)), code: code}
	dialled := "1943"
	if drama := place.DramaOf(name, n); drama != "" {
		dialled = drama[:codeDigits(drama+"000")]
	}
	rest := fmt.Sprintf("%07d", 3000000+rng.IntN(900000))
	a.phone = "0" + dialled + " " + rest[:10-len(dialled)-min(4, 10-len(dialled)-3)] + " " + rest[:min(4, 10-len(dialled)-3)]
	if len(dialled) == 2 {
		a.phone = "0" + dialled + " " + rest[:4] + " " + rest[3:]
	}
	return a
}

// disagreement says what of an address does not fit together, or nothing. Towns that are made up fit where the postcode is.
func (a britishAddress) disagreement() string {
	area := areaOf(a.code)
	if area == nil || !isBritish(area.State) {
		return "the postcode is not British"
	}
	name := squeeze(letter.Plain(a.town))
	known := place.TownOf(name, area.State)
	if known.Area != nil && known.Area != area {
		return "town and postcode"
	}
	if !strings.EqualFold(a.county, place.CountyOf(name, area)) {
		return "county and town"
	}
	digits := letter.Alnum(a.phone)
	if drama := place.Drama(digits[1:]); drama != "" && drama != place.DramaOf(name, area.State) {
		return "dialling code and town"
	}
	if digits = digits[1:8]; place.Drama(digits) != digits && digits != place.Nowhere() {
		return "the telephone is no number for drama"
	}
	return ""
}

// Town, county, postcode and dialling code of one address agree: of the patient's own and of others, in one note and over several,
// whether a note has all of it or parts.
func TestBritishAddressesAgree(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	rng := rand.New(rand.NewPCG(8, 8))
	dramas := map[string]int{}
	for patient := range 600 {
		home, other := someBritish(rng), someBritish(rng)
		if home.town == other.town {
			continue
		}
		var rec record.Record
		if patient%2 == 0 {
			rec = record.Record{record.City: {home.town}, record.Zip: {home.code}, record.Phone: {home.phone}}
		}
		b := m.Patient(fmt.Sprint(patient), record.NewGazetteer(rec), nil, -9)
		full := func(a britishAddress) string {
			return fmt.Sprintf("{CITY|%s}, {COUNTY|%s} {ZIP|%s}, tel {PHONE|%s}", a.town, a.county, a.code, a.phone)
		}
		notes := []string{full(home), full(home) + "; from " + full(other), full(other), full(home)}
		if patient%3 == 0 { // each address in a note of its own first
			notes = []string{full(other), full(home), full(home) + "; from " + full(other)}
		}
		seen := map[string]britishAddress{}
		for _, note := range notes {
			text, spans := marked(t, note)
			res, err := b.Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(spans); i += 4 {
				part := func(n int) string { return shown(text, res, spans[i+n]) }
				a := britishAddress{part(0), part(1), part(2), part(3)}
				was := text[spans[i].Start:spans[i].End]
				if why := a.disagreement(); why != "" {
					t.Errorf("patient %d: %s becomes %v: %s", patient, text, a, why)
				}
				if before, again := seen[was]; again && before != a {
					t.Errorf("patient %d: %s becomes %v and %v", patient, was, before, a)
				}
				seen[was] = a
				dramas[place.Drama(letter.Alnum(a.phone)[1:])]++
			}
		}
		if got, _, err := b.Value(record.Phone, home.phone); err != nil || got != seen[home.town].phone {
			t.Errorf("patient %d: a column shows %s, notes %s (%v)", patient, got, seen[home.town].phone, err)
		}
	}
	if len(dramas) < 6 || dramas[""] == 0 {
		t.Errorf("too few kinds of numbers to say anything: %v", dramas)
	}
}

func TestCountiesOfNotes(t *testing.T) {
	t.Parallel()
	leeds := record.Record{record.City: {"Leeds"}, record.Zip: {"LS1 4AB"}}
	for name, c := range map[string]struct {
		rec  record.Record
		note string
		want bool // whether the county is one of the United Kingdom
	}{
		"beside a town and a postcode":     {nil, "{CITY|Otley}, {COUNTY|West Yorkshire} {ZIP|LS21 3AB}", true},
		"beside a postcode":                {nil, "{COUNTY|W. Yorks} {ZIP|LS21 3AB}", true},
		"beside a town alone":              {nil, "{CITY|Otley}, {COUNTY|West Yorkshire}", true},
		"beside a town of the same name":   {nil, "{CITY|Cambridge}, {COUNTY|Cambs}", true},
		"alone, of the patient's home":     {leeds, "grew up in {COUNTY|West Yorkshire}", true},
		"alone, of somewhere else":         {leeds, "moved to {COUNTY|KENT}", true},
		"with a town elsewhere in a note":  {nil, "{CITY|Leeds} {ZIP|LS1 4AB}, then {COUNTY|Kent}", true},
		"of an American":                   {record.Record{record.City: {"Boston"}, record.State: {"MA"}}, "{COUNTY|Suffolk}", false},
		"of the United States":             {nil, "{CITY|Boston}, {COUNTY|Suffolk County}", false},
		"that is none":                     {leeds, "{COUNTY|Loamshire}", false},
		"of nobody of whom it is known":    {nil, "{COUNTY|Kent}", false},
		"beside a town that is not there":  {record.Record{record.State: {"MA"}}, "{CITY|Boston}, {COUNTY|Kent}", false},
		"beside a town of a larger family": {leeds, "{CITY|Ilkley}, {COUNTY|west yorkshire}", true},
	} {
		for i := range 20 {
			text, spans := marked(t, c.note)
			res, err := testBook(t, fmt.Sprint(i), c.rec, -3).Replace(text, spans)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range spans {
				if s.Type != phi.County {
					continue
				}
				was, is := text[s.Start:s.End], shown(text, res, s)
				if _, county := place.ReadCounty(is); county != c.want || strings.EqualFold(was, is) || strings.ToUpper(was) == was && strings.ToUpper(is) != is {
					t.Errorf("%s: %s becomes %s", name, text, res.Text)
				}
			}
		}
	}
}

// Where towns are shown as they are, so are the dialling codes, and counties are made up.
func TestBritishTownsThatAreKept(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{Actions: map[phi.Type]Action{phi.City: Keep}})
	b := m.Patient("p", record.NewGazetteer(nil), nil, -9)
	out := replaced(t, b, "{CITY|Leeds}, {COUNTY|West Yorkshire}, {PHONE|0113 212 3456}")
	if _, county := place.ReadCounty(strings.Split(out, ", ")[1]); county || !strings.HasPrefix(out, "Leeds, ") || !strings.Contains(out, ", 0113 496 0") {
		t.Errorf("becomes %s", out)
	}
}

// What earlier versions made of counties and of numbers that begin like calls abroad stays as it is stored.
func TestStoredBritishSurrogatesStay(t *testing.T) {
	t.Parallel()
	m := testMaker(t, Options{})
	w := &work{Book: m.Patient("p", record.NewGazetteer(nil), nil, -9)}
	entry := func(k kind, original, to string) Entry {
		id, _ := w.source.derive(k, original)
		return Entry{Kind: string(k), Hash: id.hash[:], Surrogate: to}
	}
	b := m.Patient("p", record.NewGazetteer(nil), []Entry{
		entry(kindPlace, "kent", "Fairbrook"), entry(kindNumber, "31234567", "28123456"), entry(kindNumber, "442071234567", "442079460111"),
	}, -9)
	out := replaced(t, b, "{CITY|Canterbury}, {COUNTY|Kent} {ZIP|CT1 2AB}, {PHONE|0113 123 4567}, {PHONE|020 7123 4567}")
	if !strings.Contains(out, ", Fairbrook ") || !strings.HasSuffix(out, ", 0112 812 3456, 020 7946 0111") {
		t.Errorf("becomes %s", out)
	}
}

// A patient of a town with numbers of its own has some of them where the town becomes one that has, too.
func TestManyBritishTelephones(t *testing.T) {
	t.Parallel()
	b := testBook(t, "p", record.Record{record.City: {"Leeds"}, record.Zip: {"LS1 4AB"}}, -3)
	seen := map[string]bool{}
	for i := range 1100 {
		got := letter.Alnum(one(t, b, phi.Phone, fmt.Sprintf("0113 2%02d %04d", i/100, 7*i)))
		if start := got[1:8]; seen[got] || start != place.Nowhere() && place.Drama(start) != start {
			t.Fatalf("number %d becomes %s, another's or somebody's", i, got)
		}
		seen[got] = true
	}
}
