package web

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func readAll(t testing.TB, r *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A person works through a round: takes a note, marks, finishes, and gets the next.
func TestReviewing(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn.", "Second.")
	b := s.as(t, "ann")
	if a := b.get("/"); a.status != 200 || !strings.Contains(a.body, "first") || !strings.Contains(a.body, "0 of 2 finished") {
		t.Errorf("%d\n%s", a.status, a.body)
	}
	if a := b.post("/rounds/3/next", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/1" {
		t.Fatalf("%d, %s", a.status, a.header)
	}
	a := b.get("/rounds/3/notes/1")
	for _, part := range []string{`Seen <mark class="mark name right"`, ">Ann Lee</mark> with Zorn.", "found by record and crf, 97 %", "Mo Doe</span> with Zorn."} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if a := b.send("/rounds/3/notes/1/save", `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":18,"e":22,"t":"DOCTOR","v":"missed"}]`); a.status != 204 {
		t.Errorf("save: %d %s", a.status, a.body)
	}
	if a := b.send("/rounds/3/notes/1/everywhere", `[18,22]`); a.status != 200 || !strings.Contains(a.body, `"scope":"everywhere"`) || len(s.heard) != 1 || s.heard[0] != "ehr_ann 1 Zorn" {
		t.Errorf("everywhere: %d %v", a.status, s.heard)
	}
	if a := b.send("/rounds/3/notes/1/seen", ""); a.status != 204 || s.views[0].Left.IsZero() {
		t.Errorf("seen: %d %v", a.status, s.views)
	}
	if a := b.get("/rounds/3/notes/1"); !strings.Contains(a.body, `mark name missed`) {
		t.Errorf("what was saved is not shown:\n%s", a.body)
	}
	if a := b.post("/rounds/3/notes/1/finish", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/2" {
		t.Errorf("finish: %d %s", a.status, a.body)
	}
	r := s.readings[at(1, "ann")]
	if r.FinishedAt.IsZero() || len(r.Marks) != 2 || r.Marks[0].Found == nil || r.Marks[1].Verdict != review.Missed ||
		len(r.Marks[1].Words) == 0 || len(r.Text) == 0 {
		t.Errorf("%+v", r)
	}
	if a := b.send("/rounds/3/notes/1/save", `[]`); a.status != 409 {
		t.Errorf("after it was finished: %d", a.status)
	}
	b.get("/rounds/3/notes/2")
	if a := b.post("/rounds/3/notes/2/finish", url.Values{"marks": {"[]"}}); a.header.Get("Location") != "/?done=3" {
		t.Errorf("the last note: %v", a.header)
	}
	if len(s.views) != 3 || s.views[2].Reader != "ann" || s.views[2].Outcome != store.Shown {
		t.Errorf("views %+v", s.views)
	}
}

// Where figures follow from a round, or two read it blind to each other, nobody is shown what people found since the draw.
func TestNotesAsDrawn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind    review.Kind
		readers int
		then    bool
	}{{review.Acceptance, 1, true}, {review.Acceptance, 2, true}, {review.Doubt, 1, false}, {review.Doubt, 2, true}} {
		s := newStation(t, nil, "Seen [Ann Lee].")
		s.round.Kind, s.round.Readers = c.kind, c.readers
		b := s.as(t, "ann")
		b.post("/rounds/3/next", nil)
		if a := b.get("/rounds/3/notes/1"); a.status != 200 || strings.Contains(a.body, "Kept back") {
			t.Errorf("%+v: %d", c, a.status)
		}
		if s.drawn.Equal(s.round.DrawnAt) != c.then || s.drawn.IsZero() == c.then {
			t.Errorf("%+v: read as of %s", c, s.drawn)
		}
		s.view = func(int) (review.View, error) {
			return review.View{Text: "Seen by Zorn.", Held: true, Absent: true}, nil
		}
		if a := b.get("/rounds/3/notes/1"); !strings.Contains(a.body, "Kept back") {
			t.Errorf("%+v: it does not say what is kept back", c)
		}
	}
}

// An adjudicator sees what two readers decided differently, not who they are, and what is decided then holds.
func TestSettling(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn on May 3.")
	text := s.TextHash("Seen Ann Lee with Zorn on May 3.")
	found := &review.Span{Start: 5, End: 12, Type: "PATIENT"}
	s.reviews = []review.Reading{
		{Reader: "ann", Text: text, Marks: []review.Mark{
			{Start: 5, End: 12, Type: "PATIENT", Verdict: review.Right, Found: found}, {Start: 18, End: 22, Type: "PATIENT", Verdict: review.Missed},
		}},
		{Reader: "ben", Text: text, Marks: []review.Mark{
			{Start: 5, End: 12, Type: "PATIENT", Verdict: review.Right, Found: found},
			{Start: 18, End: 22, Type: "DOCTOR", Verdict: review.Missed},
			{Start: 26, End: 31, Type: "DATE", Verdict: review.Missed},
		}},
	}
	b := s.as(t, "ruth")
	if a := b.post("/rounds/3/next", nil); a.status != 403 {
		t.Errorf("an adjudicator reviews: %d", a.status)
	}
	if a := s.as(t, "ann").post("/rounds/3/settle", nil); a.status != 403 {
		t.Errorf("a reviewer settles: %d", a.status)
	}
	if a := b.post("/rounds/3/settle", nil); a.status != 303 || a.header.Get("Location") != "/rounds/3/notes/1" {
		t.Fatalf("%d %v", a.status, a.header)
	}
	a := b.get("/rounds/3/notes/1")
	for _, part := range []string{"<strong>Zorn</strong>: PATIENT says one, DOCTOR the other", "<strong>May 3</strong>: no PHI says one, DATE the other", `<mark class="mark time missed"`} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if strings.Contains(a.body, "ben") || strings.Contains(a.body, ">ann<") {
		t.Error("the page says who they are")
	}
	if a := b.post("/rounds/3/notes/1/finish", url.Values{"marks": {`[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":18,"e":22,"t":"DOCTOR","v":"missed"}]`}}); a.header.Get("Location") != "/?done=3" {
		t.Errorf("%d %v", a.status, a.header)
	}
	if r := s.readings[at(1, "ruth")]; r.Part != review.Adjudicator || len(r.Marks) != 2 || r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
	if a := b.get("/?done=3"); !strings.Contains(a.body, "Nothing is left for you in first") {
		t.Error("the page does not say that nothing is left")
	}
}

// Marks that do not fit the note or what was found in it are refused, whatever a browser says was found.
func TestMarksAreChecked(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn.")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	for name, marks := range map[string]string{
		"no JSON":                   `{`,
		"nothing of what was found": `[]`,
		"found twice":               `[{"s":0,"e":4,"t":"PATIENT","v":"resized","f":0},{"s":5,"e":12,"t":"PATIENT","v":"right","f":0}]`,
		"never found":               `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":7}]`,
		"another range":             `[{"s":0,"e":3,"t":"PATIENT","v":"right","f":0}]`,
		"behind the text":           `[{"s":5,"e":12,"t":"PATIENT","v":"right","f":0},{"s":20,"e":900,"t":"DATE","v":"missed"}]`,
		"unknown type":              `[{"s":5,"e":12,"t":"<script>","v":"retyped","f":0}]`,
		"unknown verdict":           `[{"s":5,"e":12,"t":"PATIENT","v":"perhaps","f":0}]`,
	} {
		if a := b.send("/rounds/3/notes/1/save", marks); a.status != 400 || strings.Contains(a.body, "Ann Lee") {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if r := s.readings[at(1, "ann")]; len(r.Marks) != 0 {
		t.Errorf("stored: %+v", r.Marks)
	}
}

// Without a script, a note is finished with what was found.
func TestFinishWithoutScript(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	b.post("/rounds/3/notes/1/finish", url.Values{"marks": {""}})
	if r := s.readings[at(1, "ann")]; len(r.Marks) != 1 || r.Marks[0].Verdict != review.Right || r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	for words, ok := range map[string]bool{
		"reviewer": true, "reviewer steward adjudicator source=ehr_ann": true, "": false, "source=x": false, "reviewer source=": false, "root": false,
		"reviewer=1": false, "tables=detect reviewer": false,
	} {
		if r, err := ParseRights(strings.Fields(words)); (err == nil) != ok || err == nil && !r.Has(Reviewer) {
			t.Errorf("%q: %v, %v", words, r, err)
		}
	}
	if line, err := Words([]string{"reviewer"}, "ehr_ann"); err != nil || line != "reviewer source=ehr_ann" {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := Words([]string{"reviewer"}, "two words"); err == nil {
		t.Error("a role with a blank")
	}
}

func TestSegments(t *testing.T) {
	t.Parallel()
	class := func(int) (string, string) { return "c", "l" }
	spans := []review.Span{{Start: 0, End: 2}, {Start: 1, End: 3}, {Start: 3, End: 5}, {Start: 6, End: 99}}
	var got []string
	for _, g := range segments([]rune("äbcde fg"), spans, class) {
		mark := ""
		if g.Span != nil {
			mark = "*"
		}
		got = append(got, g.Text+mark)
	}
	if strings.Join(got, "|") != "äb*|c|de*| fg" {
		t.Errorf("%q", got)
	}
}

// Who bears a name is guessed when marks are stored, of what the reader marked and also where nothing is sent but that the note is
// finished; the page is not told.
func TestBearersAreStored(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Maria Garcia] with John Nguyen in Boston.", "Seen [Keisha Washington].")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	sent := `[{"s":5,"e":17,"t":"PATIENT","v":"right","f":0},{"s":23,"e":34,"t":"DOCTOR","v":"missed"},{"s":38,"e":44,"t":"CITY","v":"missed"}]`
	if a := b.send("/rounds/3/notes/1/save", sent); a.status != 204 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.post("/rounds/3/notes/1/finish", nil)
	b.get("/rounds/3/notes/2")
	b.post("/rounds/3/notes/2/finish", nil)
	var got []review.Bearer
	for place := range 2 {
		r := s.reading(place + 1)
		for _, m := range r.Marks {
			got = append(got, m.Bearer)
			if len(m.Words) == 0 || r.FinishedAt.IsZero() {
				t.Errorf("note %d: %+v", place+1, m)
			}
		}
	}
	if want := []review.Bearer{"hf", "am", "", "bf"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if page := b.get("/rounds/3/notes/1"); strings.Contains(page.body, `"hf"`) {
		t.Error("the page has what was guessed")
	}
}
