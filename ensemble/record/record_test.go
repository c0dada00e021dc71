package record_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// A made-up patient, whose names are also words where they can be.
var (
	annLong = record.NewGazetteer(record.Record{
		record.NameFirst: {"Ann"}, record.NameMiddle: {"Wilhelmina"}, record.NameLast: {"Long"},
		record.NameAlias: {"Featherstonhaugh"}, record.ProviderName: {"Rose Pain, MD", "House, Gregory"},
	})
	will = record.NewGazetteer(record.Record{
		record.NameFirst: {"William"}, record.NameMiddle: {"Carter"}, record.NameLast: {"Smithson-O'Brien"},
		record.RelativeName: {"Zoë Müller"}, record.Phone: {"(555) 234-5678"}, record.MRN: {"00123456"},
		record.SSN: {"123-45-6789"}, record.Email: {"bill.smithson42@example.com"},
		record.Street: {"128 Williams Court Apt 4B"}, record.City: {"Springfield", "St. Louis"},
		record.State: {"MA"}, record.Zip: {"02139"}, record.BirthDate: {"1969-10-07"},
		record.Employer: {"Acme Anvil Works"}, record.Facility: {"Mercy General Hospital"},
		record.Account: {"AB-12345-7"}, record.Username: {"wsmith9"},
	})
	parkinson = record.NewGazetteer(record.Record{
		record.NameFirst: {"May"}, record.NameLast: {"Parkinson"}, record.RelativeName: {"Joe de la Cruz"},
	})
)

func ofPatient(g *record.Gazetteer) func(string) *ensemble.Note {
	return func(text string) *ensemble.Note { return &ensemble.Note{Text: text, Patient: g} }
}

func TestRecordNames(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(annLong), []string{
		"⟦Ann Long|PATIENT⟧, ⟦LONG, ANN|PATIENT⟧, ⟦Long, Ann W|PATIENT⟧., ⟦A. Long|PATIENT⟧, ⟦Ann Wilhelmina Long|PATIENT⟧, ⟦ann long|PATIENT⟧",
		"Mr. ⟦Long|PATIENT⟧ and mrs ⟦long|PATIENT⟧'s son, then we saw ⟦Long|PATIENT⟧ again.",
		"lives in ⟦Ann|PATIENT⟧ Arbor; ⟦Ann|PATIENT⟧ lives there",
		"a long time ago. Long history of pain. LONG ACTING insulin. Long Island. QT is long.",
		"⟦Featherstonhaugh|PATIENT⟧, ⟦featherstonhaugh|PATIENT⟧, ⟦Fetherstonhaugh|PATIENT⟧, ⟦Featherstonhaguh|PATIENT⟧",
		"⟦A.W.L.|PATIENT⟧ was here. Patient: ⟦AL|PATIENT⟧",
		"Dr. ⟦Pain|DOCTOR⟧ saw her for pain. Chest Pain. PAIN 5/10. ⟦Rose Pain|DOCTOR⟧, MD. ⟦G. House|DOCTOR⟧. at the house",
		"along, Longmont, Annual, annals",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(will), []string{
		"⟦William Smithson-O'Brien|PATIENT⟧ is here, ⟦Bill|PATIENT⟧ denies pain; he will call. ⟦SMITHSON, WILLIAM C|PATIENT⟧.",
		"⟦Willaim Smithsen OBRIEN|PATIENT⟧ and ⟦O’Brien|PATIENT⟧, ⟦WCS|PATIENT⟧",
		"mother ⟦Zoe Muller|PATIENT⟧ or ⟦ZOË MÜLLER|PATIENT⟧",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(parkinson), []string{
		"⟦Parkinson|PATIENT⟧ denies pain. Has Parkinson's disease, Parkinson disease. Mrs. ⟦Parkinson|PATIENT⟧'s daughter.",
		"⟦May Parkinson|PATIENT⟧ may return in May. May 5, 2014. It may be. Ms. ⟦May|PATIENT⟧.",
		"⟦Joe|PATIENT⟧ and Mr. ⟦de la Cruz|PATIENT⟧",
	})
}

// What people do makes a name of a capital that the sentence's beginning explains, and
// one Chinese character is a whole name.
func TestRecordNamesThatBeginSentences(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(annLong), []string{
		"⟦Long|PATIENT⟧ denies pain. ⟦Long|PATIENT⟧'s wife was here. Long acting insulin. Long term care.",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(record.NewGazetteer(record.Record{record.NameFirst: {"王"}})), []string{
		"⟦王|PATIENT⟧ is well.",
	})
	nurse := record.NewGazetteer(record.Record{record.ProviderName: {"Nurse Florence RN"}})
	if leaks := nurse.Leaks("Nurse Hortensia, RN called"); len(leaks) > 0 {
		t.Errorf("an occupation is no name: %v", leaks)
	}
}

// Made-up patients have numbers in their names, and front desks write marks into them.
func TestNamesWithMarks(t *testing.T) {
	g := record.NewGazetteer(record.Record{record.NameFirst: {"Oriel921", "Tansy_Hesper"}, record.NameLast: {"*Wexcombe602*"}})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(g), []string{
		"⟦Oriel921|PATIENT⟧ was seen. ⟦WEXCOMBE602|PATIENT⟧ too; ⟦Wexcombe|PATIENT⟧ 602, ⟦Hesper|PATIENT⟧.",
	})
	if leaks := g.Leaks("said Oriel921"); len(leaks) != 1 || leaks[0].End != len("said Oriel921") {
		t.Errorf("leaks: %v", leaks)
	}
}

// What fills a column that must not be empty identifies no one.
func TestBlankValues(t *testing.T) {
	g := record.NewGazetteer(record.Record{
		record.NameLast: {"Na", "UNKNOWN"}, record.Street: {"Unknown"}, record.Facility: {"No data"},
		record.RelativeName: {"Same as above", "Patient Declined"}, record.Phone: {"n/a"}, record.Employer: {"None"},
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(g), []string{
		"Status unknown. UNKNOWN. No data, none, n/a; same as above. Patient declined. Mrs. ⟦Na|PATIENT⟧ is here.",
	})
	if leaks := g.Leaks("unknown, no data, None; Patient Declined"); len(leaks) > 0 {
		t.Errorf("leaks: %v", leaks)
	}
}

func TestRecordValues(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(will), []string{
		"call ⟦555.234.5678|PHONE⟧ or ⟦(555)234 5678|PHONE⟧ or ⟦+1 555-234-5678|PHONE⟧, ⟦234-5678|PHONE⟧; not 555-234-5679",
		"MRN ⟦123456|MEDICALRECORD⟧, ⟦00-12-34-56|MEDICALRECORD⟧, 1234567",
		"SSN ⟦123456789|SSN⟧, ⟦123 45 6789|SSN⟧, last 4 of SSN ⟦6789|SSN⟧",
		"⟦BILL.SMITHSON42@EXAMPLE.COM|EMAIL⟧",
		"at ⟦128 Williams Ct #4B|STREET⟧, ⟦Springfield|CITY⟧, ⟦MA|STATE⟧ ⟦02139|ZIP⟧; on ⟦Williams Court|STREET⟧ in ⟦St Louis|CITY⟧; an MA of 3",
		"DOB ⟦10/7/69|DATE⟧, ⟦7 Oct 1969|DATE⟧, ⟦October 7th, 1969|DATE⟧, ⟦07.10.1969|DATE⟧, not 10/8/69",
		"⟦Acme Anvil Works|ORGANIZATION⟧, ⟦Mercy General Hospital|HOSPITAL⟧, mercy general",
		"acct ⟦AB123457|ACCOUNT⟧ ⟦ab 12345-7|ACCOUNT⟧, login ⟦WSMITH9|USERNAME⟧, AB-12345-8",
	})
}

func TestDirectory(t *testing.T) {
	staff := record.NewGazetteer(record.Record{
		record.ProviderName: {"Rose Pain, MD", "Wibberley, Ignatius Q", "Long, Ann", "Grace Hope", "Surgery, General", "FAMILY HISTORY"},
		record.Facility:     {"Quillburg General Hospital", "1 West-121-A S2V"},
	})
	note := func(text string) *ensemble.Note { return &ensemble.Note{Text: text, Directory: staff} }
	ensembletest.CheckMarked(t, ensemble.NewDirectory(), note, []string{
		"Seen by Dr. ⟦Pain|DOCTOR⟧ and ⟦Rose Pain|DOCTOR⟧; ⟦PAIN, ROSE|DOCTOR⟧; ⟦R. Pain|DOCTOR⟧; signed by ⟦Wibberley|DOCTOR⟧; ⟦Hope|DOCTOR⟧, MD",
		"Pain in the chest, a rose, Long QT, Grace is at peace, hope for the best, rose pain, Wibberley",
		"at ⟦Quillburg General Hospital|HOSPITAL⟧. FAMILY HISTORY: none. General Surgery was consulted.",
		"Moved to ⟦1 West-121-A S2V|HOSPITAL⟧. Took 1 tablet, 1 West, 121.",
	})
}

// A telephone number of the record is the same number with and without the country's code.
func TestLeaksOfTelephoneNumbers(t *testing.T) {
	for _, value := range []string{"415-555-0142", "(415) 555-0142", "+1 415 555 0142", "14155550142"} {
		g := record.NewGazetteer(record.Record{record.Phone: {value}})
		for _, text := range []string{"+14155550142", "14155550142", "1-415-555-0142", "4155550142", "(415)5550142"} {
			if len(g.Leaks("call "+text+" at night")) == 0 {
				t.Errorf("%s is not seen in %s", value, text)
			}
		}
	}
}

func TestLeaks(t *testing.T) {
	for _, c := range []struct {
		g    *record.Gazetteer
		text string
		want []string
	}{
		{annLong, "a long time; chest pain, long island", nil},
		{annLong, "MR. LONG, ann Long and featherstonhaugh", []string{"LONG", "ann Long", "featherstonhaugh"}},
		{will, "smithson 5552345678 00123456 123456 02139 10/07/1969 Springfield bill", []string{"smithson", "5552345678", "00123456", "123456"}},
		{will, "wsmith9, Bill.Smithson42@example.com at 128 williams ct", []string{"wsmith9", "Bill.Smithson42@example.com", "128 williams ct"}},
		{parkinson, "Parkinson's disease", nil},
		{nil, "anything", nil},
		{record.NewGazetteer(nil), "anything", nil},
	} {
		var got []string
		for _, r := range c.g.Leaks(c.text) {
			got = append(got, c.text[r.Start:r.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestHolds(t *testing.T) {
	for word, want := range map[string]bool{
		"william": true, "smithson": true, "brien": true, "bill": true, "springfield": true, "williams": true, "00123456": true,
		"5552345678": true, "court": false, "john": false, "october": false, "": false, "muller": true,
	} {
		if got := will.Holds(word); got != want {
			t.Errorf("%q: got %v, want %v", word, got, want)
		}
	}
}

// Formatting must not show what a gazetteer holds.
func TestGazetteerRedacted(t *testing.T) {
	for _, s := range []string{fmt.Sprint(will), fmt.Sprintf("%+v %#v %s", will, will, will), will.LogValue().String()} {
		if strings.Contains(strings.ToLower(s), "smithson") {
			t.Error("a gazetteer prints its names")
		}
	}
}

// Whatever the record and the carrier, the record's identifiers are found and
// the leak check sees them; without them it is silent.
func TestRecordProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	carriers := strings.Split(`seen for %s today.|%s|Contact: %s, thank you|the pt (%s) has pain;|prior to visit, %s's file|re "%s" and others`, "|")
	for range 400 {
		first, last := madeUpName(rng), madeUpName(rng)
		phone := fmt.Sprintf("%03d-%03d-%04d", 200+rng.IntN(799), 200+rng.IntN(799), rng.IntN(10000))
		mrn := fmt.Sprintf("%08d", 10000000+rng.IntN(89999999))
		g := record.NewGazetteer(record.Record{
			record.NameFirst: {first}, record.NameLast: {last}, record.Phone: {phone}, record.MRN: {mrn},
			record.Email: {strings.ToLower(first) + "@example.org"},
		})
		forms := []string{
			first + " " + last, strings.ToUpper(last + ", " + first), strings.ToLower(last), first[:1] + ". " + last, phone,
			strings.ReplaceAll(phone, "-", "."), strings.ReplaceAll(phone, "-", ""), mrn, mrn[:4] + "-" + mrn[4:],
			strings.ToUpper(first) + "@EXAMPLE.ORG",
		}
		form, carrier := forms[rng.IntN(len(forms))], carriers[rng.IntN(len(carriers))]
		text := fmt.Sprintf(carrier, form)
		at := strings.Index(text, form)
		spans, err := ensemble.NewRecord().Detect(t.Context(), &ensemble.Note{Text: text, Patient: g}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ensembletest.CheckSpans(t, text, spans)
		leaks := g.Leaks(text)
		if len(spans) == 0 || spans[0].Start > at || spans[len(spans)-1].End < at+len(form) {
			t.Errorf("%q: the spans do not cover the identifier", text)
		}
		if len(leaks) == 0 {
			t.Errorf("%q: no leak", text)
		}
		blank := []byte(text)
		for _, r := range leaks {
			for i := r.Start; i < r.End; i++ {
				blank[i] = '_'
			}
		}
		if again := g.Leaks(string(blank)); len(again) != 0 {
			t.Errorf("%q: %d leaks after blanking", text, len(again))
		}
	}
}

// madeUpName returns a name of two to four syllables that no lexicon holds.
func madeUpName(rng *rand.Rand) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 2 + rng.IntN(3) {
		b.WriteByte(consonants[rng.IntN(len(consonants))])
		b.WriteByte(vowels[rng.IntN(len(vowels))])
	}
	b.WriteString("xq")
	s := b.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

var kwame = record.NewGazetteer(record.Record{
	record.NameFirst: {"Kwame"}, record.NameMiddle: {"Oren"}, record.NameLast: {"Saverg"}, record.RelativeName: {"May Long"},
})

var brown = record.NewGazetteer(record.Record{
	record.NameFirst: {"Will"}, record.NameMiddle: {"Long"}, record.NameLast: {"Brown"}, record.ProviderName: {"Rose Pain"},
})

var ann = record.NewGazetteer(record.Record{record.NameFirst: {"Ann", "Cora"}, record.NameLast: {"Long", "Armstrong", "Aline"}})

// Identifiers of the record that are said in words, with their letters apart.
func TestSpokenIdentifiers(t *testing.T) {
	t.Parallel()
	g := record.NewGazetteer(record.Record{
		record.MRN: {"ZK7741903"}, record.Phone: {"617-555-0142"}, record.SSN: {"212-44-7890"},
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(g), []string{
		"MRN ⟦Z K seven seven four one nine oh three|MEDICALRECORD⟧; ⟦seventy-seven forty-one nine zero three|MEDICALRECORD⟧ then",
		"call ⟦six one seven, five five five, oh one four two|PHONE⟧ or ⟦six seventeen, triple five, oh one forty-two|PHONE⟧",
		"⟦two one two double four seven eight nine oh|SSN⟧; ⟦Z K\n7741903|MEDICALRECORD⟧; ⟦212 four four 7890|SSN⟧",
		"five five five tablets, one of two, six one seven, seven seven four one nine, a 7 b 4",
	})
	if leaks := g.Leaks("six one seven, five five five, oh one four two"); len(leaks) != 1 {
		t.Errorf("leaks: %v", leaks)
	}
}

// Logins, file names and initials made of the patient's own names.
func TestNamesMadeOfTheRecords(t *testing.T) {
	t.Parallel()
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(kwame), []string{
		"portal user ⟦ksaverg|USERNAME⟧, ⟦KSaverg2|USERNAME⟧, ⟦kosaverg|USERNAME⟧, ⟦savergk|USERNAME⟧; ⟦kwamesaverg77|PATIENT⟧",
		"⟦K.O.S.|PATIENT⟧ said; ⟦may_long|PATIENT⟧_CT.dcm, ⟦long may|PATIENT⟧ and ⟦kwame.saverg|PATIENT⟧.pdf",
		"asaverg, ksavergs, ksav, qsaverg9x. It may, long after, be may. Long, may it last",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(brown), []string{
		"spoke with ⟦will brown|PATIENT⟧ on the phone; ⟦brown_will|PATIENT⟧_CT_chest.dcm; ⟦wbrown|USERNAME⟧ ⟦wlbrown|USERNAME⟧",
		"the toast will, brown or not; will. brown; a brown stool will",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(ann), []string{
		"along the arm, a line placed, left arm strong, cline, Arm-strong; ⟦Arms-\ntrong|PATIENT⟧ and ⟦Armst rong|PATIENT⟧",
	})
}
