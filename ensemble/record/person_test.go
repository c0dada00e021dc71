package record_test

import (
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Made-up patients whose names are words, and such as have initials that mean a disease.
var (
	ashleyLoud = record.NewGazetteer(record.Record{
		record.NameFirst: {"Ashley"}, record.NameMiddle: {"Quill"}, record.NameLast: {"Loud"},
		record.RelativeName: {"Frank Oberquist", "May Tarrowby"},
	})
	tovaHead = record.NewGazetteer(record.Record{
		record.NameFirst: {"Tova"}, record.NameLast: {"Head"}, record.RelativeName: {"Bramwell Head"},
	})
	chancePerson = record.NewGazetteer(record.Record{
		record.NameFirst: {"Chance"}, record.NameLast: {"Person"}, record.NameAlias: {"Will"},
	})
	terezBurnley = record.NewGazetteer(record.Record{
		record.NameFirst: {"Terez"}, record.NameMiddle: {"Calla"}, record.NameLast: {"Burnley"},
	})
	zelmaShepworth = record.NewGazetteer(record.Record{
		record.NameFirst: {"Zelma"}, record.NameMiddle: {"Bryn"}, record.NameLast: {"van der Shepworth"},
	})
)

// Where a patient's name is an ordinary word, what is next to it decides.
func TestRecordNamesThatAreWords(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(ashleyLoud), []string{
		"⟦Loud|PATIENT⟧ and ⟦Frank|PATIENT⟧ live with her. Loud and clear. Loud noises wake her. The murmur is loud.",
		"⟦Loud|PATIENT⟧ reports pain; Loud (f/k/a Moss) is well. Loud (4/6) murmur is heard.",
		"⟦Loud|PATIENT⟧, 50M, was seen. Loud, 50 dB.",
		"We spoke to LOUD about it. LOUD murmur. A murmur, LOUD.",
		"Her niece (⟦May|PATIENT⟧ drives her) and her niece ⟦May|PATIENT⟧. She (may drive) may go. May 5.",
		"Saw ⟦Ashly Loud|PATIENT⟧ and ⟦Loud, Ashly Q|PATIENT⟧. Seen ⟦Loud, Ashly|PATIENT⟧ A&O. Saw ⟦Ashly|PATIENT⟧; loud.",
		"With brother: ⟦May|PATIENT⟧ tomorrow. Her niece, ⟦May|PATIENT⟧, called. Her niece, May 5. Brother: loud noises.",
		"lives with ⟦Frank\nOberquist|PATIENT⟧ and ⟦Ashley\nLoud|PATIENT⟧; ⟦Loud,\nAshley|PATIENT⟧. Spoke to ⟦Frank|PATIENT⟧\nLoud noises.",
		"Chart under ⟦Loud|PATIENT⟧. Seen by ⟦Ashley Loud Jr|PATIENT⟧. on 3/4. Under loud noise.",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(tovaHead), []string{
		"⟦Head|PATIENT⟧ and ⟦Bramwell|PATIENT⟧ live with her. Head and neck are normal.",
		"Head is normal. Head was atraumatic. ⟦Head|PATIENT⟧ has had 3 falls. ⟦Head|PATIENT⟧ was admitted. ⟦Head|PATIENT⟧ told us.",
		"Head\nDenies headache.",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(chancePerson), []string{
		`⟦Chance|PATIENT⟧ (prefers "⟦Will|PATIENT⟧") is 48. By chance he will. Chance (30%) of rain. Will follow.`,
		"⟦Chance|PATIENT⟧ would like results. Chance would be small.",
		"12/18 ⟦PERSON|PATIENT⟧ 13F came. 12/18 PERSON 13 times.",
		"⟦Person|PATIENT⟧, 50M, has pain. Person responsible: none. A person called.",
	})
}

// Notes in one case tell names by what people do.
func TestRecordNamesInOneCase(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(ashleyLoud), []string{
		"⟦LOUD|PATIENT⟧ HAS HAD 2 FALLS. ⟦LOUD|PATIENT⟧'S GRANDSON ⟦FRANK|PATIENT⟧ GAVE THE HISTORY. LOUD MURMUR AT THE BASE. HER FATHER MAY CALL AGAIN SOON.",
		"SHE SAYS THAT ⟦LOUD|PATIENT⟧ WAS ADMITTED. A LOUD MURMUR. THE HEART IS LOUD, A SECOND SOUND TOO; ⟦A. LOUD|PATIENT⟧.",
		"PER THE CLINIC, ⟦LOUD|PATIENT⟧\nMAY DRIVE AND RETURN TO HER WORK. THE SECOND SOUND WAS LOUD. RATHER LOUD AND CLEAR SPEECH.",
		"⟦loud|PATIENT⟧ is a widow and lives alone near her family. the murmur is loud. loud murmur, loud speech, will discuss with father ⟦frank|PATIENT⟧ soon.",
		"the history is taken from records: ⟦loud|PATIENT⟧ and ⟦frank|PATIENT⟧ live with her son. frank blood, frank pus and loud noise were there. her niece may call.",
	})
}

// A disease that has the letters of the patient's name is the patient only behind a
// word for the patient.
func TestRecordInitials(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(terezBurnley), []string{
		"Patient (⟦TB|PATIENT⟧) told us that he fell. Pt ⟦TB|PATIENT⟧ reports pain. TB was excluded. (TB) Exposure to TB.",
		"Patient (⟦TCB|PATIENT⟧) is here. patient (⟦tb|PATIENT⟧) told us. patient (tb contact). patient (to) go.",
	})
	spans, err := mustNew(t).Detect(t.Context(), &ensemble.Note{Text: "Patient (TB) told us of a fall. TB was excluded.", Patient: terezBurnley})
	if err != nil || len(spans) != 1 || spans[0].Start != len("Patient (") {
		t.Errorf("got %d spans, error %v: want the initials in brackets alone", len(spans), err)
	}
}

// Middle initials are part of a name in lower case too, but "a" and "c" are words.
func TestRecordMiddleInitials(t *testing.T) {
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(zelmaShepworth), []string{
		"pt: ⟦zelma b. van der shepworth|PATIENT⟧, ⟦shepworth, zelma b|PATIENT⟧ | 7, <<⟦Shepworth, Zelma B|PATIENT⟧>>",
		"⟦zelma|PATIENT⟧ b positive; ⟦Shepworth, Zelma B|PATIENT⟧/P 120; zone b",
	})
	ensembletest.CheckMarked(t, ensemble.NewRecord(), ofPatient(terezBurnley), []string{
		"⟦terez c burnley|PATIENT⟧; ⟦terez c. burnley|PATIENT⟧; ⟦terez burnley|PATIENT⟧ c diff; ms ⟦burnley|PATIENT⟧ c pain; ⟦burnley, terez c|PATIENT⟧",
	})
}

func mustNew(t *testing.T) *ensemble.Ensemble {
	t.Helper()
	e, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	return e
}
