package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// peerOf reads lines of predictions.
func peerOf(t *testing.T, partial bool, lines ...string) (*Peer, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "theirs.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadPeer(path, corpus.Auto, corpus.BuiltinLabels(), partial)
}

// peerGold is "Ann Lee saw Dr. May in Salem." with id a.
func peerGold(t *testing.T) Document {
	t.Helper()
	doc := gold(t, "[PATIENT|Ann Lee] saw Dr. [DOCTOR|May] in [CITY|Salem].")
	doc.ID = "a"
	return doc
}

func quotes(doc *Document, spans []phi.Span) string {
	var out []string
	for _, s := range spans {
		out = append(out, s.Type.String()+"="+doc.Text[s.Start:s.End])
	}
	return strings.Join(out, "|")
}

func TestPeerForms(t *testing.T) {
	for name, tt := range map[string]struct{ line, want string }{
		"types": {`{"id":"a","spans":[{"start":0,"end":7,"type":"PATIENT"}]}`, "PATIENT=Ann Lee"},
		"labels": {
			`{"id":"a","spans":[{"start":16,"end":19,"label":"person"},{"start":0,"end":3,"label":"PERSON"}]}`,
			"PATIENT=Ann|DOCTOR=May",
		},
		"no labels": {`{"id":"a","spans":[{"start":8,"end":11},{"start":23,"end":28}]}`, "IDNUM=saw|CITY=Salem"},
		"with text": {
			`{"id":"a","text":"Ann Lee saw Dr. May in Salem.","spans":[{"start":23,"end":28,"label":"CITY","text":"Salem"}]}`,
			"CITY=Salem",
		},
		"overlap":  {`{"id":"a","spans":[{"start":0,"end":7,"type":"PATIENT"},{"start":4,"end":11,"type":"DOCTOR"},{"start":1,"end":2,"type":"DATE"}]}`, "PATIENT=Ann Lee|DOCTOR= saw"},
		"nothing":  {`{"id":"a","spans":[]}`, ""},
		"brackets": {`{"id":"a","text":"[NAME] saw Dr. [NAME] in [LOCATION]."}`, "PATIENT=Ann Lee|DOCTOR=May|CITY=Salem"},
		"mimic": {
			`{"id":"a","text":"[**Known patient name 3**] saw Dr. [**Last Name (un) 12**] in [**Location**]."}`,
			"PATIENT=Ann Lee|DOCTOR=May|CITY=Salem",
		},
		"stars":         {`{"id":"a","text":"*** saw Dr. *** in ***."}`, "PATIENT=Ann Lee|DOCTOR=May|CITY=Salem"},
		"angles":        {`{"id":"a","text":"<PHI> saw Dr. <PHI> in <PHI>."}`, "PATIENT=Ann Lee|DOCTOR=May|CITY=Salem"},
		"crosses":       {`{"id":"a","text":"XXXX XXXX saw Dr. XXXXX in XXXX."}`, "PATIENT=Ann|PATIENT=Lee|DOCTOR=May|CITY=Salem"},
		"same length":   {`{"id":"a","text":"*** *** saw Dr. *** in *****."}`, "PATIENT=Ann|PATIENT=Lee|DOCTOR=May|CITY=Salem"},
		"one is left":   {`{"id":"a","text":"[NAME] saw Dr. May in [LOCATION]."}`, "PATIENT=Ann Lee|CITY=Salem"},
		"too much":      {`{"id":"a","text":"[NAME] saw [NAME] in Salem."}`, "PATIENT=Ann Lee|DOCTOR=Dr. May"},
		"in lower case": {`{"id":"a","text":"[name] saw dr. may in salem ."}`, "PATIENT=Ann Lee"},
		"untouched":     {`{"id":"a","text":"Ann Lee saw Dr. May in Salem."}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := peerOf(t, false, tt.line)
			if err != nil {
				t.Fatal(err)
			}
			doc := peerGold(t)
			spans, err := p.Found(&doc)
			if got := quotes(&doc, spans); err != nil || got != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestUnalignedIsReported checks that a changed word counts as lost, never as found.
func TestUnalignedIsReported(t *testing.T) {
	doc := gold(t, "Seen today: [PATIENT|Ann Lee] walks well and has no pain at rest. [DOCTOR|May] agrees with the plan as it stands.")
	doc.ID = "a"
	for name, tt := range map[string]struct {
		text           string
		want           string
		lost, inserted int64
	}{
		"a surrogate": {
			"Seen today: Bo Kim walks well and has no pain at rest. [NAME] agrees with the plan as it stands.", "DOCTOR=May",
			2, 2,
		},
		"gone": {"Seen today: walks well and has no pain at rest. [NAME] agrees with the plan as it stands.", "DOCTOR=May", 2, 0},
		"an empty one": {
			"Seen today: [NAME] walks well and has no pain at rest. [NAME] agrees with the [X] plan as it stands.",
			"PATIENT=Ann Lee|DOCTOR=May", 0, 0,
		},
		"a word came": {
			"Seen today: [NAME] walks very well and has no pain at rest. [NAME] agrees with the plan as it stands.",
			"PATIENT=Ann Lee|DOCTOR=May", 0, 1,
		},
		"half a word left": {
			"Seen today: [NAME]n Lee walks well and has no pain at rest. [NAME] agrees with the plan as it stands.",
			"DOCTOR=May", 1, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := peerOf(t, false, fmt.Sprintf(`{"id":"a","text":%q}`, tt.text))
			if err != nil {
				t.Fatal(err)
			}
			spans, err := p.Found(&doc)
			if err != nil {
				t.Fatal(err)
			}
			if name == "half a word left" { // the extent of the placeholder is ambiguous; readable text is not found
				if got := quotes(&doc, spans); strings.Contains(got, "Lee") {
					t.Errorf("found %s, which is still in the text", got)
				}
				return
			}
			if got := quotes(&doc, spans); got != tt.want || p.lost.Load() != tt.lost || p.inserted.Load() != tt.inserted {
				t.Errorf("%s, %d lost, %d inserted; want %s, %d, %d", got, p.lost.Load(), p.inserted.Load(), tt.want, tt.lost, tt.inserted)
			}
			remarks := strings.Join(p.Remarks(), " ")
			if tt.lost+tt.inserted > 0 != strings.Contains(remarks, "could not be aligned") {
				t.Errorf("remarks: %s", remarks)
			}
		})
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
				_, err = Run(t.Context(), p, p.Documents(sequence(peerGold(t))), Options{})
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
	first, second := peerGold(t), peerGold(t)
	second.ID = "b"
	p, err := peerOf(t, true, `{"id":"b","spans":[{"start":0,"end":7,"type":"PATIENT"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), p, p.Documents(sequence(first, second)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Docs != 1 || res.Groups["C"].Found != 2 || res.Elapsed != 0 || !strings.Contains(strings.Join(res.Remarks, " "),
		"1 of 2 documents have no prediction") {
		t.Errorf("%d documents, %+v, %v", res.Docs, res.Groups["C"].Counts, res.Remarks)
	}
	second.ID = "a"
	if _, err := Run(t.Context(), p, p.Documents(sequence(first, second)), Options{}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("the same id twice in the gold: %v", err)
	}
	if _, err := p.Detect(context.Background(), nil); err == nil {
		t.Error("a peer detects")
	}
}

// TestPeerFromFolder reads predictions in the formats of gold.
func TestPeerFromFolder(t *testing.T) {
	dir := t.TempDir()
	text := "Ann Lee saw Dr. May in Salem."
	for name, content := range map[string]string{"a.txt": text, "a.ann": "T1\tCITY 23 28\tSalem\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ReadPeer(dir, corpus.Auto, corpus.BuiltinLabels(), false)
	if err != nil {
		t.Fatal(err)
	}
	doc := peerGold(t)
	spans, err := p.Found(&doc)
	if got := quotes(&doc, spans); err != nil || got != "CITY=Salem" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestPeerIsScoredAsTheEnsembleIs checks that the ensemble's own spans, and its own redaction,
// score the same words when read as a peer's.
func TestPeerIsScoredAsTheEnsembleIs(t *testing.T) {
	h, err := synth.NewHospital(3, synth.Options{Patients: 10, Notes: 30})
	if err != nil {
		t.Fatal(err)
	}
	var docs []Document
	spans, redacted := &Peer{byID: map[string]prediction{}}, &Peer{byID: map[string]prediction{}}
	own := NewScorer(false)
	for doc := range Synthetic(h) {
		var found []phi.Span
		for i, g := range doc.Spans {
			if i%3 > 0 && !g.Ignored() {
				found = append(found, phi.Span{Start: g.Start, End: g.End, Type: g.Main})
			}
		}
		found = withoutOverlap(found)
		own.Add(&doc, found)
		var pred prediction
		var text strings.Builder
		at := 0
		for _, s := range found {
			pred.marks = append(pred.marks, peerMark{Mark: corpus.Mark{Start: s.Start, End: s.End, Label: s.Type.String(), Exact: true}})
			text.WriteString(doc.Text[at:s.Start] + "[" + s.Type.String() + "]")
			at = s.End
		}
		text.WriteString(doc.Text[at:])
		spans.byID[doc.ID] = pred
		redacted.byID[doc.ID] = prediction{text: text.String(), redacted: true}
		docs = append(docs, doc)
	}
	want := own.Report().Groups["all"]
	for name, p := range map[string]*Peer{"spans": spans, "redacted": redacted} {
		p.labels = corpus.BuiltinLabels()
		res, err := Run(t.Context(), p, p.Documents(sequence(docs...)), Options{Blind: true})
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

// TestLongTextsAreAligned aligns a text as long as a book, and an unrelated one.
func TestLongTextsAreAligned(t *testing.T) {
	var marked, redacted strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&marked, "Visit %d: seen by Dr. [DOCTOR|Lee] for pain, stable. ", i)
		name := "[NAME]"
		if i%100 == 7 {
			name = "Lee"
		}
		fmt.Fprintf(&redacted, "Visit %d: seen by Dr. %s for pain, stable. ", i, name)
	}
	doc := gold(t, marked.String())
	doc.ID = "a"
	p := &Peer{byID: map[string]prediction{"a": {text: redacted.String(), redacted: true}}, labels: corpus.BuiltinLabels()}
	spans, err := p.Found(&doc)
	if err != nil {
		t.Fatal(err)
	}
	if len(spans) != 1188 || p.lost.Load()+p.inserted.Load() != 0 {
		t.Errorf("%d spans, %d and %d words not aligned", len(spans), p.lost.Load(), p.inserted.Load())
	}
	for _, s := range spans {
		if doc.Text[s.Start:s.End] != "Lee" || s.Type != phi.Doctor {
			t.Fatalf("%v", s)
		}
	}
	p.byID["a"] = prediction{text: strings.Repeat("Nothing of this was ever said. ", 3000), redacted: true}
	if _, err := p.Found(&doc); err == nil || !strings.Contains(err.Error(), "differs in too much") {
		t.Errorf("another text: %v", err)
	}
}

// FuzzAlign checks that covers are in range, in order and disjoint, and that each gold token is
// covered, lost or equal to a token of the other text.
func FuzzAlign(f *testing.F) {
	f.Add("Ann Lee saw Dr. May", "[NAME] saw Dr. [NAME]")
	f.Add("a b c a b c", "*** b *** XXXX")
	f.Add("", "[X]")
	f.Add("[NAME] of ***", "[NAME] of ***")
	f.Add("\xbf", "0")
	f.Fuzz(func(t *testing.T, text, redacted string) {
		if len(text) > 400 || len(redacted) > 400 {
			return
		}
		gold, other := tokensOf(text), tokensOf(redacted)
		a, err := align(gold, other)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(a.covers, func(x, y cover) int { return x.at - y.at })
		covered, last := 0, 0
		for i, c := range a.covers {
			if c.from < last || c.to < c.from || c.to > len(gold) || !other[c.at].holds || i > 0 && a.covers[i-1].at == c.at {
				t.Fatalf("%+v of %d tokens", a.covers, len(gold))
			}
			covered += c.to - c.from
			last = c.to
		}
		same := len(gold) - covered - a.lost
		if same < 0 || same != len(other)-len(a.covers)-a.inserted {
			t.Fatalf("%d gold tokens: %d covered, %d lost; %d others: %d placeholders, %d inserted", len(gold), covered, a.lost, len(other),
				len(a.covers), a.inserted)
		}
		for _, tok := range gold {
			if tok.start >= tok.end || tok.end > len(text) {
				t.Fatalf("token %+v", tok)
			}
		}
	})
}
