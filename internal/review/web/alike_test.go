package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	for name, sent := range map[string]string{
		"no mark": "x", "right": `{"s":0,"e":4,"t":"PATIENT","v":"right"}`,
		"behind the last": `{"s":27,"e":38,"t":"PATIENT","v":"missed","from":5}`, "before the first": `{"s":27,"e":38,"t":"PATIENT","v":"missed","from":-1}`,
	} {
		if a := b.send(path, sent); a.status != 400 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := b.send(path, `{"s":0,"e":4,"t":"PATIENT","v":"missed"}`); a.status != 409 {
		t.Errorf("words of another sentence: %d", a.status)
	}
	a = b.send(path, `{"s":27,"e":38,"t":"PATIENT","v":"missed"}`)
	var part sentPart
	if err := json.Unmarshal([]byte(a.body), &part); err != nil || a.status != 200 || len(part.List) != 5 || part.All != 5 || part.Next != 0 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var got []string
	for _, one := range part.List {
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

// manyAlike are sentences of a cluster that needs three requests.
func manyAlike() []string {
	var texts []string
	for i := range 2*alikePart + 5 {
		texts = append(texts, fmt.Sprintf("Came with her nephew Grizzle%c%c to the ward.", 'a'+i/26, 'a'+i%26))
	}
	return texts
}

// decideAll sends a decision about a cluster, one request after the other as the page does, and returns what the last one answered.
func decideAll(b *browser, parts func(sentPart)) answer {
	from := 0
	for {
		a := b.send("/rounds/3/notes/1/alike", fmt.Sprintf(`{"s":21,"e":30,"t":"PATIENT","v":"missed","from":%d}`, from))
		var part sentPart
		if a.status != 200 || json.Unmarshal([]byte(a.body), &part) != nil {
			return a
		}
		parts(part)
		if from = part.Next; from == 0 {
			return a
		}
	}
}

// A decision about many sentences is made in parts, each of which says how far it has come. Made again, it repairs nothing twice.
func TestAlikeInParts(t *testing.T) {
	t.Parallel()
	texts := manyAlike()
	s := newClusters(t, texts...)
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	for range 2 {
		ids, most := map[int64]bool{}, 0
		decideAll(b, func(p sentPart) {
			most = max(most, len(p.List))
			for _, one := range p.List {
				ids[one.ID] = true
			}
			if p.All != len(texts) || len(s.repairs) < len(ids) {
				t.Errorf("%v after %d repairs", p, len(ids))
			}
		})
		if len(ids) != len(texts) || len(s.repairs) != len(texts) || most != alikePart {
			t.Errorf("%d sentences have repairs, of %d; %d in a request", len(ids), len(s.repairs), most)
		}
	}
	if page := b.get("/rounds/3/notes/1"); !strings.Contains(page.body, fmt.Sprintf("repaired something in %d of the notes", len(texts))) {
		t.Error("the page does not say how far it has come")
	}
}

// Where the databases fail, or the server goes, in the midst of a part, what was repaired is whole, and the same decision, made again on
// another server, goes on: every sentence is repaired once.
func TestAlikeCutOff(t *testing.T) {
	t.Parallel()
	texts := manyAlike()
	for _, after := range []int{0, 1, alikePart - 1, alikePart, alikePart + 7, len(texts) - 1} {
		s := newClusters(t, texts...)
		s.repairing = func(n int) error {
			if n == after {
				return errors.New("the connection is lost")
			}
			return nil
		}
		b := s.as(t, "ann")
		b.post("/rounds/3/next", nil)
		b.get("/rounds/3/notes/1")
		if a := decideAll(b, func(sentPart) {}); a.status != 500 || len(s.repairs) != after {
			t.Fatalf("cut off after %d: %d, %d repairs", after, a.status, len(s.repairs))
		}
		before := slices.Clone(s.repairs)
		s.repairing = nil
		next := s.restarted(t)
		b = next.as(t, "ann")
		page := b.get("/rounds/3/notes/1")
		if says := strings.Contains(page.body, "If a decision was cut off"); says != (after > 0) {
			t.Errorf("cut off after %d: the page says so: %t", after, says)
		}
		notes := map[string]int{}
		decideAll(b, func(sentPart) {})
		for _, r := range s.repairs {
			notes[r.Note.Row]++
			if notes[r.Note.Row] > 1 || r.TakenBy != "" {
				t.Errorf("cut off after %d: note %s is repaired again", after, r.Note.Row)
			}
		}
		if len(notes) != len(texts) || !slices.EqualFunc(before, s.repairs[:after], func(a, b review.Repair) bool { return a.ID == b.ID && a.At.Equal(b.At) }) {
			t.Errorf("cut off after %d: %d of %d notes", after, len(notes), len(texts))
		}
	}
}

// What was taken back, is another's, has no effect or says something else is decided anew.
func TestRepairedBefore(t *testing.T) {
	t.Parallel()
	a := review.Alike{Item: review.Item{Note: review.Note{Table: "ehr.note", Column: "body", Row: `["1"]`}}}
	m := review.Mark{Start: 2, End: 5, Type: "PATIENT", Verdict: review.Missed}
	for name, c := range map[string]struct {
		change func(*review.Repair)
		want   int64
	}{
		"the same":         {func(*review.Repair) {}, 7},
		"taken back":       {func(r *review.Repair) { r.TakenBy = "ann" }, 0},
		"of another":       {func(r *review.Repair) { r.By = "ben" }, 0},
		"without effect":   {func(r *review.Repair) { r.Void = true }, 0},
		"everywhere":       {func(r *review.Repair) { r.Scope = review.Everywhere }, 0},
		"another range":    {func(r *review.Repair) { r.Mark.End = 6 }, 0},
		"another type":     {func(r *review.Repair) { r.Mark.Type = "CITY" }, 0},
		"no PHI":           {func(r *review.Repair) { r.Mark.Verdict = review.Wrong }, 0},
		"of another text":  {func(r *review.Repair) { r.Text = []byte("other") }, 0},
		"of another note":  {func(r *review.Repair) { r.Note.Row = `["2"]` }, 0},
		"of another table": {func(r *review.Repair) { r.Note.Table = "ehr.letter" }, 0},
	} {
		s := newStation(t, nil, "x")
		r := review.Repair{ID: 7, Scope: review.Here, Note: a.Item.Note, By: "ann", Mark: m, Text: s.TextHash("a note")}
		c.change(&r)
		s.repairs = []review.Repair{r}
		got, err := s.repairedBefore(t.Context(), &visit{session: &session{name: "ann"}}, &a, "a note", &m)
		if err != nil || got != c.want {
			t.Errorf("%s: repair %d, %v, want %d", name, got, err, c.want)
		}
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
	if got := b.Text("#alike-count"); got != "3 of 3 sentences decided" {
		t.Errorf("%q", got)
	}
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
