package surrogate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

func TestNameForms(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	john, carl, smith := one(t, b, phi.Patient, "John"), one(t, b, phi.Patient, "Carl"), one(t, b, phi.Patient, "Smith")
	j, c, s := john[:1], carl[:1], smith[:1]
	up := strings.ToUpper
	for _, tc := range []struct{ in, want string }{
		{"John Smith", john + " " + smith},
		{"SMITH, JOHN C", up(smith) + ", " + up(john) + " " + c},
		{"SMITH,JOHN C.", up(smith) + "," + up(john) + " " + c + "."},
		{"Smith, John Carl", smith + ", " + john + " " + carl},
		{"john smith", strings.ToLower(john + " " + smith)},
		{"Mr. Smith", "Mr. " + smith},
		{"MR SMITH", "MR " + up(smith)},
		{"Mr. John C. Smith Jr.", "Mr. " + john + " " + c + ". " + smith + " Jr."},
		{"John Smith III", john + " " + smith + " III"},
		{"Smith's", smith + "'s"},
		{"SMITH'S", up(smith) + "'S"},
		{"Smith’s", smith + "’s"},
		{"John\nSmith", john + "\n" + smith},
		{"John  Smith", john + "  " + smith},
		{"JCS", j + c + s},
		{"jcs", strings.ToLower(j + c + s)},
		{"J.C.S.", j + "." + c + "." + s + "."},
		{"J. C. S.", j + ". " + c + ". " + s + "."},
		{"JS", j + s},
		{"J.S.", j + "." + s + "."},
		{"J. Smith", j + ". " + smith},
		{"J Smith, MD", j + " " + smith + ", MD"},
		{"Smith J", smith + " " + j},
		{"Smith JC", smith + " " + j + c},
		{"J.C. Smith", j + "." + c + ". " + smith},
		{"the Smiths", "the " + smith + "s"},
		{"John and Carl Smith", john + " and " + carl + " " + smith},
	} {
		if tc.in == "jcs" {
			continue // lower-case initials cannot be distinguished from a word
		}
		if got := one(t, b, phi.Patient, tc.in); got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestNamesOfOthers(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	tok := func(s string) string { return one(t, b, phi.Doctor, s) }
	full := tok("Dr. Roberta Elkington, MD, Ph.D.")
	given, family := tok("Roberta"), tok("Elkington")
	if want := "Dr. " + given + " " + family + ", MD, Ph.D."; full != want {
		t.Errorf("%q, want %q", full, want)
	}
	for _, tc := range []struct{ in, want string }{
		{"Elkington, R.", family + ", " + given[:1] + "."},
		{"RE", given[:1] + family[:1]},
		{"ELKINGTON RN", strings.ToUpper(family) + " RN"},
		{"Dr. Elkington-Smith", "Dr. " + family + "-" + tok("Smith")},
		{"Nurse Elkington", "Nurse " + family},
	} {
		out := replaced(t, b, "{DOCTOR|Dr. Roberta Elkington}: {DOCTOR|"+tc.in+"}")
		if _, got, _ := strings.Cut(out, ": "); got != tc.want {
			t.Errorf("%q becomes %q, want %q", tc.in, got, tc.want)
		}
		if got := tok(tc.in); got != tc.want {
			t.Errorf("in a later note %q becomes %q, want %q", tc.in, got, tc.want)
		}
	}
	if a, o := tok("O'Brien"), tok("OBRIEN"); !strings.EqualFold(a, o) || o != strings.ToUpper(o) {
		t.Errorf("O'Brien is %q, OBRIEN %q", a, o)
	}
	if got := tok("Maria de la Cruz"); !strings.Contains(got, " de la ") || strings.Contains(got, "Cruz") {
		t.Errorf("particles: %q", got)
	}
	if got := tok("Ludwig van der Aalst"); !strings.Contains(got, " van der ") {
		t.Errorf("particles: %q", got)
	}
	for _, in := range []string{
		"Do", "Van", "MD", "Le", "K", "Ng", "Wu", "\u200b", "李明", "Zoë", "Müller", "Иванов", "X Æ A-12",
		"Ma, J", "Nguyễn Văn Anh",
	} {
		if got := tok(in); got == in && in != "\u200b" || strings.TrimSpace(got) == "" || strings.Contains(got, "Văn") {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// Initials may precede the name they abbreviate: the whole text is read first.
func TestInitialsBeforeTheName(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	out := replaced(t, b, "{DOCTOR|QXE} for {DOCTOR|Quentin X. Elkington}")
	letters, name, _ := strings.Cut(out, " for ")
	parts := strings.Fields(name)
	if want := parts[0][:1] + parts[1][:1] + parts[2][:1]; letters != want {
		t.Errorf("%q: want initials %s", out, want)
	}
}

func TestNicknamesAndTypos(t *testing.T) {
	rec := record.Record{record.NameFirst: {"William"}, record.NameLast: {"Thompson"}}
	linked := 0
	for i := range 40 {
		b := testBook(t, fmt.Sprint(i), rec, 0)
		william, bill := one(t, b, phi.Patient, "William"), one(t, b, phi.Patient, "Bill")
		if short := lexicon.Nicknames(william); len(short) > 0 {
			for _, s := range short {
				if strings.EqualFold(s, bill) {
					linked++
					break
				}
			}
		}
		thompson := one(t, b, phi.Patient, "Thompson")
		for _, typo := range []string{"Thompsn", "Thompsoon", "Thompsno", "Thonpson"} {
			got := one(t, b, phi.Patient, typo)
			if got == thompson || !lexicon.OneEdit(strings.ToLower(thompson), strings.ToLower(got)) {
				t.Errorf("%s becomes %s, Thompson %s", typo, got, thompson)
			}
		}
		if got := one(t, b, phi.Doctor, "Thomson"); got == thompson {
			t.Errorf("Thomson and Thompson share %s", got)
		}
	}
	if linked == 0 {
		t.Error("no nickname follows its name")
	}
}

func TestSexAndGroup(t *testing.T) {
	for _, c := range []struct {
		name string
		pool []string
	}{
		{"Smith", lexicon.Surnames(lexicon.White)},
		{"Garcia", lexicon.Surnames(lexicon.Hispanic)},
		{"Nguyen", lexicon.Surnames(lexicon.Asian)},
		{"Begay", lexicon.Surnames(lexicon.Native)},
		{"Alston", lexicon.Surnames(lexicon.Black)},
		{"John", lexicon.FirstNames(lexicon.White, false)},
		{"Mary", lexicon.FirstNames(lexicon.White, true)},
		{"Jose", lexicon.FirstNames(lexicon.Hispanic, false)},
		{"Rosa", lexicon.FirstNames(lexicon.Hispanic, true)},
		{"Priya", lexicon.FirstNames(lexicon.Asian, true)},
	} {
		for i := range 100 {
			got := one(t, testBook(t, fmt.Sprint(i), nil, 0), phi.Patient, c.name)
			if !slices.Contains(c.pool, got) {
				t.Fatalf("%s becomes %s: of another sex or group", c.name, got)
			}
		}
	}
}

func TestCommonNamesBecomeCommonNames(t *testing.T) {
	for i := range 200 {
		b := testBook(t, fmt.Sprint(i), nil, 0)
		if e, _ := lexicon.Lookup(one(t, b, phi.Patient, "James")); e.First < 80 {
			t.Fatalf("James becomes a rare name")
		}
		if e, _ := lexicon.Lookup(one(t, b, phi.Doctor, "Smith")); e.Surname < 64 {
			t.Fatalf("Smith becomes a rare name")
		}
	}
}

// everyName returns a few thousand names of all pools.
func everyName() []string {
	var all []string
	for g := range lexicon.NumGroups {
		all = append(all, lexicon.Surnames(g)[:300]...)
		for _, female := range []bool{false, true} {
			list := lexicon.FirstNames(g, female)
			all = append(all, list[:min(len(list), 200)]...)
		}
	}
	seen, out := map[string]bool{}, all[:0]
	for _, n := range all {
		if !seen[letter.Plain(n)] {
			seen[letter.Plain(n)] = true
			out = append(out, n)
		}
	}
	return out
}

func TestNoTwoNamesShareASurrogate(t *testing.T) {
	b := testBook(t, "p", johnSmith(), 0)
	seen := map[string]string{}
	for _, name := range everyName() {
		got := one(t, b, phi.Doctor, name)
		if strings.EqualFold(got, name) {
			t.Fatalf("%s stays", name)
		}
		if was, dup := seen[letter.Plain(got)]; dup {
			t.Fatalf("%s and %s both become %s", was, name, got)
		}
		seen[letter.Plain(got)] = name
		if got2 := one(t, b, phi.Doctor, name); got2 != got {
			t.Fatalf("%s becomes %s, then %s", name, got, got2)
		}
	}
}

func TestPatientsDiffer(t *testing.T) {
	same, n := 0, 0
	a, b := testBook(t, "a", nil, 0), testBook(t, "b", nil, 0)
	for _, name := range everyName()[:500] {
		n++
		if one(t, a, phi.Doctor, name) == one(t, b, phi.Doctor, name) {
			same++
		}
	}
	if same > n/10 {
		t.Errorf("%d of %d names are the same for two patients", same, n)
	}
}

// A name of the pools has the same surrogate whatever came before: no two names have the same
// first candidate.
func TestOrderDoesNotMatter(t *testing.T) {
	list := lexicon.Surnames(lexicon.White)[:30]
	forward, backward := testBook(t, "p", nil, 0), testBook(t, "p", nil, 0)
	got := map[string]string{}
	differ := 0
	for _, n := range list {
		got[n] = one(t, forward, phi.Doctor, n)
	}
	for i := range list {
		n := list[len(list)-1-i]
		if one(t, backward, phi.Doctor, n) != got[n] {
			differ++
		}
	}
	// Where a surrogate would be another original of the patient, the order decides.
	if differ > len(list)/5 {
		t.Errorf("%d of %d surrogates depend on the order", differ, len(list))
	}
}

func TestRotationOfNames(t *testing.T) {
	s := &work{Book: testBook(t, "p", nil, 0)}
	for at, st := range names().strata {
		if len(st.names) < 2 {
			t.Errorf("stratum %d has %d names", at, len(st.names))
			continue
		}
		seen := map[uint64]bool{}
		for i := range st.names {
			y := s.source.perm.rotate(uint64(at), uint64(len(st.names)), uint64(i), 0)
			if seen[y] || y == uint64(i) {
				t.Fatalf("stratum %d: two names meet, or one stays", at)
			}
			seen[y] = true
		}
	}
}

func TestSurrogateNamesAreNoWords(t *testing.T) {
	for _, st := range names().strata {
		for _, n := range st.names {
			if e, _ := lexicon.Lookup(letter.Plain(n)); e.Common > 80 || e.Is(lexicon.Month) || e.Is(lexicon.Weekday) {
				t.Errorf("%s is an ordinary word", n)
			}
		}
	}
}

func TestSurrogatesAvoidTheRecord(t *testing.T) {
	rec := johnSmith()
	for g := range lexicon.NumGroups { // a patient with many relatives
		for _, n := range lexicon.Surnames(g)[:40] {
			rec.Add(record.RelativeName, "Anna "+n)
		}
	}
	who := record.NewGazetteer(rec)
	b := testMaker(t, Options{}).Patient("p", who, nil, 0)
	for _, n := range everyName() {
		if got := one(t, b, phi.Doctor, n); who.Holds(letter.Plain(got)) {
			t.Fatalf("%s becomes %s, which the record holds", n, got)
		}
	}
}

// TestSurrogatesShowNothingOfTheRecord has relatives whose names end made-up places, and names of real surnames: the
// surrogate "Longcliff" of a lodge shows Cliff once it is written in the lower case of the note, and McKay shows Kay
// next to a title.
func TestSurrogatesShowNothingOfTheRecord(t *testing.T) {
	t.Parallel()
	rec := johnSmith()
	for _, first := range []string{"Cliff", "Dale", "Ford", "Leigh", "Haven", "Kay", "Ann"} {
		rec.Add(record.RelativeName, first+" Weatherby")
	}
	who := record.NewGazetteer(rec)
	b := testMaker(t, Options{}).Patient("p", who, nil, 0)
	shows := func(t *testing.T, original, shown string) {
		t.Helper()
		if leaks := who.Leaks(shown); len(leaks) > 0 {
			t.Fatalf("%s becomes %s, which shows %s", original, shown, shown[leaks[0].Start:leaks[0].End])
		}
	}
	for _, name := range everyName() {
		for _, lodge := range []string{strings.ToLower(name) + " lodge", strings.ToUpper(name) + " LODGE", name + " Lodge"} {
			shows(t, lodge, one(t, b, phi.Organization, lodge))
		}
	}
	for g := range lexicon.NumGroups {
		for _, name := range lexicon.Surnames(g)[:200] {
			got := one(t, b, phi.Doctor, name)
			shows(t, name, "Provider: "+got+" NP")
			shows(t, name, "Mr. "+got+" said")
		}
	}
}

// TestWordsAroundASurrogateAreNotItsOwn has a patient from Maryland: the degree in which surrogates are tried is
// no identifier that they show.
func TestWordsAroundASurrogateAreNotItsOwn(t *testing.T) {
	t.Parallel()
	rec := johnSmith()
	rec.Add(record.State, "MD")
	rec.Add(record.NameAlias, "Said")
	b := testMaker(t, Options{}).Patient("p", record.NewGazetteer(rec), nil, 0)
	for _, name := range everyName() {
		if got := one(t, b, phi.Doctor, name); got == name {
			t.Errorf("%s stays", name)
		}
	}
}
