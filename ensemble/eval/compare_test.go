package eval

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/evaltest"
	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/peers"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// runOf scores documents of "Ann saw May", in which the names of every n-th are found.
func runOf(t *testing.T, docs, patients, doctors, alarms int) Result {
	t.Helper()
	s := score.NewScorer(false)
	for i := range docs {
		doc := gold(t, "⟦Ann|PATIENT⟧ saw Dr. ⟦May|DOCTOR⟧ in spring"+strings.Repeat("!", i%7))
		var found []phi.Span
		for at, every := range []int{patients, doctors} {
			if i%every == 0 {
				name := doc.Spans[at]
				found = append(found, phi.Span{Start: name.Start, End: name.End, Type: name.Main})
			}
		}
		if alarms > 0 && i%alarms == 0 {
			at := strings.Index(doc.Text, "spring")
			found = append(found, phi.Span{Start: at, End: at + 6, Type: phi.Patient})
		}
		s.Add(&doc, found)
	}
	return Result{Report: s.Report()}
}

func TestCompare(t *testing.T) {
	before, after := runOf(t, 200, 2, 1, 0), runOf(t, 200, 1, 1, 4)
	c, err := Compare(before, after, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]Change{}
	for _, r := range c.Rows {
		rows[r.Name] = r
	}
	p := rows["PATIENT"]
	if !c.Paired || p.Recall.By != 0.5 || !p.Recall.Rose() || !p.Precision.Fell(0) || p.Recall.CI[0] < 0.4 || p.Recall.CI[1] > 0.6 {
		t.Errorf("PATIENT: %+v", p)
	}
	if d := rows["DOCTOR"]; d.Recall.Rose() || d.Recall.Fell(0) || d.Recall.CI != [2]float64{} || d.Precision.Fell(0) {
		t.Errorf("DOCTOR: %+v", d)
	}
	if got := strings.Join(c.Fell(), ", "); got != "precision of group C, precision of group all, precision of class NAME, "+
		"precision of score i2b2 strict, "+
		"precision of score HIPAA binary tokens, precision of PATIENT" {
		t.Errorf("fell: %s", got)
	}
	if tolerant, err := Compare(before, after, 0.5); err != nil || len(tolerant.Fell()) != 0 {
		t.Errorf("with a tolerance of half fell %v, %v", tolerant.Fell(), err)
	}
	var table strings.Builder
	if err := c.WriteTable(&table); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200 documents", "+50.00", "rose: recall of group C", "fell: precision of group C"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
}

func TestARunIsNoWorseThanItself(t *testing.T) {
	run := runOf(t, 50, 2, 3, 5)
	c, err := Compare(run, run, 0)
	if err != nil || len(c.Fell()) != 0 || len(c.rose()) != 0 {
		t.Errorf("%v %v", c.Fell(), err)
	}
}

// TestSmallChangesAreNoProof checks that one name among many documents is not significant.
func TestSmallChangesAreNoProof(t *testing.T) {
	before, after := runOf(t, 100, 1, 1, 0), runOf(t, 100, 1, 1, 0)
	q := after.Notes[7].Types["PATIENT"]
	q.Found--
	after.Notes[7].Types["PATIENT"] = q
	row := after.Types["PATIENT"]
	row.Found--
	after.Types["PATIENT"] = row
	c, err := Compare(before, after, 0)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Rows, func(r Change) bool { return r.Name == "PATIENT" })
	if d := c.Rows[i].Recall; d.By >= 0 || d.Fell(0) {
		t.Errorf("%+v", d)
	}
}

func TestCompareRefusesDifferentDocuments(t *testing.T) {
	run := runOf(t, 20, 1, 1, 0)
	other := runOf(t, 20, 1, 1, 0)
	other.Notes[3].Bytes++
	gold := runOf(t, 20, 1, 1, 0)
	gold.Notes[4].Types["PATIENT"] = score.Quad{Gold: 2, Found: 1, Predicted: 1}
	for want, b := range map[string]Result{
		"different documents": runOf(t, 21, 1, 1, 0), "number 4 has": other, "different gold: document number 5 differs in PATIENT": gold,
	} {
		if _, err := Compare(run, b, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestCompareWithoutNotesHasNoIntervals(t *testing.T) {
	before, after := runOf(t, 20, 1, 1, 0), runOf(t, 20, 2, 1, 0)
	before.Notes = nil
	c, err := Compare(before, after, 0)
	if err != nil || c.Paired {
		t.Fatalf("%v %v", c.Paired, err)
	}
	var table strings.Builder
	if err := c.WriteTable(&table); err != nil || !strings.Contains(table.String(), "saved without the counts") {
		t.Errorf("%v:\n%s", err, table.String())
	}
	if len(c.Fell()) != 0 {
		t.Errorf("without intervals %v fell", c.Fell())
	}
}

// TestCompareWithAnOlderResult checks that a result without entities by track and errors by
// category is compared in its other rows.
func TestCompareWithAnOlderResult(t *testing.T) {
	before, after := runOf(t, 20, 2, 1, 0), runOf(t, 20, 1, 1, 0)
	before.I2B2, before.Errors = nil, score.ErrorReport{}
	for i := range before.Notes {
		before.Notes[i].Scores = nil
	}
	for _, pair := range [][2]Result{{before, after}, {after, before}} {
		c, err := Compare(pair[0], pair[1], 0)
		if err != nil || !c.Paired || len(c.Errors) != 0 ||
			slices.ContainsFunc(c.Rows, func(r Change) bool { return strings.HasPrefix(r.Name, scorePrefix) }) {
			t.Errorf("%v: %+v", err, c)
		}
	}
}

func TestCompareListsErrors(t *testing.T) {
	c, err := Compare(runOf(t, 20, 2, 1, 0), runOf(t, 20, 4, 2, 0), 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []ErrorChange{{"patient name", 10, 15}, {"doctor or nurse name or initial", 0, 10}}
	if diff := cmp.Diff(want, c.Errors); diff != "" {
		t.Error(diff)
	}
	if c.NotesWith != (ErrorChange{"notes with errors", 10, 15}) {
		t.Errorf("%+v", c.NotesWith)
	}
}

func TestJSONKeepsWhatAComparisonNeeds(t *testing.T) {
	h, err := synth.NewHospital(4, synth.Options{Patients: 10, Notes: 30})
	if err != nil {
		t.Fatal(err)
	}
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), ens, Synthetic(h), Options{Ablation: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadResult(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(res, back, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Trial{})); diff != "" {
		t.Error(diff)
	}
	c, err := Compare(res, back, 0)
	if err != nil || !c.Paired {
		t.Fatalf("%v", err)
	}
	checkSums(t, res)
}

// checkSums checks that the counts of the documents add up to those of the report.
func checkSums(t *testing.T, res Result) {
	t.Helper()
	sums := map[string]score.Counts{}
	for _, n := range res.Notes {
		for name, counts := range rowsOf(n) {
			sum := sums[name]
			sum.Add(counts)
			sums[name] = sum
		}
	}
	for name, row := range res.Types {
		if sums[name] != row.Counts() {
			t.Errorf("%s: %+v of the documents, %+v of the report", name, sums[name], row.Counts())
		}
	}
	for _, g := range []score.Group{score.C, score.All} {
		if sums[groupPrefix+g.String()] != res.Groups[g.String()].Counts {
			t.Errorf("group %s: %+v", g, sums[groupPrefix+g.String()])
		}
	}
}

func TestReadResultErrors(t *testing.T) {
	for in, want := range map[string]string{
		"": "EOF", "{": "EOF", "{}": "no result", `{"docs":"secret"}`: `docs": want a int`, "secret": "not valid JSON",
		`{"notes":[{"types":{"DATE":[1]}}]}`: "four numbers",
	} {
		if _, err := ReadResult(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

func TestAblation(t *testing.T) {
	ens, err := ensemble.New(ensemble.Options{Detectors: []string{"patterns", "directory"}})
	if err != nil {
		t.Fatal(err)
	}
	doc := gold(t, "Seen by Dr. ⟦Quisenberry|DOCTOR⟧ on ⟦3/5/2014|DATE⟧.")
	res, err := Run(t.Context(), ens, ensembletest.Sequence(doc, doc),
		Options{Ablation: true, Directory: record.NewGazetteer(record.Record{record.ProviderName: {"Ann Quisenberry"}})})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, trial := range res.Ablation {
		c := trial.Groups["C"]
		got = append(got, fmt.Sprintf("%s %d/%d NAME %d", trial.Name, c.Found, c.Gold, trial.Classes["NAME"].Found))
	}
	want := []string{
		"all 4/4 NAME 2", "only patterns 2/4 NAME 0", "only directory 2/4 NAME 2", "without patterns 2/4 NAME 2", "without directory 2/4 NAME 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"patterns", "directory"}, res.Members); diff != "" {
		t.Error(diff)
	}
	var table, page strings.Builder
	if err := res.WriteTable(&table, 0); err != nil || !strings.Contains(table.String(), "without directory") {
		t.Errorf("%v", err)
	}
	if err := res.WriteHTML(&page, "t", 0); err != nil || !strings.Contains(page.String(), ">without directory</th>") {
		t.Errorf("%v", err)
	}
	if _, err := Run(t.Context(), fixed{}, ensembletest.Sequence[score.Document](), Options{Ablation: true}); err == nil {
		t.Error("an ablation of what has no members")
	}
}

// gold builds a document from text in which each ⟦words|TYPE⟧ is a span.
func gold(t *testing.T, marked string) score.Document {
	t.Helper()
	doc := evaltest.Gold(t, marked)
	for i := range doc.Spans {
		doc.Spans[i].Exact = false // labels of others
	}
	return doc
}

// peerOf reads lines of predictions.
func peerOf(t *testing.T, partial bool, lines ...string) (*peers.Peer, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "theirs.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return peers.Read(path, corpus.Auto, corpus.BuiltinLabels(), partial)
}

// putIn replaces the finds by fixed texts, in order.
func putIn(with ...string) leakage.Replacer {
	return func(doc *score.Document, found []phi.Span) (leakage.Replaced, error) {
		var b strings.Builder
		var out leakage.Replaced
		at := 0
		for i, s := range found {
			b.WriteString(doc.Text[at:s.Start])
			start := utf8.RuneCountInString(b.String())
			b.WriteString(with[i%len(with)])
			out.Surrogates = append(out.Surrogates, leakage.Surrogate{Start: start, End: utf8.RuneCountInString(b.String()), Was: phi.Range{Start: s.Start, End: s.End}})
			at = s.End
		}
		b.WriteString(doc.Text[at:])
		out.Text = b.String()
		return out, nil
	}
}

func withRecord(t *testing.T, marked string) score.Document {
	t.Helper()
	doc := gold(t, marked)
	doc.Patient = record.Record{
		record.NameFirst: {"Ianna"}, record.NameLast: {"Quisenberry"}, record.Phone: {"(555) 201-3344"}, record.MRN: {"00482913"},
		record.Street: {"14 Orchard Road"}, record.City: {"Salem"}, record.BirthDate: {"1950-03-05"},
	}
	return doc
}

func report(t *testing.T, goldText, foundText string) score.Report {
	t.Helper()
	doc := gold(t, goldText)
	text, found := ensembletest.Unmark(t, foundText)
	if text != doc.Text {
		t.Fatalf("the case has two texts: %q and %q", doc.Text, text)
	}
	s := score.NewScorer(true)
	s.Add(&doc, found)
	return s.Report()
}
