package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/ensemble/eval/evaltest"
	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// peerOf reads lines of predictions.
func peerOf(t *testing.T, partial bool, lines ...string) (*Peer, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "theirs.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path, corpus.Auto, corpus.BuiltinLabels(), partial)
}

func quotes(doc *score.Document, spans []phi.Span) string {
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
			doc := evaltest.PeerGold(t)
			spans, err := p.Found(&doc)
			if got := quotes(&doc, spans); err != nil || got != tt.want {
				t.Errorf("%s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// TestUnalignedIsReported checks that a changed word counts as lost, never as found.
func TestUnalignedIsReported(t *testing.T) {
	doc := evaltest.Gold(t, "Seen today: ⟦Ann Lee|PATIENT⟧ walks well and has no pain at rest. ⟦May|DOCTOR⟧ agrees with the plan as it stands.")
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

// TestPeerFromFolder reads predictions in the formats of gold.
func TestPeerFromFolder(t *testing.T) {
	dir := t.TempDir()
	text := "Ann Lee saw Dr. May in Salem."
	for name, content := range map[string]string{"a.txt": text, "a.ann": "T1\tCITY 23 28\tSalem\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(dir, corpus.Auto, corpus.BuiltinLabels(), false)
	if err != nil {
		t.Fatal(err)
	}
	doc := evaltest.PeerGold(t)
	spans, err := p.Found(&doc)
	if got := quotes(&doc, spans); err != nil || got != "CITY=Salem" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestLongTextsAreAligned aligns a text as long as a book, and an unrelated one.
func TestLongTextsAreAligned(t *testing.T) {
	var marked, redacted strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&marked, "Visit %d: seen by Dr. ⟦Lee|DOCTOR⟧ for pain, stable. ", i)
		name := "[NAME]"
		if i%100 == 7 {
			name = "Lee"
		}
		fmt.Fprintf(&redacted, "Visit %d: seen by Dr. %s for pain, stable. ", i, name)
	}
	doc := evaltest.Gold(t, marked.String())
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
