package score

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

func report(t *testing.T, goldText, foundText string) Report {
	t.Helper()
	doc := gold(t, goldText)
	text, found := ensembletest.Unmark(t, foundText)
	if text != doc.Text {
		t.Fatalf("the case has two texts: %q and %q", doc.Text, text)
	}
	s := NewScorer(true)
	s.Add(&doc, found)
	return s.Report()
}

func TestWordCounts(t *testing.T) {
	tests := []struct {
		name, gold, found string
		want              map[string]Counts // by group
	}{
		{
			"all found", "Mr. ⟦John Smith|PATIENT⟧ on ⟦4/27/04|DATE⟧", "Mr. ⟦John Smith|PATIENT⟧ on ⟦4/27/04|DATE⟧",
			map[string]Counts{"A": {3, 3, 3, 0}, "B": {3, 3, 3, 0}, "C": {3, 3, 3, 0}, "all": {3, 3, 3, 0}},
		},
		{
			"half a name found, a word too much", "Mr. ⟦John Smith|PATIENT⟧ came", "Mr. John ⟦Smith came|PATIENT⟧",
			map[string]Counts{"C": {2, 1, 2, 1}},
		},
		{
			"half a word is a miss but no false alarm", "seen ⟦4/27/04|DATE⟧", "seen ⟦4/27|DATE⟧/04",
			map[string]Counts{"C": {1, 0, 1, 0}},
		},
		{
			"two spans cover one gold word", "seen ⟦4/27/04|DATE⟧", "seen ⟦4/|DATE⟧27/⟦04|DATE⟧",
			map[string]Counts{"C": {1, 0, 2, 0}},
		},
		{
			"glued words", "Results⟦02/20/2087|DATE⟧ NA", "Results⟦02/20/2087|DATE⟧ NA",
			map[string]Counts{"C": {1, 1, 1, 0}},
		},
		{
			"a prediction that begins early in the same word is no false alarm", "MRN:⟦123456|MEDICALRECORD⟧", "⟦MRN:123456|MEDICALRECORD⟧",
			map[string]Counts{"C": {1, 1, 1, 0}},
		},
		{
			"wrong type still hides the word", "from ⟦Salem|CITY⟧", "from ⟦Salem|PATIENT⟧",
			map[string]Counts{"A": {1, 1, 1, 0}, "all": {1, 1, 1, 0}},
		},
		{
			"a patient taken for a doctor stays readable in group A", "⟦Ann|PATIENT⟧ came", "⟦Ann|DOCTOR⟧ came",
			map[string]Counts{"A": {1, 0, 0, 0}, "B": {1, 1, 1, 0}},
		},
		{
			"hospitals, states and countries belong to C", "⟦Mercy|HOSPITAL⟧ in ⟦Ohio|STATE⟧, ⟦France|COUNTRY⟧", "Mercy in ⟦Ohio|STATE⟧, France",
			map[string]Counts{"A": {}, "B": {}, "C": {3, 1, 1, 0}, "all": {3, 1, 1, 0}},
		},
		{
			"ages of 89 and under, times and professions are kept", "⟦53|AGE⟧, ⟦94|AGE⟧ a ⟦glazier|PROFESSION⟧ at ⟦10:00|TIME⟧",
			"⟦53|AGE⟧, ⟦94|AGE⟧ a ⟦glazier|PROFESSION⟧ at ⟦10:00|TIME⟧",
			map[string]Counts{"C": {1, 1, 1, 0}, "all": {3, 3, 3, 0}},
		},
		{
			"false alarm", "⟦Ann|PATIENT⟧ has Parkinson disease", "⟦Ann|PATIENT⟧ has ⟦Parkinson|PATIENT⟧ disease",
			map[string]Counts{"C": {1, 1, 2, 1}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rep := report(t, tt.gold, tt.found)
			for group, want := range tt.want {
				if diff := cmp.Diff(want, rep.Groups[group].Counts); diff != "" {
					t.Errorf("group %s (-want +got):\n%s", group, diff)
				}
			}
		})
	}
}

func TestRates(t *testing.T) {
	rep := report(t,
		"⟦Ann Lee|PATIENT⟧ saw Dr. ⟦May|DOCTOR⟧ in ⟦Salem|CITY⟧ on ⟦May 3|DATE⟧, Braden 12",
		"⟦Ann|PATIENT⟧ Lee saw Dr. ⟦May|DOCTOR⟧ in ⟦Salem|HOSPITAL⟧ on ⟦May 3|DATE⟧, ⟦Braden|DOCTOR⟧ 12")
	got := rep.Groups["C"]
	// Gold words: Ann, Lee, May, Salem, May, 3; found all but Lee; predicted 6, Braden false.
	if got.Counts != (Counts{6, 5, 6, 1}) {
		t.Fatalf("counts %+v", got.Counts)
	}
	for name, pair := range map[string][2]float64{
		"recall": {got.Recall, 5. / 6}, "precision": {got.Precision, 5. / 6}, "f1": {got.F1, 5. / 6},
		"overscrub": {rep.Overscrub, 1. / 6}, "strict recall": {rep.Strict.Recall, 2. / 4},
		"strict precision": {rep.Strict.Precision, 2. / 4}, "relaxed recall": {rep.Relaxed.Recall, 2. / 4},
		"overlap recall": {rep.Overlap.Recall, 3. / 4},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
	if diff := cmp.Diff(TypeCounts{Class: "LOCATION", Gold: 1, Found: 1, Typed: 0}, rep.Types["CITY"]); diff != "" {
		t.Error(diff)
	}
	if len(rep.Misses) != 1 || rep.Misses[0].Text != "Lee" || len(rep.Alarms) != 1 || rep.Alarms[0].Text != "Braden" {
		t.Errorf("cases: %+v %+v", rep.Misses, rep.Alarms)
	}
}

func TestUnmarkedClassesAreNotJudged(t *testing.T) {
	rep := report(t, "⟦Ann|PATIENT⟧ on 4/27/04", "⟦Ann|PATIENT⟧ on ⟦4/27/04|DATE⟧")
	if got := rep.Groups["C"].Counts; got != (Counts{1, 1, 1, 0}) {
		t.Errorf("counts %+v", got)
	}
	if !strings.Contains(strings.Join(rep.Unmarked, " "), "DATE") {
		t.Errorf("DATE is not among the unmarked classes: %v", rep.Unmarked)
	}
}

func TestCoarseAndIgnoredLabels(t *testing.T) {
	line := `{"id":1,"text":"Zoë, 9 mo, Rm 12, at 03:40 PM with Dr. Ruß","spans":[{"start":0,"end":3,"label":"person"},` +
		`{"start":5,"end":9,"label":"PEDIATRIC_AGE"},{"start":21,"end":29,"label":"DATE_TIME"},{"start":39,"end":42,"label":"PERSON"}]}`
	var docs []Document
	for doc, err := range FromAnnotated(corpus.ReadMarkedLines(strings.NewReader(line+"\n\n")), corpus.BuiltinLabels()) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	if len(docs) != 1 {
		t.Fatalf("%d documents", len(docs))
	}
	_, found := ensembletest.Unmark(t, "⟦Zoë|PATIENT⟧, ⟦9 mo|AGE⟧, Rm 12, at ⟦03:40 PM|TIME⟧ with Dr. ⟦Ruß|DOCTOR⟧")
	s := NewScorer(false)
	s.Add(&docs[0], found)
	if got := s.Report().Groups["all"].Counts; got != (Counts{4, 4, 2, 0}) {
		t.Errorf("counts %+v", got)
	}
}

func TestGoldErrors(t *testing.T) {
	tests := map[string]struct{ line, want string }{
		"syntax":     {`{"id":"secret"`, "line 1: not valid JSON"},
		"range":      {`{"text":"ab","spans":[{"start":1,"end":3,"label":"NAME"}]}`, "span 0: [1,3)"},
		"backwards":  {`{"text":"ab","spans":[{"start":1,"end":1,"label":"NAME"}]}`, "span 0: [1,1)"},
		"label":      {`{"text":"ab","spans":[{"start":0,"end":1,"label":"WHAT"}]}`, `unknown label WHAT: write "WHAT = TYPE`},
		"type":       {`{"text":"ab","spans":[{"start":0,"end":1,"type":"PERSON"}]}`, `unknown PHI type "PERSON"`},
		"NUL":        {`{"text":"a\u0000b","spans":[]}`, "NUL"},
		"wrong kind": {`{"text":7}`, `field "text": want a string`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, err := range FromAnnotated(corpus.ReadMarkedLines(strings.NewReader(tt.line)), corpus.BuiltinLabels()) {
				if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
					t.Errorf("error %v, want it to hold %q", err, tt.want)
				}
				return
			}
			t.Error("nothing came")
		})
	}
}

func TestOver89(t *testing.T) {
	for text, want := range map[string]bool{
		"89": false, "90": true, "94F": true, "97+": true, "102-year-old": true, "53RHM": false, "ninety-two": true, "90s": true,
		"forty": false, "": false, "8 months": false, "88 and 91": false,
	} {
		if over89(text) != want {
			t.Errorf("over89(%q) = %v", text, !want)
		}
	}
}

func (s GoldSpan) span() phi.Span {
	return phi.Span{Start: s.Start, End: s.End, Type: s.Main}
}

// gold builds a document from text in which each ⟦words|TYPE⟧ is a span.
func gold(t *testing.T, marked string) Document {
	t.Helper()
	text, spans := ensembletest.Unmark(t, marked)
	return Document{ID: "d", Text: text, Spans: Gold(spans)}
}
