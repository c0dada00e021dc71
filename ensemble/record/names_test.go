package record

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// A patient with a name that is hardly a word, relatives whose names are words, and a doctor.
var people = NewGazetteer(Record{
	NameFirst: {"Oralia"}, NameMiddle: {"Beth"}, NameLast: {"Zorvakian"}, NameAlias: {"Sharon"},
	RelativeName: {"Gene Burke", "Dean Whitting", "Paris Kirkaldie", "Luis van der Quist", "Mei Dela Potluri"}, ProviderName: {"Rose Pain"},
})

func TestNamesInFull(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, people, []markedCase{
		{"saw [Oralia Zorvakian], [Zorvakian, Oralia], [Oralia B. Zorvakian], [Zorvakian, O]; [O. Zorvakian]", phi.Patient},
		{"[ORALIA ZORVAKIAN]; [oralia zorvakian]; [zorvakian, oralia b]", phi.Patient},
		{"with [Gene Burke], [gene burke], [burke, gene]", phi.Patient},
		{"[Luis van der Quist], [van der Quist], [Quist, Luis]", phi.Patient},
		{"[Oralia Zorvakian Jr]., today", phi.None},
		{"[Oralia] “[Sharon]” [Zorvakian]", phi.Patient},
		{"[oralia_zorvakian]_ct.dcm, [zorvakian.oralia].pdf", phi.Patient},
		{"the gene was there", phi.None},
	})
}

// The halves of a name that belong together make one another sure: a typing error that may be
// another word counts next to the other half.
func TestMisspeltPairs(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, people, []markedCase{
		{"saw [Pairs Kirkaldie] and [Kirkaldie, Pairs]", phi.Patient},
		{"saw [Gnee Burke] and [burek, gene]", phi.Patient},
		{"Pairs of shoes and a pars defect. Bulk of it. A bike. The dead and the deaf.", phi.None},
		{"saw [Genc Burke], [Burke, Genc], [Gene Burkc]", phi.Patient},
		{"saw [Oralai Zorvakian] and [Oralia Zorvkaian]", phi.Patient},
		{"the pairs kirkland met; white bark", phi.None},
	})
}

func TestNamesOverLines(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, people, []markedCase{
		{"saw [Gene\nBurke] and [Oralia\nZorvakian]; [Burke,\nGene]", phi.Patient},
		{"Patient: [ZORVAKIAN\nORALIA]\nAGE: 14", phi.Patient},
		{"Re: [Zorvakian, Oralia\nB]., DOB", phi.Patient},
		{"Name: [Zorvakian, Oralia\nB] MRN: 2", phi.Patient},
		{"saw [Luis van\nder Quist] there", phi.Patient},
		{"cousin of [Dela\nPotluri] there", phi.Patient},
		{"seen by Mr.\n[Burke] today", phi.Patient},
		{"the gene\nwas there", phi.None},
	})
}

// What is next to an ordinary word makes a name of it.
func TestEvidence(t *testing.T) {
	t.Parallel()
	for evidence, cases := range map[string][]markedCase{
		"title":      {{"Mr. [Gene] and ms [dean], dr. [Pain]", phi.None}, {"the gene and the dean; Pain. Gene therapy", phi.None}},
		"label":      {{"Patient: [Gene] Name: [dean]\nAge: 3", phi.Patient}, {"Finding: gene\nMutation: Gene\n", phi.None}},
		"kin":        {{"her wife ([gene]) and son ([Dean] drives)", phi.Patient}, {"her wife has a gene; (gene)", phi.None}},
		"possessive": {{"[Gene]'s wife and [dean]'s brother", phi.Patient}, {"the gene's product", phi.None}},
		"verb":       {{"[Gene] denies pain. [Dean] was seen by us. [Gene] to call", phi.Patient}, {"Gene is mutated. Gene therapy was given.", phi.None}},
		"and":        {{"[Oralia] and [Gene] live here. [Gene] and [Oralia] live", phi.Patient}, {"genes and gene products", phi.None}},
		"age":        {{"[Gene], 50M, was seen", phi.Patient}, {"Gene, 50 copies", phi.None}},
		"called":     {{`prefers "[Gene]", and chart under [Dean]`, phi.Patient}, {"under gene control", phi.None}},
		"credential": {{"[Pain], MD", phi.Doctor}, {"pain, md", phi.None}},
	} {
		t.Run(evidence, func(t *testing.T) {
			t.Parallel()
			checkMarkedBy(t, people, cases)
		})
	}
}

func TestEponymsAndTowns(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Ann"}, NameLast: {"Parkinson", "Braden"}})
	checkMarkedBy(t, g, []markedCase{
		{"[Parkinson] was seen, [Ann] too", phi.Patient},
		{"Parkinson's disease, Parkinson disease, Braden score 18", phi.None},
		{"Mrs. [Parkinson]'s daughter", phi.Patient},
	})
}

func TestInitials(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Kassandra"}, NameMiddle: {"Kim"}, NameLast: {"Chwistek"}})
	checkMarkedBy(t, g, []markedCase{
		{"[KKC] was here; [K.K.C.] too; [K.C.] said", phi.Patient},
		{"[kkc] never filled it. Before this [kkc] walked. ([kkc])", phi.Patient},
		{"Patient ([KC]) told us. Pt [KC] reports pain.", phi.Patient},
		{"the kkc count, KC mast, 5 kkc", phi.None},
		{"[Chwistek, Kassandra] Q., [CHWISTEK KASSANDRA] Q here", phi.Patient},
		{"[Chwistek] R.N., C/O pain", phi.Patient},
		{"[KASSANDRA CHWISTEK] M", phi.Patient},
	})
}

// Names that are glued to numbers, titles and each other.
// A degree behind a name and a label are no initials, whosever they could be.
func TestInitialsThatAreNone(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Mei", "Sora Sun"}, NameLast: {"Dahl", "Nakai"}})
	for body, want := range map[string]int{
		"Ann Moss, M.D.": 0, "Ann Moss M.D. was called": 0, "per M.D. he is well": 1, "M.D. reports pain": 1, "Dob 05-01-1945 Ssn 42": 0,
	} {
		if got := len(findIn(t, g, body)); got != want {
			t.Errorf("%q: %d found, want %d", body, got, want)
		}
	}
}

func TestNamesThatAreGlued(t *testing.T) {
	t.Parallel()
	checkMarkedBy(t, people, []markedCase{
		{"saw [Zorvakian]was there, [Oralia]to call", phi.Patient},
		{"Mrs. [Burke]was seen; Mr. [Gene]had it", phi.Patient},
		{"with [Paris Kirkaldie]states, then [GeneBurke]", phi.Patient},
		{"Name: [Zorvakian, Oralia B]MRN: 22", phi.Patient},
		{"[ORALIAZORVAKIAN] HERE", phi.Patient},
		{"[PARISKIRKALDIE]", phi.Patient},
		{"genestates", phi.None},
	})
}

func TestDirectoryNeedsContext(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{ProviderName: {"Rose Pain, MD", "Wibberley, Ignatius", "General Surgery"}, Facility: {"Quillburg Hospital"}})
	for body, want := range map[string]string{
		"Dr. Pain and Rose Pain":                  "Pain|Rose Pain",
		"signed by Wibberley; paged Wibberley":    "Wibberley|Wibberley",
		"Wibberley said; pain; a rose; rose pain": "",
		"Wibberly, MD, Dr. Wibberlye":             "",
		"at Quillburg Hospital, General Surgery":  "Quillburg Hospital",
		"Dr. W i b b e r l e y":                   "",
	} {
		spans, err := FindStaff(t.Context(), text.NewView(body), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(written(body, spans), "|"); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

// A name with an apostrophe is found to its first letter where one behind the mark is wrong.
func TestMisspeltBehindAnApostrophe(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Gaetano"}, NameLast: {"D'Amlico"}, RelativeName: {"Drew Tua'forie", "Keeva O'Brienne"}})
	checkMarkedBy(t, g, []markedCase{
		{"saw [Gaetano D'Amlco] today", phi.Patient},
		{"saw [Gaetano D'Am1ico] today", phi.Patient},
		{"with [Drew Tua'orie] there", phi.Patient},
		{"[O'BRIqNNE], [KEEVA] came", phi.Patient},
		{"the patient's own, and D'Arcy's", phi.None},
	})
}
