package surrogate

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate/letter"
)

const dischargeLetter = `{PATIENT|SMITH, JOHN C}  DOB {DATE|03/05/1941}  MRN {MEDICALRECORD|00482913}
{STREET|12 Orchard Lane}, {CITY|Cambridge}, {STATE|MA} {ZIP|02139}  tel. {PHONE|617-230-4571}
Mr. {PATIENT|Smith} is a {AGE|93-year-old} man seen by {DOCTOR|Dr. Roberta Elkington, MD} on {DATE|March 5th, 2014} at {TIME|14:30}.
{PATIENT|John} will return on {DATE|3/12}. Signed, {DOCTOR|RE} {USERNAME|re14}`

func TestLetter(t *testing.T) {
	text, spans := marked(t, dischargeLetter)
	who := record.NewGazetteer(johnSmith())
	b := testMaker(t, Options{}).Patient("p", who, nil, -100)
	res, err := b.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, res)
	checkSegments(t, text, res)
	for _, gone := range []string{
		"SMITH", "Smith", "JOHN", "John ", "1941", "482913", "Orchard", "Cambridge", "MA ", "02139", "230-4571", "93", "Elkington", "Roberta",
		"re14",
	} {
		if strings.Contains(res.Text, gone) {
			t.Errorf("%q is in the output", gone)
		}
	}
	for _, kept := range []string{"DOB 11/25/1940", "November 25th, " +
		"2013", "at 14:30", "89+ year old man", ", MD on", "on 12/2.", "Mr. ", "Dr. "} {
		if !strings.Contains(res.Text, kept) {
			t.Errorf("%q is not in the output", kept)
		}
	}
	if leaks := who.Leaks(res.Text); len(leaks) > 0 {
		t.Errorf("%d leaks", len(leaks))
	}
	again, err := b.Replace(text, spans)
	if err != nil || again.Text != res.Text || len(again.New) != 0 {
		t.Errorf("the second time: %d new entries, same text %v, %v", len(again.New), again.Text == res.Text, err)
	}
}

func TestSpansOfTheOutput(t *testing.T) {
	b := testBook(t, "p", nil, -100)
	text, spans := marked(t, "😀 é {PATIENT|Müller}{PATIENT|Weiß}, {AGE|45}, {DATE|3/5/2014}; {TIME|14:30} {DOCTOR|Zoë}")
	for i := range spans {
		spans[i].By = 1 << i
	}
	res, err := b.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	checkSegments(t, text, res)
	runes := []rune(res.Text)
	if len(res.Spans) != 3 {
		t.Fatalf("%d spans, want 3: %+v", len(res.Spans), res.Spans)
	}
	if s := res.Spans[0]; s.Start != 4 || s.Type != phi.Patient || s.By != 3 {
		t.Errorf("touching spans are not one: %+v", s)
	}
	if s := res.Spans[1]; string(runes[s.Start:s.End]) != "11/25/2013" || s.Type != phi.Date || s.By != 8 {
		t.Errorf("the date: %+v", s)
	}
	if s := res.Spans[2]; s.End != len(runes) || s.Type != phi.Doctor {
		t.Errorf("the doctor: %+v", s)
	}
}

// What the detectors missed is found by the leak check and replaced by the same surrogate.
func TestLeaksHeal(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	want := one(t, b, phi.Patient, "Smith")
	text, spans := marked(t, "Seen: {DOCTOR|Dr. Elkington}. Smith was well; MRN 00482913, call (617) 230-4571. Smith.")
	res, err := b.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"Smith", "482913", "230-4571"} {
		if strings.Contains(res.Text, gone) {
			t.Errorf("%q is in %q", gone, res.Text)
		}
	}
	if strings.Count(res.Text, want) != 2 {
		t.Errorf("%q: want %s twice", res.Text, want)
	}
	if len(res.Spans) < 4 {
		t.Errorf("what was healed is not among the spans: %+v", res.Spans)
	}
}

func TestLeakAcrossASpan(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	// The detector split the number: its first half is replaced, the rest stays.
	out := replaced(t, b, "MRN {IDNUM|004}82913 and {PATIENT|John} Smith and Smith{PATIENT|, John}.")
	if strings.Contains(out, "Smith") || strings.Contains(out, "82913") {
		t.Errorf("%q", out)
	}
}

// An action that keeps names must not exempt them from the leak check elsewhere.
func TestKeptOnPurpose(t *testing.T) {
	who := record.NewGazetteer(johnSmith())
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{phi.Street: Keep, phi.Phone: Keep}})
	b := m.Patient("p", who, nil, -100)
	out := replaced(t, b, "{STREET|12 Orchard Lane}, {PHONE|617-230-4571}; again 12 Orchard Lane; Smith")
	if strings.Count(out, "12 Orchard Lane") != 2 || strings.Contains(out, "Smith") {
		t.Errorf("%q", out)
	}
}

// A word for the kind of a place stays; if the gazetteer has it as the patient's name, it is a
// leak.
func TestKindWordsThatAreNames(t *testing.T) {
	rec := record.Record{record.NameFirst: {"Ottoline"}, record.NameLast: {"Camp"}}
	out := replaced(t, testBook(t, "p", rec, 0), "Seen in {HOSPITAL|Wexel Camp}, Mr. {HOSPITAL|Camp}, MD")
	if strings.Contains(out, "Mr. Camp") || strings.Contains(out, "Wexel") {
		t.Errorf("%q", out)
	}
	o := output{work: &work{Book: testBook(t, "p", rec, 0)}, input: "Wexel Camp"}
	s := segment{in: phi.Range{Start: 0, End: 10}, span: phi.Span{Type: phi.Hospital}}
	if o.allows(s, "Camp") || !o.allows(s, "Fairbrook") {
		t.Error("what was in the original is allowed, or a surrogate is not")
	}
	s.kept = true
	if !o.allows(s, "Camp") {
		t.Error("what is kept on purpose is not allowed")
	}
}

func TestKeptSpansAndLeaksBeside(t *testing.T) {
	// The record has a relative's name, which equals a name that the action keeps.
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{phi.Doctor: Keep}})
	rec := record.Record{record.NameLast: {"Thistlewood"}, record.ProviderName: {"Anna Thistlewood"}}
	b := m.Patient("q", record.NewGazetteer(rec), nil, 0)
	text, spans := marked(t, "Seen by {DOCTOR|Thistlewood}.")
	res, err := b.Replace(text, spans)
	if err != nil || res.Text != text {
		t.Errorf("a span that is kept on purpose: %q, %v", res.Text, err)
	}
	// Outside a span the name is the patient's: it is replaced.
	if out := replaced(t, b, "Thistlewood, {DOCTOR|Roe}"); strings.Contains(out, "Thistlewood") {
		t.Errorf("%q", out)
	}
}

func TestErrLeak(t *testing.T) {
	rec := record.Record{record.NameFirst: {"William"}, record.NameLast: {"Thistlewood"}, record.MRN: {"00482913"}}
	who := record.NewGazetteer(rec)
	const text = "Bill Thistlewood, MRN 00482913"
	if len(who.Leaks(text)) == 0 {
		t.Fatal("the gazetteer finds nothing")
	}
	// Every type that could replace the text is kept, except names.
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{
		phi.Patient: Keep, phi.IDNum: Keep, phi.MedicalRecord: Keep,
	}})
	b := m.Patient("p", who, nil, 0)
	o := &output{work: &work{Book: b}, input: text, text: text}
	if got := o.leakType("Bill"); got != phi.None {
		t.Errorf("a leak would be replaced as %v", got)
	}
	if _, ok := o.healed([]phi.Range{{Start: 0, End: 4}}); ok {
		t.Error("a leak heals that no type replaces")
	}
	for _, bare := range []string{text, "00482913", "Mr. Thistlewood"} {
		free := testMaker(t, Options{}).Patient("p", who, nil, 0)
		o := &output{work: &work{Book: free}, input: bare, text: bare}
		if len(o.leaks()) == 0 {
			t.Errorf("%q: no leak", bare)
		}
		res, err := free.Replace(bare, nil)
		if err != nil || strings.Contains(res.Text, "Thistlewood") || strings.Contains(res.Text, "482913") {
			t.Errorf("%q becomes %q, %v", bare, res.Text, err)
		}
	}
	res, err := b.Replace(text, []phi.Span{{Start: len(text) - 8, End: len(text), Type: phi.Doctor}})
	if !errors.Is(err, ErrLeak) || res.Text != "" || res.New != nil {
		t.Errorf("a leak that can't be healed: %v", err)
	}
	if len(b.known) != 0 || len(b.taken) != 0 {
		t.Error("after ErrLeak something is remembered")
	}
}

// A value that belongs to both a kept and a replaced type is replaced.
func TestLeakOfAReplacedRole(t *testing.T) {
	rec := record.Record{record.NameLast: {"Roe"}, record.Username: {"4471203"}, record.MRN: {"4471203"}}
	m := testMaker(t, Options{Profile: Custom, Actions: map[phi.Type]Action{phi.Username: Keep}})
	if out := replaced(t, m.Patient("p", record.NewGazetteer(rec), nil, 0), "record 4471203"); strings.Contains(out, "4471203") {
		t.Errorf("%q", out)
	}
}

func TestErrorsChangeNothing(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	for name, spans := range map[string][]phi.Span{
		"order":   {{Start: 5, End: 6, Type: 1}, {Start: 0, End: 2, Type: 1}},
		"overlap": {{Start: 0, End: 4, Type: 1}, {Start: 3, End: 6, Type: 1}},
		"empty":   {{Start: 2, End: 2, Type: 1}},
		"beyond":  {{Start: 2, End: 99, Type: 1}},
		"before":  {{Start: -1, End: 2, Type: 1}},
		"border":  {{Start: 0, End: 1, Type: 1}},
	} {
		_, err := b.Replace("éabcdef", spans)
		if err == nil || strings.Contains(err.Error(), "abc") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"a\x00b", "a\xffb"} {
		if _, err := b.Replace(text, nil); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	if len(b.known) != 0 || len(b.taken) != 0 {
		t.Error("something is remembered")
	}
}

func TestDiscard(t *testing.T) {
	b := testBook(t, "p", nil, 0)
	keep := one(t, b, phi.Patient, "Adams")
	known, taken := len(b.known), len(b.taken)
	w := &work{Book: b}
	w.nameToken("baxter", familyName)
	w.find(kindPlace, "x", func(*choices, int) string { return "" })
	if !errors.Is(w.err, errNoSurrogate) {
		t.Errorf("error %v", w.err)
	}
	w.discard()
	if len(b.known) != known || len(b.taken) != taken || one(t, b, phi.Patient, "Adams") != keep {
		t.Error("discard leaves something behind, or takes too much")
	}
}

func TestStoredEntriesWin(t *testing.T) {
	m := testMaker(t, Options{})
	first := m.Patient("p", nil, nil, -7)
	res, err := first.Replace("Adams", []phi.Span{{Start: 0, End: 5, Type: phi.Patient}})
	if err != nil || len(res.New) != 1 {
		t.Fatal(res, err)
	}
	stored := []Entry{{Kind: res.New[0].Kind, Hash: res.New[0].Hash, Surrogate: "Zzyzx"}}
	second := m.Patient("p", nil, stored, -7)
	if got := one(t, second, phi.Doctor, "ADAMS"); got != "ZZYZX" {
		t.Errorf("the stored surrogate is passed over: %s", got)
	}
	if other := m.Patient("q", nil, stored, -7); one(t, other, phi.Doctor, "ADAMS") == "ZZYZX" {
		t.Error("another patient's entry counts")
	}
	if strings.Contains(string(res.New[0].Hash), "dams") {
		t.Error("the hash shows the original")
	}
}

// The entries stored by one book make the next book return the same surrogates.
func TestBooksAgree(t *testing.T) {
	m, who := testMaker(t, Options{}), record.NewGazetteer(johnSmith())
	text, spans := marked(t, dischargeLetter)
	first := m.Patient("p", who, nil, 0)
	a, err := first.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*Book{
		"derived": m.Patient("p", who, nil, 0), "stored": m.Patient("p", who, a.New, 0),
	} {
		got, err := b.Replace(text, spans)
		if err != nil || got.Text != a.Text {
			t.Errorf("%s: another text (%v)", name, err)
		}
		if name == "stored" && len(got.New) != 0 {
			t.Errorf("stored entries come up as new: %d", len(got.New))
		}
	}
	other, err := m.Patient("q", who, nil, 0).Replace(text, spans)
	if err != nil || other.Text == a.Text {
		t.Errorf("another patient gets the same text (%v)", err)
	}
}

func TestValueShowsWhatNotesShow(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	john, smith := one(t, b, phi.Patient, "John"), one(t, b, phi.Patient, "Smith")
	for _, c := range []struct {
		role  record.Role
		value string
		want  string
	}{
		{record.NameFirst, "JOHN", strings.ToUpper(john)},
		{record.NameLast, "Smith", smith},
		{record.NameFull, "SMITH, JOHN", strings.ToUpper(smith + ", " + john)},
		{record.NameFull, "John Smith", john + " " + smith},
		{record.City, "Cambridge", one(t, b, phi.City, "Cambridge")},
		{record.State, "MA", one(t, b, phi.State, "MA")},
		{record.Zip, "02139", one(t, b, phi.Zip, "02139")},
		{record.Street, "12 Orchard Lane", one(t, b, phi.Street, "12 Orchard Lane")},
		{record.Phone, "6172304571", letter.Alnum(one(t, b, phi.Phone, "(617) 230-4571"))},
		{record.MRN, "00482913", one(t, b, phi.MedicalRecord, "00482913")},
		{record.SSN, "219-09-9999", one(t, b, phi.SSN, "219-09-9999")},
		{record.Email, "john.smith@care.com", one(t, b, phi.Email, "john.smith@care.com")},
		{record.BirthDate, "1941-03-05", "1940-11-25"},
		{record.Facility, "Mayo Clinic", one(t, b, phi.Hospital, "Mayo Clinic")},
		{record.NameLast, "", ""},
	} {
		got, _, err := b.Value(c.role, c.value)
		if err != nil || got != c.want {
			t.Errorf("%s %q becomes %q (%v), want %q", c.role, c.value, got, err, c.want)
		}
	}
	if _, _, err := b.Value("shoe.size", "44"); err == nil || !strings.Contains(err.Error(), "shoe.size") {
		t.Errorf("unknown role: %v", err)
	}
	if _, _, err := b.Value(record.NameLast, "a\xff"); err == nil {
		t.Error("invalid UTF-8 was taken")
	}
	_, fresh, err := b.Value(record.NameLast, "Abernathy")
	if err != nil || len(fresh) != 1 {
		t.Errorf("a new name gives %d entries (%v)", len(fresh), err)
	}
}

func TestBookIsSafeForConcurrentUse(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	text, spans := marked(t, dischargeLetter)
	want, err := b.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if got, err := b.Replace(text, spans); err != nil || got.Text != want.Text {
					t.Errorf("another text (%v)", err)
				}
			}
		})
	}
	wg.Wait()
}

func TestEntriesHoldNoOriginal(t *testing.T) {
	b := testBook(t, "p", johnSmith(), -100)
	text, spans := marked(t, dischargeLetter)
	res, err := b.Replace(text, spans)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range res.New {
		for _, s := range spans {
			if strings.EqualFold(e.Surrogate, text[s.Start:s.End]) {
				t.Errorf("an entry of kind %s holds an original", e.Kind)
			}
		}
	}
	if reflect.DeepEqual(res.New, []Entry(nil)) {
		t.Error("no entries")
	}
}

// A huge note takes linear time, and its spans are in range.
func TestHugeNote(t *testing.T) {
	text, spans := marked(t, strings.Repeat(dischargeLetter+"\n", 200))
	var all strings.Builder
	var many []phi.Span
	for range 10 {
		for _, s := range spans {
			s.Start, s.End = s.Start+all.Len(), s.End+all.Len()
			many = append(many, s)
		}
		all.WriteString(text + "Smith ")
	}
	res, err := testBook(t, "p", johnSmith(), -100).Replace(all.String(), many)
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, res)
	if strings.Contains(res.Text, "Smith") {
		t.Error("Smith is in the output")
	}
}
