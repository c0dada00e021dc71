package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/browsertest"
)

// newClusters is a station with a round of one cluster: a sentence of each text, in the order of these.
func newClusters(t testing.TB, texts ...string) *station {
	t.Helper()
	s := newStation(t, nil, texts...)
	s.round.Kind = review.Clusters
	for i, text := range texts {
		plain := strings.NewReplacer("[", "", "]", "").Replace(text)
		sentence := plain[strings.Index(plain, "Came"):]
		start := len([]rune(plain[:strings.Index(plain, "Came")]))
		key := fmt.Sprint(i + 1)
		it := review.Item{Round: 3, Place: 1, Member: i, Key: []string{key}, Patient: "4711", Note: review.Note{Table: "ehr.note", Column: "body", Row: `["` + key + `"]`}}
		s.alike = append(s.alike, review.Alike{Item: it, Start: start, End: len([]rune(plain)), Words: []byte(sentence)})
	}
	return s
}

var alikeTexts = []string{
	"Żółć. Came with her nephew Grizzlewood to the ward.", "Came with her nephew Vexterly Quill to the ward.", "𝒳. Came with her nephew Hobbs to the ward.",
	"Came alone to the clinic.", "Came with her nephew Zorn to the ward.",
}

// One decision holds in all sentences that are alike; each view of one is noted, and each repair can be taken back.
func TestAlike(t *testing.T) {
	t.Parallel()
	s := newClusters(t, alikeTexts...)
	s.texts[4] = "Changed since. " + s.texts[4]
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	a := b.get("/rounds/3/notes/1")
	for _, part := range []string{"4 sentences of other notes", "<li>Came with her nephew Vexterly Quill to the ward.</li>", "<li>Came alone to the clinic.</li>"} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if strings.Contains(a.body, "Zorn") || len(s.views) != 5 || s.views[1].Reader != "ann" {
		t.Errorf("what is not as it was is shown, or %d views are noted", len(s.views))
	}
	const path = "/rounds/3/notes/1/alike"
	for name, sent := range map[string]string{"no mark": "x", "right": `{"s":0,"e":4,"t":"PATIENT","v":"right"}`} {
		if a := b.send(path, sent); a.status != 400 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := b.send(path, `{"s":0,"e":4,"t":"PATIENT","v":"missed"}`); a.status != 409 {
		t.Errorf("words of another sentence: %d", a.status)
	}
	a = b.send(path, `{"s":27,"e":38,"t":"PATIENT","v":"missed"}`)
	var list []sentAlike
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.status != 200 || len(list) != 5 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var got []string
	for _, one := range list {
		got = append(got, strings.SplitN(one.State, ":", 2)[0]+" "+string([]rune(one.Text)[one.Start:one.End]))
	}
	if want := "repaired Grizzlewood|repaired Vexterly Quill|repaired Hobbs|left as it is |left as it is "; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if len(s.repairs) != 3 || s.repairs[2].Note.Row != `["3"]` || s.repairs[2].Mark.Start != 24 || s.repairs[2].By != "ann" {
		t.Errorf("%d repairs: %+v", len(s.repairs), s.repairs)
	}
	if strings.Contains(s.log.String(), "Hobbs") {
		t.Error("words of a note are in the log")
	}
}

func TestCounterpart(t *testing.T) {
	t.Parallel()
	found := &review.Span{Start: 2, End: 5, Type: "DATE"}
	for _, m := range []review.Mark{
		{Start: 2, End: 5, Type: "PATIENT", Verdict: review.Missed},
		{Start: 2, End: 5, Type: "DATE", Verdict: review.Wrong, Found: found},
		{Start: 2, End: 5, Type: "AGE", Verdict: review.Retyped, Found: found},
		{Start: 1, End: 5, Type: "DATE", Verdict: review.Resized, Found: found},
	} {
		c := counterpart(m, 7, 11)
		if err := review.Check([]review.Mark{c}, 11); err != nil || c.IsPHI() != m.IsPHI() || c.Type != m.Type {
			t.Errorf("%s: %+v, %v", m.Verdict, c, err)
		}
	}
}

// A cluster is decided by keys, shown, and taken back.
func TestAlikeByKeys(t *testing.T) {
	t.Parallel()
	s := newClusters(t, "Came with her nephew [Grizzlewood] to the ward.", alikeTexts[1], alikeTexts[3])
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Click(".rounds button")
	b.Wait("#alike li")
	b.Press("n", "x")
	b.Until(saved)
	b.Press("c")
	b.Until(`document.getElementById("saved").textContent.startsWith("Decided for all alike")`)
	if got := b.Text("#alike"); !strings.Contains(got, "Vexterly Quill") || strings.Count(got, "repaired") != 2 {
		t.Errorf("%s", got)
	}
	b.Click("#alike-back")
	b.Until(`document.getElementById("saved").textContent === "All of it is taken back."`)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.repairs {
		if r.TakenBy != "ann" || r.Mark.Verdict != review.Wrong {
			t.Errorf("%v: taken back by %q", r, r.TakenBy)
		}
	}
	if len(s.repairs) != 2 {
		t.Errorf("%d repairs", len(s.repairs))
	}
}
