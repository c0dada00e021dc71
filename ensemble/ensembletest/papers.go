package ensembletest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// PaperCase is an example of a paper as a test: a text in which [[TYPE text]] marks what
// has to be found, [[A|B text]] what may be taken for either and [[ANY text]] what only has
// to be found. Ends count where a word goes on: the digits of "Results02/20/2087" are a
// date and the word before them is not.
type PaperCase struct {
	// Source says which table the example is from.
	Source string
	Text   string
	// Exact forbids all else.
	Exact bool
	// Default says why the default ensemble fails; "" if it doesn't.
	Default string
}

// The tables of which every example is a case, and the passage on tokens.
const (
	table4   = "Table 4 of Dernoncourt et al., 2016"
	table7   = "Table 7 of Zhao et al., 2020"
	prepared = "Zhao et al., 2020, Preprocessing"
)

// SubwordCases are PHI that starts or ends inside what is between blanks. Where the
// papers' names could be somebody's, others of the same form stand here.
func SubwordCases() []PaperCase {
	return []PaperCase{
		{Source: prepared, Text: "Seen by Dr.[[DOCTOR Smith]] today.", Exact: true},
		{Source: prepared, Text: "Referred by Dr.[[DOCTOR Ann Moss]],MD for review.", Exact: true},
		{Source: prepared, Text: "Mrs.[[PATIENT Abara]],a pleasant woman, and her son McKinley Ward:"},
		{Source: prepared, Text: "Dictated byDr.[[DOCTOR Abara]]"},
		{Source: prepared, Text: "[[AGE 48]]-year-old in [[HOSPITAL|ORGANIZATION Edwin HealthCare]]", Exact: true},
		{Source: table4, Text: "HPI: [[AGE 53]]RHM who going to bed Wednesday was in usoh, but"},
		{Source: table4, Text: "History of Present Illness [[AGE 86]]F reports worsening b/l leg pain."},
		{Source: table4, Text: "Results[[DATE 02/20/2087]] NA 135, K 3.2 (L), CL 96 (L), CO2 30.6, BUN 1"},
		{Source: table4, Text: "Labs:[[DATE 02/20/2087]]WBC 9.1"},
		{Source: table4, Text: "Consult NotePt: [[PATIENT Ulric Odgrane]] MC # [[MEDICALRECORD|IDNUM 0937884]]Date: [[DATE 10/07/69]]"},
		{
			Source: table4, Text: "Consult NotePt: [[PATIENT Ulric Odgrane]]MC # [[MEDICALRECORD|IDNUM 0937884]]Date: [[DATE 10/07/69]]",
			Default: "the glued label is taken along with the name",
		},
		// What the slip of a finger left of the year tells nothing.
		{Source: table4, Text: "[[DOCTOR Jorge Chantry]], M.D. \n/[[ANY ray]]\nDD: [[DATE 01/18/20]] DT: [[DATE 01/19]]/:0 DV: [[DATE 01/18/20]]", Default: "the CRF takes the rest of the slip along"},
		{Source: table4, Text: "DD:[[DATE 05/05/2095]]DT:[[DATE 05/05/2095]]"},
		{Source: table4, Text: "DD:[[DATE 05/05/2095]] DT:[[DATE 05/05/2095]] [[IDNUM WK:65255 :4653]]", Default: "the letters before the number are not taken along"},
		{Source: table4, Text: "NO GROWTH TO DATE Specimen: [[IDNUM 38:Z8912708G]] Collected"},
		{Source: table4, Text: "P/G model # [[DEVICE|IDNUM 5435]], serial # [[DEVICE|IDNUM 4712198]],"},
		{Source: table4, Text: "H/O paroxysmal afib VNA [[PHONE 171-311-7974]]===== Medications"},
		{Source: table4, Text: "Hospitalized [[DATE 2115]] [[HOSPITAL TCH]] for ROMI", Default: "no rule reads a year alone between a word and a hospital, and networks don't find it"},
	}
}

// StackingCases are the examples of what the parts of an ensemble contribute.
func StackingCases() []PaperCase {
	return []PaperCase{
		{Source: table7, Text: "with SVR of 1739", Exact: true},
		{Source: table7, Text: "family contact: [[PATIENT|DOCTOR Talisha Iverick]]", Exact: true},
		{
			Source: table7, Text: "Patient Name: [[PATIENT FOSKE,FAYE]] [ [[MEDICALRECORD|IDNUM 50294530]](LHCC) ]",
			Default: "the hospital in brackets is taken along with the number",
		},
		{Source: table7, Text: "Patient Name: [[PATIENT FOSKE,FAYE]] [[[MEDICALRECORD|IDNUM 50294530]](LHCC)]"},
		{Source: table7, Text: "a CK of 1028", Exact: true},
		{Source: table7, Text: "go back to [[STATE|CITY|LOCATION-OTHER NewJersey]]", Exact: true},
		{Source: table7, Text: "[[STREET 739 Newburgh Street]], [[CITY Sulphur]], [[STATE AR]] [[ZIP 26822]]", Exact: true},
	}
}

// wanted is a range that a case marks.
type wanted struct {
	phi.Range
	types string
}

// parse takes the marks out of a case.
func (c *PaperCase) parse(t testing.TB) (string, []wanted) {
	t.Helper()
	var text strings.Builder
	var want []wanted
	rest := c.Text
	for {
		before, inner, ok := strings.Cut(rest, "[[")
		for ok && strings.HasPrefix(inner, "[") { // "[" before a mark is the text's
			before, inner = before+"[", inner[1:]
		}
		text.WriteString(before)
		if !ok {
			return text.String(), want
		}
		mark, after, closed := strings.Cut(inner, "]]")
		types, word, typed := strings.Cut(mark, " ")
		if !closed || !typed {
			t.Fatalf("bad mark in %q", c.Text)
		}
		start := text.Len()
		text.WriteString(word)
		want = append(want, wanted{phi.Range{Start: start, End: text.Len()}, types})
		rest = after
	}
}

// Check says what is wrong with what an ensemble finds in a case, or "".
func (c *PaperCase) Check(t testing.TB, e *ensemble.Ensemble) string {
	t.Helper()
	text, want := c.parse(t)
	spans, err := e.Detect(t.Context(), &ensemble.Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		if !slices.ContainsFunc(spans, w.fits) {
			return fmt.Sprintf("%s %q is missing among %s", w.types, text[w.Start:w.End], shown(text, spans))
		}
	}
	for _, s := range spans {
		if c.Exact && s.Type != phi.Time && !slices.ContainsFunc(want, func(w wanted) bool { return w.fits(s) }) {
			return "unwanted: " + shown(text, []phi.Span{s})
		}
	}
	return ""
}

// fits reports whether a span is what is marked, to the byte.
func (w wanted) fits(s phi.Span) bool {
	types := strings.Split(w.types, "|")
	return s.Start == w.Start && s.End == w.End && (slices.Contains(types, "ANY") || slices.Contains(types, s.Type.String()))
}

func shown(text string, spans []phi.Span) string {
	var b strings.Builder
	for _, s := range spans {
		fmt.Fprintf(&b, "[%s %q]", s.Type, text[s.Start:s.End])
	}
	return b.String()
}
