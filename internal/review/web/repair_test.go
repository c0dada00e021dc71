package web

import (
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
)

// One place of a note is repaired, listed, and taken back by who repaired it or who rules over others.
func TestRepairHere(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen [Ann Lee] with Zorn.", "Second.")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	const path = "/rounds/3/notes/1/repair"
	for name, sent := range map[string]string{
		"no mark":                `x`,
		"what was found":         `{"s":5,"e":12,"t":"PATIENT","v":"right","f":0}`,
		"behind the text":        `{"s":18,"e":99,"t":"PATIENT","v":"missed"}`,
		"an unknown type":        `{"s":18,"e":22,"t":"X","v":"missed"}`,
		"found by nobody":        `{"s":5,"e":12,"t":"PATIENT","v":"wrong","f":1}`,
		"found at no place":      `{"s":5,"e":12,"t":"PATIENT","v":"wrong","f":-1}`,
		"another verdict's mark": `{"s":5,"e":12,"t":"DOCTOR","v":"wrong","f":0}`,
	} {
		if a := b.send(path, sent); a.status != 400 || len(s.repairs) > 0 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := b.send(path, `{"s":18,"e":22,"t":"DOCTOR","v":"missed"}`); a.status != 200 ||
		!strings.Contains(a.body, `{"id":1,"s":18,"e":22,"t":"DOCTOR","v":"missed","scope":"here"}`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := b.send(path, `{"s":5,"e":12,"t":"PATIENT","v":"wrong","f":0}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if r := s.repairs[1]; r.By != "ann" || r.Mark.Found == nil || r.Mark.Found.Type != "PATIENT" {
		t.Errorf("%v %+v", r, r.Mark)
	}
	if a := b.get("/rounds/3/notes/1"); !strings.Contains(a.body, `"repairs":[{"id":1,`) {
		t.Errorf("the note does not say what was repaired:\n%s", a.body)
	}
	ben := s.as(t, "ben")
	if a := ben.get("/repairs"); a.status != 200 || strings.Contains(a.body, "DOCTOR") {
		t.Errorf("a reviewer sees what another one repaired: %d\n%s", a.status, a.body)
	}
	if a := ben.post("/repairs/1/take-back", nil); a.status != 404 || s.repairs[0].TakenBy != "" {
		t.Errorf("a reviewer takes back what another one repaired: %d", a.status)
	}
	if a := s.browser(t).post("/repairs/1/take-back", nil); a.status != 401 || s.repairs[0].TakenBy != "" {
		t.Errorf("somebody without a session takes it back: %d", a.status)
	}
	if a := b.post("/repairs/1/take-back", nil); a.status != 303 || s.repairs[0].TakenBy != "ann" {
		t.Errorf("%d %v", a.status, s.repairs[0].TakenBy)
	}
	if a := b.post("/repairs/1/take-back", nil); a.status != 303 || s.repairs[0].TakenBy != "ann" {
		t.Errorf("taken back twice: %d", a.status)
	}
	s.repairs[1].Void = true
	office := s.as(t, "office")
	a := office.get("/repairs")
	for _, part := range []string{"taken back by ann", "no effect: the text has changed", "missed, DOCTOR", "/repairs/2/take-back"} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	if strings.Contains(a.body, "Zorn") || strings.Contains(s.log.String(), "Zorn") {
		t.Error("words of the note are on the page of repairs, or in the log")
	}
	if a := office.post("/repairs/2/take-back", nil); a.status != 303 || s.repairs[1].TakenBy != "office" {
		t.Errorf("a steward: %d", a.status)
	}
	for _, path := range []string{"/repairs/3/take-back", "/repairs/x/take-back", "/repairs/-1/take-back"} {
		if a := office.post(path, nil); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if !strings.Contains(s.log.String(), "a repair was taken back") {
		t.Error("the log does not say that a repair was taken back")
	}
}

// What is repaired at a place of another text is listed without its words.
func TestRepairOfAnotherText(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, "Seen Zorn.")
	b := s.as(t, "ann")
	b.post("/rounds/3/next", nil)
	b.get("/rounds/3/notes/1")
	b.send("/rounds/3/notes/1/repair", `{"s":5,"e":9,"t":"DOCTOR","v":"missed"}`)
	s.texts[0] = "Seen Zorn, and slept."
	s.repairs[0].Void = true
	if a := b.get("/rounds/3/notes/1"); !strings.Contains(a.body, `"void":true,"other":true`) {
		t.Errorf("%s", a.body)
	}
	if a := b.send("/rounds/3/notes/1/repair", `{"s":5,"e":9,"t":"DOCTOR","v":"missed"}`); a.status != 200 {
		t.Errorf("the text that is shown now: %d", a.status)
	}
	var one review.Repair
	if one.Void || !s.repairs[0].Void {
		t.Error("void is what the vault says")
	}
}
