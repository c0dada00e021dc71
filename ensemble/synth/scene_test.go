package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// sceneOf returns a tidy scene of a small hospital.
func sceneOf(t testing.TB, seed uint64, set Setting) *scene {
	t.Helper()
	set.Plain = true
	return hospital(t, 7, Options{Patients: 40, Notes: 1}).visit(rand.New(rand.NewPCG(seed, 1)), set)
}

// written returns what a text in the grammar's notation writes.
func (s *scene) written(t testing.TB, text string) string {
	t.Helper()
	a, err := parseAlternative(text)
	if err != nil {
		t.Fatal(err)
	}
	return s.plain(a.seq)
}

func TestAgreementWithThePatient(t *testing.T) {
	t.Parallel()
	for sex, want := range map[Sex]string{Female: "She she her Her her female F", Male: "He he his His him male M"} {
		for seed := range uint64(30) {
			s := sceneOf(t, seed, Setting{Sex: sex})
			if got := s.written(t, "{He} {he} {his} {His} {him} {sex} {MF}"); got != want {
				t.Fatalf("%q, want %q", got, want)
			}
			man := s.written(t, "{man}")
			if slices.Contains([]string{"woman", "female", "lady"}, man) != (sex == Female) {
				t.Fatalf("a patient of sex %d is a %s", sex, man)
			}
		}
	}
}

// TestSlotsAgreeWithTheScene checks that slots write the patient, the author, the
// second provider and the site of the scene.
func TestSlotsAgreeWithTheScene(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		s := sceneOf(t, seed, Setting{})
		for text, want := range map[string]string{
			"{pt.full}": s.pt.Name.First + " " + s.pt.Name.Last, "{pt.last}": s.pt.Name.Last, "{me.full}": s.author.Name.Full(),
			"{dr.last}": s.other.Name.Last, "{pcp.full}": s.h.Providers[s.pt.Primary].Name.Full(), "{me.login}": s.author.Login,
			"{hosp}": s.visited.Name, "{hosp.abbr}": s.visited.Abbrev, "{hosp.city}": s.visited.Address.City, "{city}": s.pt.Home.City,
			"{zip}": s.pt.Home.Zip, "{mrn}": s.pt.MRN, "{job}": s.pt.Job, "{employer}": s.pt.Employer, "{pager}": s.author.Pager,
			"{date.iso}": s.today.Format("2006-01-02"), "{dob.year}": s.pt.Birth.Format("2006"), "{age}": fmt.Sprint(s.pt.Age(s.today)),
			"{pt.LF}": strings.ToUpper(s.pt.Name.Last + ", " + s.pt.Name.First), "{ssn4}": s.pt.SSN[len(s.pt.SSN)-4:],
		} {
			if got := s.written(t, text); got != want {
				t.Errorf("%s writes %q, want %q", text, got, want)
			}
		}
	}
}

func TestRelativesAgree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		s := sceneOf(t, seed, Setting{})
		got := s.written(t, "{kin>{.kin}={.first} {.last}={.phone}}")
		if !slices.ContainsFunc(s.pt.Relatives, func(r Relative) bool {
			return got == r.Kind+"="+r.Name.First+" "+r.Name.Last+"="+r.Phone
		}) {
			t.Errorf("%q is none of the patient's relatives", got)
		}
	}
}

// TestSubjectsEnd checks that a subject holds to the end of its braces only, and for
// all within them.
func TestSubjectsEnd(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		s := sceneOf(t, seed, Setting{})
		pt, me := s.pt.Name.Last, s.author.Name.Last
		want := strings.Join([]string{pt, me, pt, me, pt}, "|")
		got := s.written(t, "{.last}|{me>{.last}|{pt>.last}|{.last}}|{.last}")
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
		parts := strings.Split(s.written(t, "{outsider>{.last}|{.last}|{spell:=}{.f}|{.first}}"), "|")
		if parts[0] != parts[1] || !strings.HasPrefix(parts[3], parts[2]) {
			t.Errorf("an outsider changes: %q", parts)
		}
		days := s.written(t, "{day:2006-01-02}|{past(9)>{ahead(9-9)>{day:2006-01-02}}}|{ahead(1-1)>{past(1)>{day:2006-01-02}}}")
		all := strings.Split(days, "|")
		if all[1] < all[0] || all[2] != all[0] {
			t.Errorf("days %q", days)
		}
	}
}

func TestEachSubjectOfSeveralComes(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 3, Setting{})
	seen := map[string]bool{}
	for range 60 {
		seen[s.written(t, "{me,dr>.full}")] = true
	}
	if len(seen) != 2 || !seen[s.author.Name.Full()] || !seen[s.other.Name.Full()] {
		t.Errorf("%d people came", len(seen))
	}
}

// TestWeightsAndConditions draws often and compares shares.
func TestWeightsAndConditions(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 5, Setting{Sex: Male})
	count := map[string]int{}
	const draws = 4000
	for range draws {
		count[s.written(t, "[{3}a|b|{?female}{90}c|{?male}{4}d|{?-male}e|{?nothing}f]")]++
	}
	for letter, want := range map[string]int{"a": draws * 3 / 8, "b": draws / 8, "d": draws / 2, "c": 0, "e": 0, "f": 0} {
		if got := count[letter]; got < want*8/10 || got > want*12/10 {
			t.Errorf("%s was drawn %d times of %d, want about %d", letter, got, draws, want)
		}
	}
	if got := s.written(t, "x[{?female}y]z"); got != "xz" {
		t.Errorf("a choice of which no alternative holds writes %q", got)
	}
}

func TestSpansAreExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a ⟦CITY|Bath⟧ b":                      "a <CITY Bath> b",
		"⟦CITY|the Bronx⟧":                     "the <CITY Bronx>",
		"⟦CITY|⟧x":                             "x",
		"{upper:a ⟦CITY|Bath⟧, ⟦STATE|Ohio⟧}":  "A <CITY BATH>, <STATE OHIO>",
		"{lower:⟦CITY|{upper:Bath}⟧}":          "<CITY bath>",
		"⟦DATE|{upper:Jan} 2⟧{upper:x}y":       "<DATE JAN 2>Xy",
		"é⟦AGE|{words:93}⟧-year-old":           "é<AGE ninety-three>-year-old",
		"⟦CITY|São Paulo⟧⟦ZIP|01000⟧":          "<CITY São Paulo><ZIP 01000>",
		"{pt>⟦PATIENT|x⟧} [⟦DOCTOR|y⟧]":        "<PATIENT x> <DOCTOR y>",
		"{capital:von} ⟦DATE|{ordinal:22}⟧":    "Von <DATE 22nd>",
		"{shape:(###) ###-####=1-612-555-012}": "(161) 255-5012",
	} {
		s := sceneOf(t, 1, Setting{})
		a, err := parseAlternative(text)
		if err != nil {
			t.Fatal(err)
		}
		s.sequence(a.seq)
		got, spans := s.finish()
		for _, sp := range slices.Backward(spans) {
			got = got[:sp.Start] + "<" + sp.Type.String() + " " + got[sp.Start:sp.End] + ">" + got[sp.End:]
		}
		if got != want {
			t.Errorf("%s writes %q, want %q", text, got, want)
		}
	}
}

// TestSameSeedSameText fills every slot twice.
func TestSameSeedSameText(t *testing.T) {
	t.Parallel()
	h := hospital(t, 7, Options{Patients: 60, Notes: 1})
	for _, name := range SlotNames() {
		var slot Template
		slot.Slot(name)
		a := h.Fill(rand.New(rand.NewPCG(5, 2)), nil, Setting{}, slot)
		b := h.Fill(rand.New(rand.NewPCG(5, 2)), nil, Setting{}, slot)
		if a.Text != b.Text || !slices.Equal(a.Spans, b.Spans) {
			t.Errorf("{%s} writes %q, then %q", name, a.Text, b.Text)
		}
	}
}

// TestSlotsWriteWhole fills every slot often: it always writes, spans have no blanks
// around them, and nothing of the notation is left in the text.
func TestSlotsWriteWhole(t *testing.T) {
	t.Parallel()
	h := hospital(t, 11, Options{Patients: 60, Notes: 1})
	for _, name := range SlotNames() {
		var slot Template
		slot.Slot(name)
		for i := range uint64(60) {
			s := h.Fill(rand.New(rand.NewPCG(i, 3)), nil, Setting{Plain: true}, slot)
			if s.Text == "" || strings.ContainsAny(s.Text, "{}⟦⟧[]\\") {
				t.Fatalf("{%s} of seed %d writes %q", name, i, s.Text)
			}
			for _, span := range s.Spans {
				if text := s.Text[span.Start:span.End]; text == "" || text != strings.TrimSpace(text) || span.Type == phi.None {
					t.Fatalf("{%s} of seed %d marks %q", name, i, text)
				}
			}
		}
	}
}

// TestSlotsMarkTheirType checks what slots mark first, by the beginning of their names.
func TestSlotsMarkTheirType(t *testing.T) {
	t.Parallel()
	h := hospital(t, 11, Options{Patients: 60, Notes: 1})
	for name, want := range map[string]phi.Type{
		"l.pt": phi.Patient, "l.row": phi.Patient, "l.kin": phi.Patient, "f.pt.alias": phi.Patient, "l.drt": phi.Doctor, "l.rn": phi.Doctor,
		"l.slash": phi.Doctor, "f.drs": phi.Doctor, "l.login": phi.Username, "l.d": phi.Date, "l.dt": phi.Date, "f.say.date": phi.Date,
		"time": phi.Time, "l.age": phi.Age, "f.age.words": phi.Age, "l.hosp": phi.Hospital, "f.snf": phi.Hospital,
		"s.shelter": phi.Organization,
		"l.addr":    phi.Street, "l.armed": phi.Street, "l.csz": phi.City, "s.country": phi.Country, "county": phi.County,
		"l.bed": phi.LocationOther,
		"l.ph":  phi.Phone, "fax": phi.Fax, "l.pg": phi.Pager, "l.email": phi.Email, "l.url": phi.URL, "ip": phi.IPAddr,
		"l.mrn":  phi.MedicalRecord,
		"l.acct": phi.Account, "l.id": phi.IDNum, "l.member": phi.HealthPlan, "l.npi": phi.License, "vin": phi.Vehicle, "l.udi": phi.Device,
		"l.ssn": phi.SSN, "s.job": phi.Profession, "s.city.Bath": phi.City, "s.street.Mayo": phi.Street, "s.dr.Murphy": phi.Doctor,
		"f.ukpost": phi.Zip,
	} {
		var slot Template
		slot.Slot(name)
		forms := map[string]bool{}
		for i := range uint64(60) {
			s := h.Fill(rand.New(rand.NewPCG(i, 3)), nil, Setting{Plain: true}, slot)
			if len(s.Spans) == 0 || s.Spans[0].Type != want {
				t.Fatalf("{%s} of seed %d marks %v, want %s first", name, i, s.Spans, want)
			}
			forms[s.Text] = true
		}
		if len(forms) < 6 && name != "s.city.Bath" && name != "s.dr.Murphy" {
			t.Errorf("{%s} comes in %d forms only", name, len(forms))
		}
	}
}

// TestNameFormsKeepTheName checks that every order and case of a name holds its last
// name, or its first letter, and that both orders come with and without capitals.
func TestNameFormsKeepTheName(t *testing.T) {
	t.Parallel()
	s := sceneOf(t, 1, Setting{})
	s.now.who = person{Name: Name{First: "Nadia", Middle: "Belle", Last: "Quarrow", Suffix: "III"}, female: true}
	seen := map[string]bool{}
	for range 1500 {
		text := s.value("form.any")
		if !strings.Contains(strings.ToLower(text), "quarrow") && !strings.Contains(text, "Nadia Q") {
			t.Fatalf("%q lost the last name", text)
		}
		seen[text] = true
	}
	for _, want := range []string{
		"QUARROW,NADIA B III", "Quarrow, Nadia III", "QUARROW NADIA", "Quarrow, N.", "N. Quarrow",
		"Nadia Q.", "NADIA B QUARROW III", "nadia quarrow",
		"Nadia QUARROW", "Quarrow,Nadia", "Quarrow III, Nadia",
	} {
		if !seen[want] {
			t.Errorf("%q never comes", want)
		}
	}
}

// TestListsHaveNoneTwice writes lists of a small production.
func TestListsHaveNoneTwice(t *testing.T) {
	t.Parallel()
	g, err := ParseGrammar(fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("== p\na\nb\nc\nd\n")}})
	if err != nil {
		t.Fatal(err)
	}
	h := hospital(t, 1, Options{Patients: 5, Notes: 1})
	for text, lines := range map[string]int{"{p*2-4}": 0, "{p#2-4}": 1, "{p%4}": 3, "{p,2-9}": 0} {
		tpl, err := ParseTemplate(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(30) {
			got := h.Fill(rand.New(rand.NewPCG(seed, 1)), g, Setting{Plain: true}, tpl).Text
			letters := 0
			for _, letter := range []string{"a", "b", "c", "d"} {
				letters += strings.Count(got, letter)
				if strings.Count(got, letter) > 1 {
					t.Fatalf("%s writes %q", text, got)
				}
			}
			if letters < 2 || strings.Count(got, "\n") < lines {
				t.Fatalf("%s writes %q", text, got)
			}
		}
	}
}

// TestGrammarsCannotReachInside checks that a grammar of one's own has the slots and
// its own productions, and the slots have theirs.
func TestGrammarsCannotReachInside(t *testing.T) {
	t.Parallel()
	_, err := ParseGrammar(fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("== a\n{form.any}")}})
	if err == nil {
		t.Error("a production of the hospital's own is open to all")
	}
	g, err := ParseGrammar(fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("== form.two\nmine\n== a\n{form.two} {f.full}")}})
	if err != nil {
		t.Fatal(err)
	}
	tpl, err := g.Template("a", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := hospital(t, 1, Options{Patients: 5, Notes: 1}).Fill(rand.New(rand.NewPCG(1, 1)), g, Setting{Plain: true}, tpl)
	if !strings.HasPrefix(s.Text, "mine ") || strings.Count(s.Text, "mine") != 1 || len(s.Spans) != 1 {
		t.Errorf("%q", s.Text)
	}
}

// TestEndlessGrammarStops writes a production that holds itself.
func TestEndlessGrammarStops(t *testing.T) {
	t.Parallel()
	g, err := ParseGrammar(fstest.MapFS{"a.txt": &fstest.MapFile{Data: []byte("== a\nx{a}")}})
	if err != nil {
		t.Fatal(err)
	}
	tpl, err := ParseTemplate("{a}")
	if err != nil {
		t.Fatal(err)
	}
	s := hospital(t, 1, Options{Patients: 5, Notes: 1}).Fill(rand.New(rand.NewPCG(1, 1)), g, Setting{Plain: true}, tpl)
	if len(s.Text) < 10 || len(s.Text) > maxDepth+1 {
		t.Errorf("%d letters", len(s.Text))
	}
}
