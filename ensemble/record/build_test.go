package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

func TestNameWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Ann": "ann", "Dr. Ann B. Moss, MD": "ann b moss", "Smithson-O'Brien": "smithson obrien brien", "D’Angelo": "dangelo angelo", "O'Hara": "ohara hara",
		"Oriel921": "oriel", "*Wexcombe602*": "wexcombe", "Tansy_Hesper": "tansy hesper", "van der Berg Jr.": "van der berg", "Núñez": "nunez",
		"": "", "123": "", "Mrs.": "", "'": "", "李 小龙": "李 小龙",
	} {
		if got := strings.Join(nameWords(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParsePerson(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"Ann B. Long":        {"ann b", "long"},
		"Long, Ann B., MD":   {"ann b", "long"},
		"Long":               {"", "long"},
		"Nurse Florence":     {"", "florence"},
		"Joe de la Cruz":     {"joe de la", "cruz"},
		"Luis van Quist":     {"luis van", "quist"},
		"Long, MD":           {"", "long"},
		"":                   {"", ""},
		"Dela Potluri, Meir": {"meir", "dela potluri"},
	} {
		p := parsePerson(in)
		if got := [2]string{strings.Join(p.given, " "), strings.Join(p.family, " ")}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Tables of staff hold departments too, which are no people.
func TestNoPerson(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"General Surgery": true, "Unknown Provider": true, "FAMILY HISTORY": true, "Rose Pain": false, "Grace Hope": false, "Ignatius Wibberley": false,
	} {
		if p := parsePerson(name); p.noPerson() != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// A name that texts are full of as a word needs more than its letters.
func TestLevels(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]uint8{
		"zorvakian": onlyName, "featherstonhaugh": onlyName, "王": onlyName,
		"baker": alsoWord, "ann": alsoWord,
		"long": ordinary, "pain": ordinary, "may": ordinary, "will": ordinary, "gene": ordinary, "wu": ordinary, "monday": ordinary,
	} {
		e, _ := lexicon.LookupFolded(word)
		if got := levelOf(word, e); got != want {
			t.Errorf("%q: level %d, want %d", word, got, want)
		}
	}
}

func TestPhraseWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Mercy General Hospital": "mercy general hospital", "St. Louis": "st louis", "1 West-121-A S2V": "1 west 121 a s 2 v", "Halloway's Diner": "halloway s diner",
		"\u0301": "", "": "", "A&B": "a b",
	} {
		if got := strings.Join(phraseWords(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Short numbers are looked for only where a word announces them, and by no leak check.
func TestIdentifiersThatLeak(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role  Role
		value string
		leaks bool
	}{
		{MRN, "E4863352", true},
		{MRN, "12345", true},
		{MRN, "1234", false},
		{SSN, "178-52-8495", true},
		{Phone, "617-555-0142", true},
		{Zip, "78135", false},
		{Account, "AB-12345-7", true},
		{Username, "wqs91", true},
		{BirthDate, "1954-03-12", false},
		{Email, "q@example.org", true},
		{Email, "q@b", false},
	} {
		g := NewGazetteer(Record{c.role: {c.value}})
		if got := len(g.Leaks("it is "+c.value+" here")) > 0; got != c.leaks {
			t.Errorf("%s %q: leaks is %v", c.role, c.value, got)
		}
	}
}

func TestIdentHash(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"E4863352", "e-48 63.352", "E4B633S2", "E486335Z"}, {"00123", "123", "0-0-1-2-3"}, {"٣٤٥٦", "3456"}, {"Ünal1", "unal1"}, {"", "-", "0"},
	} {
		for _, s := range same {
			if identKey(s) != identKey(same[0]) {
				t.Errorf("%q and %q differ", s, same[0])
			}
		}
	}
	for _, s := range []string{"123", "124", "213", "12", "1230", "E123"} {
		if s != "123" && identKey(s) == identKey("123") {
			t.Errorf("%q is as 123", s)
		}
	}
	h := newIdentHash()
	h.write("00-1a")
	if h.n != 2 || h.all != 4 {
		t.Errorf("%d of %d letters and digits count", h.n, h.all)
	}
}

func TestPairsOfThePatient(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"William", "Carter"}, NameLast: {"Moss", "Lindqvist"}, RelativeName: {"Ann B. Long"}})
	key := func(w string) uint64 { return text.FoldedKey(w) }
	for _, c := range []struct {
		a, b string
		want wordBits
	}{
		{"william", "moss", wPatient},
		{"carter", "lindqvist", wPatient},
		{"bill", "moss", wPatient},
		{"w", "moss", wPatient},
		{"c", "moss", wPatient},
		{"william", "carter", wPatient},
		{"william", "c", wPatient},
		{"william", "w", 0},
		{"moss", "lindqvist", wPatient},
		{"moss", "william", 0},
		{"ann", "long", wPatient},
		{"a", "long", wPatient},
		{"ann", "b", wPatient},
		{"ann", "moss", 0},
		{"william", "long", 0},
		{"moss", "moss", 0},
	} {
		if got := g.pairs[pairKey(key(c.a), key(c.b))]; got != c.want {
			t.Errorf("%s %s: %b, want %b", c.a, c.b, got, c.want)
		}
	}
}

func TestClasses(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]class{
		"Apt": isApartment, "NE": isCompass, "Blvd": isStreetType, "th": isInDate, "yrs": isYears, "since": isBeforeMonth,
		"MRN": isNumberLabel, "fax": isFaxLabel, "pager": isPagerLabel, "cell": isPhoneLabel, "seven": isSaidDigit, "October": isMonth, "xyzzy": 0,
	} {
		if got := classOf(word); got&want != want || want == 0 && got != 0 {
			t.Errorf("%q: %b, want %b", word, got, want)
		}
	}
	for _, list := range classLists {
		if len(lexicon.Words(list)) == 0 {
			t.Errorf("no words in %s", list)
		}
	}
	for name, want := range map[string]int{"january": 1, "sept": 9, "dec": 12, "octubre": 10, "monday": 0} {
		if got := months()[text.FoldedKey(name)]; got != want {
			t.Errorf("%s is month %d, want %d", name, got, want)
		}
	}
}

func TestStreets(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{
		Street: {
			"128 Williams Court Apt 4B", "6460 N Blairdale Ave", "5494 W. Saint Walnut Cir Apt 219", "PO Box 235", "7725 Cedar Circle",
			"220 Alder St #6", "1404 Quillon Ave S Apt 12", "610 Camino Verano SW", "31 Merrow Ln Apt #9C",
			"#8 Tannery Row", "1200 Highway #6",
		},
	})
	checkMarkedBy(t, g, []markedCase{
		{"at [128 Williams Court Apt 4B], [128 Williams Ct #4B], [128 williams ct]", phi.Street},
		{"on [Williams Court] there", phi.Street},
		{"at [6460 N Blairdale Ave], [6460 N. Blairdale Avenue], [6460 Blairdale]", phi.Street},
		{"at [6460NBlairdaleAve], [128WilliamsCourt], [5494W.SaintWalnutCirApt219]", phi.Street},
		{"at [646O N B1airdale Ave], [5494 W. Saint Walnut Cir Apt 2i9]", phi.Street},
		{"at [7725 Cedar Cicrle], [7725 Ceadr Circle]", phi.Street},
		{"at [6460\nN Blairdale Ave], [5494 W. Saint Walnut Cir Apt\n219]", phi.Street},
		{"[POBOX235], [PO Box 235]", phi.Street},
		{"at [220 Alder St #6], [220 Alder St # 6], [220 ALDER ST APT 6], [220 Alder St, #6]; [220 Alder St]", phi.Street},
		{"at [1404 Quillon Ave S Apt 12], [1404 Quillon Ave. S., Apt 12], [1404 quillon ave s #12], [1404 Quillon Ave]", phi.Street},
		{"at [610 Camino Verano SW], [610 Camino Verano S.W]; [31 Merrow Ln Apt #9C], [31 Merrow Ln 9C]", phi.Street},
		{"at [8 Tannery Row], on [Highway 6]", phi.Street},
		{"at [7725 Cedar Circle] S of town; [220 Alder St] 7 days", phi.Street},
		{"Williams came; 129 Williams, walnut; a cedar circle; box 235", phi.None},
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{City: {"Hartford", "Reading", "Lake Park", "Kelsova"}, State: {"PA"}, Employer: {"City of Quillburg", "Target"}})
	checkMarkedBy(t, g, []markedCase{
		{"in [Kelsova], [kelsova], [KELSOVA], [Kels0va], [Kel-\nsova]", phi.City},
		{"in [Lakc Park], [LakePark], [Lake\nPark], [Laek Park]", phi.City},
		{"for the [City of Quillburg], [Clty of Quillburg], [CITY 0F QUILLBURG]", phi.Organization},
		{"lives in [Hartf0rd] now", phi.City},
		{"reading glasses; the target was met; a lake, a park; reading in bed", phi.None},
	})
}

func TestMiscellaneousValues(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{BirthDate: {"1954", "not a date"}, Street: {"", "12"}, City: {"the", "x"}, Facility: {strings.Repeat("a ", 20)}, NameFull: {""}})
	if spans := findIn(t, g, "1954 12 the x a a a a"); len(spans) > 0 {
		t.Errorf("found %v", spans)
	}
	if roles := Roles(); !slices.Contains(roles, BirthDate) || len(roles) != 27 {
		t.Errorf("%d roles", len(roles))
	}
}
