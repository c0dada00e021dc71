package ensemble

import (
	"fmt"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"slices"
	"strings"
	"testing"
)

// A regression case marks what must be found with [[TYPE text]]; a bar parts
// types that are as good: [[HOSPITAL|ORGANIZATION text]]. Type ANY takes any.
// Everything else must be left alone, where the case says so.
type regression struct {
	text string
	// exact also forbids spans that are not marked.
	exact bool
	// known tells why the case still fails; a case that is mended must lose it.
	known string
}

// The misses that the papers list: the main paper's Table 4 and Table 4 of the
// work on neural and conditional random field detectors.
var paperCases = []regression{
	{text: "He had a DWI in January and was required to do treatment through [[HOSPITAL Samson rehab]] in [[CITY St. Louis]], [[STATE Missouri]]"},
	{text: "out of [[ANY Southwest Building Room 7A]]"},
	{text: "CPL dated [[DATE 4/27/04]]"},
	{text: "Sent: [[DATE 2020-10-20]] 10:00 a.m Subject: RE: Consumer/[[PATIENT|DOCTOR Pat]]"},
	{text: "Comment: [[DATE 03-12-2005]] 08:04:12—verified [[DOCTOR|USERNAME tp]]."},
	{text: "S: fax received from [[HOSPITAL|ORGANIZATION Trioki Rx]] with request for new RX for Viread (tenofovir)", exact: true},
	{text: "Phone number patient/caller is calling from or the number of the provider: [[PHONE 724.161.1754]]"},
	{text: "Last we talked about her involvement in a group called [[ORGANIZATION GO GIRLS]]!"},
	{text: `[[PATIENT Jane]] is brought in by a [[ORGANIZATION|HOSPITAL Minerva]] female attendant and said [[PATIENT Jane]] has been like this for "weeks and weeks."`},
	{text: "Manufactured by Merck lot number [[ANY 78-32-DK]], expiration date [[DATE 2020/10/20]]"},
	{text: "[[STREET 500 State Highway 72]]"},
	{text: "PLOF: [[PATIENT X]] was independent with self cares living"},
	{text: "Location of INR sample: Other: [[CITY Smallville]] Other: [[CITY Smallville]]"},
	{text: "Recommend Recheck: Other: [[DATE 04/01/2017]] [[CITY Smallville]] Other: [[DATE 04/01/2017]] [[CITY Smallville]]"},
	{text: "He had no helmet and his Glasgow score was 6", exact: true},
	{text: "Mr. [[PATIENT Smith]] had visited his family in [[CITY Glasgow]]"},

	{text: "Father had a stroke at [[AGE 80]] and died of ?another stroke at age [[AGE 83]]."},
	{text: "HPI: [[AGE 53]]RHM who going to bed Wednesday was in usoh"},
	{text: "by phone, Dr. [[DOCTOR Ivan Guy]]. Call w/ questions [[PHONE|PAGER 86383]]. [[DOCTOR|PATIENT Keith Gilbert]],"},
	{text: "H/O paroxysmal afib VNA [[PHONE 171-311-7974]] ===== Medications"},
	{text: "During his [[DATE May]] hospitalization he had dysphagia"},
	{text: "Social history: divorced, quit smoking in [[DATE 08]], sober x 10 yrs,"},
	{text: "She is to see him on the [[DATE 29th]] of this month at 1:00 p.m."},
	{text: "He did have a renal biopsy in teh late [[DATE 60s]] adn thus will look for results,", known: "a decade between misspelt words"},
	{text: "Results [[DATE 02/20/2087]] NA 135, K 3.2 (L), CL 96 (L), CO2 30.6, BUN 1"},
	{text: "[[DOCTOR Jose Church]], M.D. \n/[[ANY ray]]\nDD: [[DATE 01/18/20]]\nDT: 01/19:0\nDV: [[DATE 01/18/20]]"},
	{text: "She is looking forward to a good [[DATE Christmas]]. She is here today"},
	{text: "placed [[DATE 3/23]] for bradycardia. P/G model # [[DEVICE|IDNUM 5435]], serial # [[DEVICE|IDNUM 4712198]],"},
	{text: "Consult NotePt: [[PATIENT Ulysses Ogrady]] MC # [[MEDICALRECORD|IDNUM 0937884]] Date: [[DATE 10/07/69]]"},
	{text: "Works in programming at [[ORGANIZATION Audiovox]]. Formerly at [[ORGANIZATION BrightPoint]]."},
	{text: "He has remote travel hx to the [[ANY Rockefeller Centre]], more recent global"},
	{text: "Pt is a [[AGE 59]] yo [[COUNTRY Khazakhstani]] male, with"},
	{text: "who was admitted to [[HOSPITAL San Rafael Mount Hospital]] following a syncopal"},
	{text: "nauseas and was brought to [[HOSPITAL Rafael Mount]] ED. Five weeks ago prior"},
	{text: "Anemia: On admission to [[HOSPITAL Rafael Hospital]], Hb/Hct: 11.6/35.5."},
	{text: "2nd set biomarkers ([[HOSPITAL WPH]]): Creatine Kinase Isoenzymes"},
	{text: "Hospitalized [[DATE 2115]] [[HOSPITAL TCH]] for ROMI 2120 [[HOSPITAL TCH]] new onset"},
	{text: "Dear [[DOCTOR|PATIENT Harry]] and [[DOCTOR|PATIENT Yair]]: My thanks for your kind"},
	{text: "Patient lives in [[CITY Flint]] with his friend [[PATIENT Epstein]]. He has 3 children."},
	{text: "Health care proxy-Yes, son ([[PATIENT West]]) Allergies DUTASTERIDE - cough,", exact: true},
	{text: "Lab Tests [[ANY Amador]]: the lab results show good levels of"},
	{text: "10MG PO qd : [[DATE 05/10/2066]] - [[DATE 04/15/2068]] ACT : [[ANY rosenberg]] [[STREET 128 Williams Ct]] M [[PATIENT OSCAR, JOHNNY]] [[CITY Hyderabad]], [[STATE WI]] [[ZIP 62297]]", known: "Ct is more often computed tomography than a court"},
	{text: "Social history: Married, [[PROFESSION glazier]], 3 grown adult children"},
	{text: "Has VNA. Former [[PROFESSION civil engineer]], [[PROFESSION supervisor]], [[PROFESSION consultant]]."},
	{text: "He was formerly self-employed as a [[PROFESSION CPA]] and would often travel"},
	{text: "Communications senior [[PROFESSION manager]], marketing, worked for [[ORGANIZATION Brinker]]", known: "an occupation without any cue"},
	{text: "and [[PROFESSION Concrete Finisher]] (25yrs).", known: "an occupation without any cue"},
	{text: "He is a [[PROFESSION veteran]]. Former tobacco user, works part time in [[PROFESSION securities]]."},
	{text: "Social history: He is retired [[PROFESSION Motor Vehicle Body Repairer]]."},
}

// What must be left alone, and what looks like it and must not be.
var vocabularyCases = []regression{
	{text: "Hunt and Hess grade 2, Braden 14, Foley catheter, ECOG 1, LA enlargement, Apgars 8/9, Kocher incision, Lewy body dementia", exact: true},
	{text: "Mr. [[PATIENT Parkinson]] has Parkinson's disease.", exact: true},
	{text: "Crohn's disease, Hodgkin lymphoma, Babinski sign, McBurney's point, Charcot foot, Murphy's sign negative", exact: true},
	{text: "Jackson-Pratt drain to bulb suction; Allis clamps; DeBakey forceps; Bovie cautery", exact: true},
	{text: "The patient was seen in the emergency department and moved to the ICU. Primary care clinic follow up.", exact: true},
	{text: "Cardiology Clinic and Pain Clinic; transferred to the hospital by EMS; nursing home placement", exact: true},
	{text: "ASSESSMENT AND PLAN: Hypertension. CHIEF COMPLAINT: Chest Pain. PAST MEDICAL HISTORY: Diabetes Mellitus.", exact: true},
	{text: "Chest X-Ray, PA and Lateral Views", exact: true},
	{text: "Lopressor, Coumadin, Lasix and Tylenol were continued.", exact: true},
	{text: "He was in bed 2 days and on room air.", exact: true},
	{text: "Long discussion about may or may not need surgery. Will call. Mark the site.", exact: true},
	{text: "Doctor: Hello. Patient: Yes, I will. Doctor: Good.", exact: true},
}

func TestRegressions(t *testing.T) {
	ens, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range slices.Concat(paperCases, vocabularyCases) {
		text, want := parseMarks(t, c.text)
		problem := check(t, ens, text, want, c.exact)
		switch {
		case problem != "" && c.known == "":
			t.Errorf("case %d, %q: %s", i, text, problem)
		case problem == "" && c.known != "":
			t.Errorf("case %d, %q is mended: take out known %q", i, text, c.known)
		}
	}
}

// marked is a span that a case wants, with the types that will do.
type marked struct {
	phi.Range
	types []string
}

// parseMarks takes the marks out of a case.
func parseMarks(t *testing.T, s string) (string, []marked) {
	t.Helper()
	var text strings.Builder
	var want []marked
	for {
		before, rest, ok := strings.Cut(s, "[[")
		text.WriteString(before)
		if !ok {
			return text.String(), want
		}
		mark, after, ok := strings.Cut(rest, "]]")
		types, inner, hasType := strings.Cut(mark, " ")
		if !ok || !hasType {
			t.Fatalf("bad mark in %q", s)
		}
		start := text.Len()
		text.WriteString(inner)
		want = append(want, marked{phi.Range{Start: start, End: text.Len()}, strings.Split(types, "|")})
		s = after
	}
}

// check says what is wrong with what an ensemble finds in a text, or "".
func check(t *testing.T, ens *Ensemble, text string, want []marked, exact bool) string {
	t.Helper()
	spans, err := ens.Detect(t.Context(), &Note{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want {
		if !slices.ContainsFunc(spans, func(s phi.Span) bool { return fits(s, w) }) {
			return fmt.Sprintf("%v %q is missing among %s", w.types, text[w.Start:w.End], show(text, spans))
		}
	}
	if !exact {
		return ""
	}
	for _, s := range spans {
		if s.Type != phi.Time && !slices.ContainsFunc(want, func(w marked) bool { return fits(s, w) }) {
			return fmt.Sprintf("unwanted %s", show(text, []phi.Span{s}))
		}
	}
	return ""
}

// fits reports whether a span covers what is marked, with at most a word beside
// it, and has one of the types.
func fits(s phi.Span, w marked) bool {
	covers := s.Start <= w.Start && w.End <= s.End && (s.End-s.Start) <= (w.End-w.Start)+14
	return covers && (slices.Contains(w.types, "ANY") || slices.Contains(w.types, s.Type.String()))
}

func show(text string, spans []phi.Span) string {
	var b strings.Builder
	for _, s := range spans {
		fmt.Fprintf(&b, "[%s %q]", s.Type, text[s.Start:s.End])
	}
	return b.String()
}
