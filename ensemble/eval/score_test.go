package eval

import (
	"context"
	"errors"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// gold builds a document from text in which each [TYPE|words] is a span.
func gold(t *testing.T, marked string) Document {
	t.Helper()
	text, spans := marks2spans(t, marked)
	doc := Document{ID: "d", Text: text}
	for _, s := range spans {
		doc.Spans = append(doc.Spans, GoldSpan{Start: s.Start, End: s.End, Label: s.Type.String(), Meaning: corpus.MeaningOf(s.Type)})
	}
	return doc
}

func marks2spans(t *testing.T, marked string) (string, []phi.Span) {
	t.Helper()
	var b strings.Builder
	var spans []phi.Span
	for marked != "" {
		before, rest, found := strings.Cut(marked, "[")
		b.WriteString(before)
		if !found {
			break
		}
		inside, after, _ := strings.Cut(rest, "]")
		name, words, _ := strings.Cut(inside, "|")
		typ, err := phi.ParseType(name)
		if err != nil {
			t.Fatal(err)
		}
		start := b.Len()
		b.WriteString(words)
		spans = append(spans, phi.Span{Start: start, End: b.Len(), Type: typ})
		marked = after
	}
	return b.String(), spans
}

func report(t *testing.T, goldText, foundText string) Report {
	t.Helper()
	doc := gold(t, goldText)
	text, found := marks2spans(t, foundText)
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
			"all found", "Mr. [PATIENT|John Smith] on [DATE|4/27/04]", "Mr. [PATIENT|John Smith] on [DATE|4/27/04]",
			map[string]Counts{"A": {3, 3, 3, 0}, "B": {3, 3, 3, 0}, "C": {3, 3, 3, 0}, "all": {3, 3, 3, 0}},
		},
		{
			"half a name found, a word too much", "Mr. [PATIENT|John Smith] came", "Mr. John [PATIENT|Smith came]",
			map[string]Counts{"C": {2, 1, 2, 1}},
		},
		{
			"half a word is a miss but no false alarm", "seen [DATE|4/27/04]", "seen [DATE|4/27]/04",
			map[string]Counts{"C": {1, 0, 1, 0}},
		},
		{
			"two spans cover one gold word", "seen [DATE|4/27/04]", "seen [DATE|4/]27/[DATE|04]",
			map[string]Counts{"C": {1, 0, 2, 0}},
		},
		{
			"glued words", "Results[DATE|02/20/2087] NA", "Results[DATE|02/20/2087] NA",
			map[string]Counts{"C": {1, 1, 1, 0}},
		},
		{
			"a prediction that begins early in the same word is no false alarm", "MRN:[MEDICALRECORD|123456]", "[MEDICALRECORD|MRN:123456]",
			map[string]Counts{"C": {1, 1, 1, 0}},
		},
		{
			"wrong type still hides the word", "from [CITY|Salem]", "from [PATIENT|Salem]",
			map[string]Counts{"A": {1, 1, 1, 0}, "all": {1, 1, 1, 0}},
		},
		{
			"a patient taken for a doctor stays readable in group A", "[PATIENT|Ann] came", "[DOCTOR|Ann] came",
			map[string]Counts{"A": {1, 0, 0, 0}, "B": {1, 1, 1, 0}},
		},
		{
			"hospitals, states and countries belong to C", "[HOSPITAL|Mercy] in [STATE|Ohio], [COUNTRY|France]", "Mercy in [STATE|Ohio], France",
			map[string]Counts{"A": {}, "B": {}, "C": {3, 1, 1, 0}, "all": {3, 1, 1, 0}},
		},
		{
			"ages of 89 and under, times and professions are kept", "[AGE|53], [AGE|94] a [PROFESSION|glazier] at [TIME|10:00]",
			"[AGE|53], [AGE|94] a [PROFESSION|glazier] at [TIME|10:00]",
			map[string]Counts{"C": {1, 1, 1, 0}, "all": {3, 3, 3, 0}},
		},
		{
			"false alarm", "[PATIENT|Ann] has Parkinson disease", "[PATIENT|Ann] has [PATIENT|Parkinson] disease",
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
		"[PATIENT|Ann Lee] saw Dr. [DOCTOR|May] in [CITY|Salem] on [DATE|May 3], Braden 12",
		"[PATIENT|Ann] Lee saw Dr. [DOCTOR|May] in [HOSPITAL|Salem] on [DATE|May 3], [DOCTOR|Braden] 12")
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
	rep := report(t, "[PATIENT|Ann] on 4/27/04", "[PATIENT|Ann] on [DATE|4/27/04]")
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
	_, found := marks2spans(t, "[PATIENT|Zoë], [AGE|9 mo], Rm 12, at [TIME|03:40 PM] with Dr. [DOCTOR|Ruß]")
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

type fixed map[string][]phi.Span

func (f fixed) Detect(_ context.Context, n *ensemble.Note) ([]phi.Span, error) {
	spans, ok := f[n.Text]
	if !ok {
		return nil, errors.New("no such text")
	}
	return spans, nil
}

func sequence(docs ...Document) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func TestRun(t *testing.T) {
	a, b := gold(t, "[PATIENT|Ann] came"), gold(t, "saw [DOCTOR|May] today")
	b.ID, b.Kind, b.Group = "b", "letter", "Asian"
	found := fixed{a.Text: {a.Spans[0].span()}, b.Text: nil}
	ticks := 0
	res, err := Run(t.Context(), found, sequence(a, b, a, b, a), Options{Workers: 3, Tick: func(int) { ticks++ }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Docs != 5 || ticks != 5 || res.Perfect != 3 || res.Groups["C"].Counts != (Counts{5, 3, 3, 0}) {
		t.Errorf("%d documents, %d ticks, %d perfect, %+v", res.Docs, ticks, res.Perfect, res.Groups["C"].Counts)
	}
	if len(res.Kinds) != 1 || res.Kinds[0].Name != "letter" || res.NameGroup[0].Gold != 2 {
		t.Errorf("slices: %+v %+v", res.Kinds, res.NameGroup)
	}
	c := gold(t, "unknown")
	c.ID = "c7"
	if _, err = Run(t.Context(), found, sequence(a, c, b), Options{}); err == nil || !strings.Contains(err.Error(), "c7") {
		t.Errorf("error %v does not name the document", err)
	}
}

func (s GoldSpan) span() phi.Span {
	return phi.Span{Start: s.Start, End: s.End, Type: s.Main}
}

func TestTableQuotesOnlyWhenAsked(t *testing.T) {
	rep := report(t, "[PATIENT|Quisenberry] came", "Quisenberry [DATE|came]")
	var quiet, loud strings.Builder
	if err := (Result{Report: rep}).WriteTable(&quiet, 0); err != nil {
		t.Fatal(err)
	}
	if err := (Result{Report: rep}).WriteTable(&loud, 5); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(quiet.String(), "Quisenberry") || !strings.Contains(loud.String(), "⟦Quisenberry⟧") {
		t.Errorf("quiet:\n%s\nloud:\n%s", quiet.String(), loud.String())
	}
}

func TestHTMLIsEscapedAndQuotesOnlyWhenAsked(t *testing.T) {
	rep := report(t, "[PATIENT|<b>Quisenberry</b>] came", "<b>Quisenberry</b> [DATE|came]")
	var quiet, loud strings.Builder
	if err := (Result{Report: rep}).WriteHTML(&quiet, "a & b", 0); err != nil {
		t.Fatal(err)
	}
	if err := (Result{Report: rep}).WriteHTML(&loud, "a & b", 5); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(quiet.String(), "Quisenberry") || !strings.Contains(quiet.String(), "<h1>a &amp; b</h1>") {
		t.Error("the quiet page quotes the text or lacks its title")
	}
	if !strings.Contains(loud.String(), "<mark>&lt;b&gt;Quisenberry&lt;/b&gt;</mark>") {
		t.Error("the page does not show the miss, escaped")
	}
}
