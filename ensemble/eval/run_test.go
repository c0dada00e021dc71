package eval

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/eval/evaltest"
	"github.com/pgdeid/pgdeid/ensemble/eval/leakage"
	"github.com/pgdeid/pgdeid/ensemble/eval/peers"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

func TestRunReplaces(t *testing.T) {
	a, b := gold(t, "⟦Ann|PATIENT⟧ came"), gold(t, "saw ⟦May|DOCTOR⟧ today")
	found := fixed{a.Text: {{Start: a.Spans[0].Start, End: a.Spans[0].End, Type: a.Spans[0].Main}}, b.Text: nil}
	res, err := Run(t.Context(), found, ensembletest.Sequence(a, b, a), Options{Replace: putIn("Fox")})
	if err != nil {
		t.Fatal(err)
	}
	if l := res.Leakage; l == nil || l.Docs != 3 || l.Leaking != 1 || l.Groups["C"].Survived != 1 {
		t.Errorf("%+v", res.Leakage)
	}
	var table strings.Builder
	if err := res.WriteTable(&table, 0); err != nil || !strings.Contains(table.String(), "in 1 of 3 documents a word of group C is left") {
		t.Errorf("%v:\n%s", err, table.String())
	}
	b.ID = "b7"
	fails := func(*score.Document, []phi.Span) (leakage.Replaced, error) {
		return leakage.Replaced{}, errors.New("no key")
	}
	if _, err := Run(t.Context(), found, ensembletest.Sequence(b), Options{Replace: fails}); err == nil || !strings.Contains(err.Error(), "b7: no key") {
		t.Errorf("%v", err)
	}
}

func TestPeerRefusals(t *testing.T) {
	for name, tt := range map[string]struct {
		lines []string
		want  string
	}{
		"no id":                {[]string{`{"spans":[]}`}, `want an "id"`},
		"an id that is a list": {[]string{`{"id":["a"],"spans":[]}`}, `want an "id"`},
		"neither":              {[]string{`{"id":"a"}`}, `want "spans"`},
		"twice":                {[]string{`{"id":"a","spans":[]}`, `{"id":"a","spans":[]}`}, "line 2: document a is predicted twice"},
		"broken":               {[]string{`{"id":"a","spans":[]}`, `{"id":`}, "line 2: not valid JSON"},
		"no end":               {[]string{`{"id":"a","spans":[{"start":1}]}`}, `span 1: want "start" and "end"`},
		"both":                 {[]string{`{"id":"a","spans":[{"start":1,"end":2,"type":"DATE","label":"X"}]}`}, "either"},
		"not UTF-8":            {[]string{"{\"id\":\"a\",\"text\":\"\xff\"}"}, "UTF-8"},
		"empty":                {nil, "no predictions"},
		"out of range":         {[]string{`{"id":"a","spans":[{"start":20,"end":30}]}`}, "span 1: 20 to 30 is not within the text of 29"},
		"backwards":            {[]string{`{"id":"a","spans":[{"start":5,"end":2}]}`}, "not within"},
		"below 0":              {[]string{`{"id":"a","spans":[{"start":-1,"end":2}]}`}, "not within"},
		"no length":            {[]string{`{"id":"a","spans":[{"start":3,"end":3}]}`}, "is empty"},
		"other words":          {[]string{`{"id":"a","spans":[{"start":0,"end":3,"text":"Bob"}]}`}, "differs from the text at its offsets"},
		"unknown label":        {[]string{`{"id":"a","spans":[{"start":0,"end":3,"label":"WHO"}]}`}, "unknown label WHO"},
		"unknown type":         {[]string{`{"id":"a","spans":[{"start":0,"end":3,"type":"WHO"}]}`}, "WHO"},
		"another text":         {[]string{`{"id":"a","text":"Ann Lee saw Dr. June.","spans":[]}`}, "not the gold's"},
		"another redacted":     {[]string{`{"id":"a","text":"The weather was fine and nobody came to see it."}`}, "not this document's"},
		"all in one":           {[]string{`{"id":"a","text":""}`}, "not this document's"},
		"no such gold":         {[]string{`{"id":"a","spans":[]}`, `{"id":"b","spans":[]}`}, "1 of 2 predictions are for documents"},
		"missing":              {[]string{`{"id":"b","spans":[]}`}, "document a has no prediction"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := peerOf(t, false, tt.lines...)
			if err == nil {
				_, err = Run(t.Context(), p, p.Documents(ensembletest.Sequence(evaltest.PeerGold(t))), Options{})
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %s", err, tt.want)
			}
			for _, phi := range []string{"Ann", "Lee", "Salem", "June", "Bob"} {
				if strings.Contains(err.Error(), phi) {
					t.Errorf("the error quotes the text: %v", err)
				}
			}
		})
	}
}

func TestPartialPredictions(t *testing.T) {
	first, second := evaltest.PeerGold(t), evaltest.PeerGold(t)
	second.ID = "b"
	p, err := peerOf(t, true, `{"id":"b","spans":[{"start":0,"end":7,"type":"PATIENT"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), p, p.Documents(ensembletest.Sequence(first, second)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Docs != 1 || res.Groups["C"].Found != 2 || res.Elapsed != 0 || !strings.Contains(strings.Join(res.Remarks, " "),
		"1 of 2 documents have no prediction") {
		t.Errorf("%d documents, %+v, %v", res.Docs, res.Groups["C"].Counts, res.Remarks)
	}
	second.ID = "a"
	if _, err := Run(t.Context(), p, p.Documents(ensembletest.Sequence(first, second)), Options{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("the same id twice in the gold: %v", err)
	}
	if _, err := p.Detect(context.Background(), nil); err == nil {
		t.Error("a peer detects")
	}
}

// TestPeerIsScoredAsTheEnsembleIs checks that the ensemble's own spans, and its own redaction,
// score the same words when read as a peer's.
func TestPeerIsScoredAsTheEnsembleIs(t *testing.T) {
	h, err := synth.NewHospital(3, synth.Options{Patients: 10, Notes: 30})
	if err != nil {
		t.Fatal(err)
	}
	var docs []score.Document
	var spans, redacted []string
	own := score.NewScorer(false)
	for doc := range Synthetic(h) {
		var found []phi.Span
		for i, g := range doc.Spans {
			if i%3 > 0 && !g.Ignored() {
				found = append(found, phi.Span{Start: g.Start, End: g.End, Type: g.Main})
			}
		}
		found = peers.WithoutOverlap(found)
		own.Add(&doc, found)
		var text strings.Builder
		marks := []map[string]any{}
		at := 0
		for _, s := range found {
			start := utf8.RuneCountInString(doc.Text[:s.Start])
			end := start + utf8.RuneCountInString(doc.Text[s.Start:s.End])
			marks = append(marks, map[string]any{"start": start, "end": end, "type": s.Type.String()})
			text.WriteString(doc.Text[at:s.Start] + "[" + s.Type.String() + "]")
			at = s.End
		}
		text.WriteString(doc.Text[at:])
		spans = append(spans, lineOf(t, map[string]any{"id": doc.ID, "spans": marks}))
		redacted = append(redacted, lineOf(t, map[string]any{"id": doc.ID, "text": text.String()}))
		docs = append(docs, doc)
	}
	want := own.Report().Groups["all"]
	for name, lines := range map[string][]string{"spans": spans, "redacted": redacted} {
		p, err := peerOf(t, false, lines...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		res, err := Run(t.Context(), p, p.Documents(ensembletest.Sequence(docs...)), Options{Blind: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := res.Groups["all"]
		// Adjacent placeholders may divide words differently, and brackets in a note are taken for
		// placeholders.
		if diff := got.Found - want.Found; max(diff, -diff) > want.Gold/200 || got.False > want.Gold/50 || name == "spans" &&
			got.Counts != want.Counts {
			t.Errorf("%s: %+v, want %+v", name, got.Counts, want.Counts)
		}
	}
}

func lineOf(t *testing.T, line map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRecordReport(t *testing.T) {
	doc := withRecord(t, "⟦Ianna Quisenberry|PATIENT⟧ saw Dr. ⟦Elkington|DOCTOR⟧, MRN ⟦00482913|MEDICALRECORD⟧.")
	bare := gold(t, "Dr. ⟦Elkington|DOCTOR⟧ came.")
	_, found := ensembletest.Unmark(t, "⟦Ianna|PATIENT⟧ Quisenberry saw Dr. ⟦Elkington|DOCTOR⟧, MRN 00482913.")
	res, err := Run(t.Context(), fixed{doc.Text: found, bare.Text: nil}, ensembletest.Sequence(doc, bare, doc), Options{Cases: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &score.RecordReport{
		Docs: 2, Survivors: 4, SurvivorDocs: 2, In: score.Share{Gold: 6, Found: 2}, Out: score.Share{Gold: 2, Found: 2},
		Types: map[string]score.RecordType{
			"PATIENT":       {Class: "NAME", In: score.Share{Gold: 4, Found: 2}, Out: score.Share{}},
			"DOCTOR":        {Class: "NAME", In: score.Share{}, Out: score.Share{Gold: 2, Found: 2}},
			"MEDICALRECORD": {Class: "ID", In: score.Share{Gold: 2, Found: 0}, Out: score.Share{}},
		},
	}
	if diff := cmp.Diff(want, res.Record); diff != "" {
		t.Error(diff)
	}
	inRecord := 0
	for _, c := range res.Misses {
		if c.InRecord {
			inRecord++
		}
	}
	if inRecord != 4 || len(res.Misses) != 5 {
		t.Errorf("%d of %d misses in the record", inRecord, len(res.Misses))
	}
	var table, page strings.Builder
	if err := res.WriteTable(&table, 0); err != nil {
		t.Fatal(err)
	}
	if err := res.WriteHTML(&page, "t", 0); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "identifiers of it that survive: 4, in 2 documents") || !strings.Contains(page.String(),
		"4 of its identifiers survive, in 2 documents") {
		t.Error("a report does not list what survives")
	}
	if doc.Spans[0].Held {
		t.Error("the caller's document was changed")
	}
}

func TestNothingOfTheRecordSurvivesTheEnsemble(t *testing.T) {
	ens, err := ensemble.Default()
	if err != nil {
		t.Fatal(err)
	}
	doc := withRecord(t, "⟦Ianna Quisenberry|PATIENT⟧ of ⟦14 Orchard Rd|STREET⟧, ⟦Salem|CITY⟧, ⟦555 201 3344|PHONE⟧, MRN "+
		"⟦00482913|MEDICALRECORD⟧, born ⟦3/5/1950|DATE⟧. ⟦QUISENBERRY|PATIENT⟧ came.")
	for _, blind := range []bool{false, true} {
		res, err := Run(t.Context(), ens, ensembletest.Sequence(doc), Options{Blind: blind})
		if err != nil {
			t.Fatal(err)
		}
		if !blind && (res.Record.Survivors != 0 || res.Record.In.Missed() != 0) || res.Record.In.Gold < 10 {
			t.Errorf("blind %v: %+v", blind, res.Record)
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

func TestRun(t *testing.T) {
	a, b := gold(t, "⟦Ann|PATIENT⟧ came"), gold(t, "saw ⟦May|DOCTOR⟧ today")
	b.ID, b.Kind, b.Group = "b", "letter", "Asian"
	found := fixed{a.Text: {{Start: a.Spans[0].Start, End: a.Spans[0].End, Type: a.Spans[0].Main}}, b.Text: nil}
	ticks := 0
	res, err := Run(t.Context(), found, ensembletest.Sequence(a, b, a, b, a), Options{Workers: 3, Tick: func(int) { ticks++ }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Docs != 5 || ticks != 5 || res.Perfect != 3 || res.Groups["C"].Counts != (score.Counts{Gold: 5, Found: 3, Predicted: 3}) {
		t.Errorf("%d documents, %d ticks, %d perfect, %+v", res.Docs, ticks, res.Perfect, res.Groups["C"].Counts)
	}
	if len(res.Kinds) != 1 || res.Kinds[0].Name != "letter" || res.NameGroup[0].Gold != 2 {
		t.Errorf("slices: %+v %+v", res.Kinds, res.NameGroup)
	}
	c := gold(t, "unknown")
	c.ID = "c7"
	if _, err = Run(t.Context(), found, ensembletest.Sequence(a, c, b), Options{}); err == nil || !strings.Contains(err.Error(), "c7") {
		t.Errorf("error %v does not name the document", err)
	}
}
