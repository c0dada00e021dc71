package web

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/internal/review/browsertest"
)

// newHarvest is a station with a file of proposals.
func newHarvest(t testing.TB, people int, texts ...string) (*station, string) {
	t.Helper()
	var list []harvest.Proposal
	for _, text := range texts {
		list = append(list, harvest.Proposal{
			ID: harvest.IDOf(harvest.Sentence, text), Kind: harvest.Sentence, Text: text, Notes: 97, Patients: 11, Authors: 5, Suspect: len(list) == 0,
		})
	}
	path := filepath.Join(t.TempDir(), "proposals.jsonl")
	if err := harvest.WriteProposals(path, list); err != nil {
		t.Fatal(err)
	}
	panel, err := harvest.OpenPanel(path, people)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = panel.Close() })
	return newStation(t, func(o *Options) { o.Harvest = []Proposals{panel} }, "A note."), path
}

func saying(number, say string) url.Values { return url.Values{"number": {number}, "say": {say}} }

func TestHarvest(t *testing.T) {
	t.Parallel()
	s, path := newHarvest(t, 2, "Seen by Brown.", "No acute <b>distress</b>.", "Lungs clear.")
	vera, wil := s.as(t, "vera"), s.as(t, "wil")
	if a := vera.get("/"); a.status != 303 || a.header.Get("Location") != "/harvest" {
		t.Errorf("who only verifies is led elsewhere: %d", a.status)
	}
	if a := vera.get("/harvest"); !strings.Contains(a.body, "each to be verified by 2 people") || strings.Contains(a.body, "Brown") {
		t.Errorf("%s", a.body)
	}
	a := vera.get("/harvest/1")
	for _, part := range []string{"Seen by Brown.", "in 97 notes, of 11 patients", "a detector sees PHI in it", "words that are names too: Brown", "no PHI in it?"} {
		if !strings.Contains(a.body, part) {
			t.Errorf("no %q in\n%s", part, a.body)
		}
	}
	for _, say := range []string{"no", "yes", "skip"} {
		number := map[string]string{"no": "1", "yes": "2", "skip": "3"}[say]
		if a := vera.post("/harvest/1", saying(number, say)); a.status != 303 || a.header.Get("Location") != "/harvest/1" {
			t.Errorf("%s: %d", say, a.status)
		}
	}
	if a := vera.get("/harvest/1"); !strings.Contains(a.body, "Nothing is left for you") || !strings.Contains(a.body, "?again=3") {
		t.Errorf("%s", a.body)
	}
	if a := vera.get("/harvest/1?again=2"); !strings.Contains(a.body, "You said yes") || !strings.Contains(a.body, "&lt;b&gt;distress") {
		t.Errorf("%s", a.body)
	}
	if a := wil.get("/harvest/1"); strings.Contains(a.body, "Brown") || strings.Contains(a.body, "You said") {
		t.Errorf("what a no has settled is asked again, or what another one said is shown:\n%s", a.body)
	}
	if a := wil.post("/harvest/1", saying("2", "yes")); a.status != 303 {
		t.Errorf("%d", a.status)
	}
	for name, form := range map[string]url.Values{"no number": saying("", "yes"), "another answer": saying("3", "maybe"), "none": saying("17", "yes")} {
		if a := wil.post("/harvest/1", form); a.status != 400 && a.status != 404 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	for _, where := range []string{"/harvest/2", "/harvest/0", "/harvest/x", "/harvest/1?again=99", "/harvest/1?again=x"} {
		if a := wil.get(where); a.status != 404 && a.status != 400 {
			t.Errorf("%s: %d", where, a.status)
		}
	}
	if a := s.as(t, "ann").get("/harvest/1"); a.status != 403 || strings.Contains(a.body, "Lungs") {
		t.Errorf("a reviewer sees proposals: %d", a.status)
	}
	verdicts, err := harvest.ReadVerdicts(path)
	if v := verdicts[harvest.IDOf(harvest.Sentence, "No acute <b>distress</b>.")]; err != nil || v.Decision != harvest.Yes || v.Reviewer != "vera, wil" || len(verdicts) != 2 {
		t.Errorf("%v, %v", verdicts, err)
	}
	kept, err := os.ReadFile(harvest.JournalPath(path))
	if err != nil || strings.Contains(string(kept)+s.log.String(), "Brown") {
		t.Errorf("a text is stored or logged, %v", err)
	}
}

// Proposals are verified by keys.
func TestHarvestByKeys(t *testing.T) {
	t.Parallel()
	s, path := newHarvest(t, 1, "Seen by Brown.", "No acute distress.", "Lungs clear.")
	b := browsertest.Open(t, 1280, 800)
	b.Go(s.url, "#name:focus")
	b.Press("vera", browsertest.Tabulator, testPassword, browsertest.Enter)
	b.Wait(".rounds a.button")
	b.Click(".rounds a.button")
	b.Wait("#answer")
	asked := func(number int) {
		t.Helper()
		b.Wait(fmt.Sprintf(`#answer[data-number="%d"]`, number))
	}
	asked(1)
	b.Press("n")
	asked(2)
	b.Press("b")
	asked(1)
	b.Press("n")
	asked(2)
	b.Press("y")
	asked(3)
	b.Press("s")
	b.Wait("#nothing")
	verdicts, err := harvest.ReadVerdicts(path)
	if err != nil || len(verdicts) != 2 || verdicts[harvest.IDOf(harvest.Sentence, "No acute distress.")].Decision != harvest.Yes {
		t.Errorf("%v, %v", verdicts, err)
	}
}

func TestAxeHarvest(t *testing.T) {
	t.Parallel()
	script := browsertest.AxeScript(t)
	s, _ := newHarvest(t, 1, "Seen by Brown.")
	b := browsertest.Open(t, 360, 740)
	b.Go(s.url, "#name:focus")
	b.Press("vera", browsertest.Tabulator, testPassword, browsertest.Enter)
	for _, at := range []string{".rounds a.button", "#answer"} {
		b.Wait(at)
		for _, found := range b.Axe(script) {
			t.Errorf("%s: %s", at, found)
		}
		if at != "#answer" {
			b.Click(at)
		}
	}
}
