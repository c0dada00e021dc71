package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/browsertest"
)

// loginByKeys logs ann in without a mouse.
func loginByKeys(b *browsertest.Tab, s *station) {
	b.Go(s.url, "#name:focus")
	b.Press("ann", browsertest.Tabulator, testPassword, browsertest.Enter)
	b.Wait(".rounds")
}

func (s *station) reading(place int) review.Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readings[at(place, "ann")]
}

// decided writes a reading's marks.
func (s *station) decided(place int) string {
	r := s.reading(place)
	var list []string
	for _, m := range r.Marks {
		list = append(list, fmt.Sprintf("%d-%d %s %s", m.Start, m.End, m.Type, m.Verdict))
	}
	return strings.Join(list, ", ")
}

const saved = `document.getElementById("saved").textContent === "Saved."`

const letter = "DISCHARGE SUMMARY\r\n\r\nPatient: [Mary Ellen Fenwick]\r\nSeen with her nephew Grizzlewood Vexterly by [Dr. Hobbs] on the ward, née Żółć.\r\n" +
	"She takes metoprolol 25 mg and was sent home to [Quillhampton]. Call the [Grant] street clinic."

// Ten notes are read with nothing but keys: accepted, rejected, retyped, extended, marked and remembered.
func TestTenNotesByKeys(t *testing.T) {
	t.Parallel()
	texts := []string{letter}
	for i := range 9 {
		texts = append(texts, fmt.Sprintf("𝒳 Note %d of [Ann Lee].", i+2))
	}
	s := newStation(t, nil, texts...)
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Focus(".rounds button")
	b.Press(browsertest.Enter)
	b.Wait("#original:focus")
	b.Press("n", "n", "n", "x") // Quillhampton
	b.Until(saved)
	b.Press("t")
	b.Wait("#type:focus")
	b.Press("HOSP", browsertest.Enter) // it is back, as another type
	b.Wait(".mark.retyped")
	b.Press("n", "e") // Grant street
	b.Press(browsertest.Home)
	for range 10 { // Grizzlewood
		b.Press(browsertest.Right)
	}
	b.Shift(browsertest.Right)
	if got := b.Text("#now"); got != "Chosen: Grizzlewood Vexterly" {
		t.Errorf("%q", got)
	}
	b.Picture("choose")
	b.Press("m")
	b.Wait("#type:focus")
	b.Press(browsertest.Enter)
	b.Wait(".mark.missed")
	b.Press("p")
	b.Until(`document.getElementById("saved").textContent.startsWith("Remembered")`)
	b.Picture("note")
	want := "30-48 PATIENT right, 71-91 PATIENT missed, 95-104 PATIENT right, 177-189 HOSPITAL retyped, 200-212 PATIENT resized"
	if got := s.decided(1); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(s.heard) != 1 || s.heard[0] != "ehr_ann 1 Grizzlewood Vexterly" {
		t.Errorf("remembered: %q", s.heard)
	}
	for place := 1; place <= 10; place++ {
		b.Press("f")
		if place < 10 {
			b.Wait(fmt.Sprintf(`form[action="/rounds/3/notes/%d/finish"]`, place+1))
			b.Wait("#original:focus")
		}
	}
	b.Wait(".rounds")
	for place := 1; place <= 10; place++ {
		if s.reading(place).FinishedAt.IsZero() {
			t.Errorf("note %d is not finished", place)
		}
	}
	if got := s.decided(2); got != "12-19 PATIENT right" { // a letter of two units in UTF-16 is one character
		t.Errorf("%s", got)
	}
}

// A missed word is repaired at that place by keys, and taken back by mouse.
func TestRepairByKeys(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, letter)
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Click(".rounds button")
	b.Wait("#original .mark")
	b.Press("h") // nothing is chosen
	if got := b.Text("#now"); !strings.Contains(got, "says something else than what was found") {
		t.Errorf("%q", got)
	}
	b.Press("n", "x")
	b.Until(saved)
	b.Press("h")
	b.Until(`document.getElementById("saved").textContent.startsWith("Repaired here")`)
	if got := b.Text("#repairs"); got != "Take back: Mary Ellen Fenwick – no PHI, PATIENT" {
		t.Errorf("%q", got)
	}
	b.Press("t")
	b.Wait("#type:focus")
	b.Press("DOC", browsertest.Enter)
	b.Wait(".mark.retyped")
	b.Press("h") // in the place of the first
	b.Until(`document.getElementById("repairs").textContent === "Take back: Mary Ellen Fenwick – type changed, DOCTOR"`)
	b.Click("#repairs button")
	b.Until(`document.getElementById("saved").textContent.startsWith("Taken back")`)
	b.Go(s.url+"/repairs", "table")
	if got := b.Text("table"); !strings.Contains(got, "taken back by ann") || !strings.Contains(got, "holds") {
		t.Errorf("%s", got)
	}
}

// The same by mouse alone, and undone.
func TestNoteByMouse(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, letter, "Last.")
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Click(".rounds button")
	b.Wait("#original .mark")
	b.Click(`[data-mark="1"]`)
	b.Click(`[data-do="wrong"]`)
	b.Until(saved)
	b.Drag(`[data-word="10"]`, `[data-word="11"]`)
	b.Wait(".word.chosen")
	b.Click(`[data-do="missed"]`)
	b.Wait("#types[open]")
	b.Click("#types .primary")
	b.Wait(".mark.missed")
	b.Click(`[data-do="undo"]`)
	b.Until(`!document.querySelector(".mark.missed")`)
	b.Click(`[data-word="7"]`)
	b.Picture("mouse")
	b.Click(`[data-do="missed"]`)
	b.Wait("#types[open]")
	b.Click("#types .primary")
	b.Wait(".mark.missed")
	b.Click("#finish button")
	b.Wait(`form[action="/rounds/3/notes/2/finish"]`)
	if got := s.decided(1); !strings.Contains(got, "95-104 PATIENT wrong") || !strings.Contains(got, "55-59 PATIENT missed") ||
		strings.Count(got, "missed") != 1 {
		t.Errorf("%s", got)
	}
}

// On a telephone, by touch.
func TestNoteOnAPhone(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, letter)
	b := browsertest.Open(t, 360, 740)
	b.Phone()
	loginByKeys(b, s)
	b.Tap(".rounds button")
	b.Wait("#original .mark")
	b.Tap(`[data-word="10"]`)
	b.Wait(".word.chosen")
	b.Tap(`[data-do="missed"]`)
	b.Wait("#types[open]")
	b.Tap("#types .primary")
	b.Wait(".mark.missed")
	b.Until(saved)
	b.Picture("phone")
	if got := s.decided(1); !strings.Contains(got, "71-82 PATIENT missed") {
		t.Errorf("%s", got)
	}
	if browsertest.Eval[bool](b, "document.documentElement.scrollWidth > innerWidth") {
		t.Error("the page is wider than the telephone")
	}
	testBarOnAPhone(t, b)
	b.Tap(`[data-do="help"]`) // out of sight, in a row that scrolls
	b.Wait("#help[open]")
}

// testBarOnAPhone looks at the bar of buttons while it says much: it leaves most of the screen to the note, and every button is
// large enough for a finger.
func testBarOnAPhone(t *testing.T, b *browsertest.Tab) {
	t.Helper()
	b.Tap("[data-mark=\"1\"]")
	if got := browsertest.Eval[float64](b, `document.querySelector(".bar").getBoundingClientRect().height / innerHeight`); got > .25 {
		t.Errorf("the buttons take %.0f %% of the screen", 100*got)
	}
	small := browsertest.Eval[string](b, `Array.from(document.querySelectorAll(".bar button")).filter((n) => {
		const box = n.getBoundingClientRect();
		return box.width < 44 || box.height < 44;
	}).map((n) => n.textContent).join(", ")`)
	if small != "" {
		t.Errorf("too small for a finger: %s", small)
	}
}

// After the logout nothing of a note is in the browser: no storage, no cache, no page to go back to.
func TestNothingIsLeftInTheBrowser(t *testing.T) {
	t.Parallel()
	s := newStation(t, nil, letter)
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Click(".rounds button")
	b.Wait("#original .mark")
	b.Press("x")
	b.Click(".who button")
	b.Wait("#password")
	left := browsertest.Eval[string](b, `(async () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), await caches.keys(),
		(await indexedDB.databases()).length, document.cookie, (await navigator.serviceWorker.getRegistrations()).length]))()`)
	if left != `[[],[],[],0,"",0]` {
		t.Errorf("left: %s", left)
	}
	browsertest.Eval[bool](b, "history.back(); true")
	b.Wait("#password")
	if text := b.Text("body"); strings.Contains(text, "Grizzlewood") {
		t.Error("the way back shows the note")
	}
	kept := b.Kept("Grizzlewood", "127.0.0.1")
	if kept["Grizzlewood"] > 0 || kept["127.0.0.1"] == 0 { // the second shows that the search finds what there is
		t.Errorf("files of the browser: %v", kept)
	}
}

// Markup in a note, in what the replica shows, and in every name beside them is text in a real browser: no element of it is made, and
// nothing of it runs, whatever is done with the marks.
func TestHostileNotesInABrowser(t *testing.T) {
	t.Parallel()
	const bomb = `<img src=x onerror="document.title='hit'"><svg/onload="document.title='hit'"><script>document.title='hit'</script>` +
		`</script></textarea><iframe srcdoc="x"></iframe>`
	s := newStation(t, nil, "x", "Last.")
	s.round.Name, s.round.DrawnBy = bomb, bomb
	s.view = func(int) (review.View, error) {
		span := review.Span{Start: 5, End: 5 + len(bomb), Type: "PATIENT", By: []string{bomb}, Score: .5}
		return review.View{
			Text: "Seen " + bomb + " came back " + bomb, Published: bomb + " came back", Patient: bomb, Row: bomb, Aside: bomb,
			Spans: []review.Span{span}, Shown: []review.Span{span},
		}, nil
	}
	b := browsertest.Open(t, 1280, 800)
	loginByKeys(b, s)
	b.Focus(".rounds button")
	b.Press(browsertest.Enter)
	b.Wait("#original:focus")
	b.Press("n", "e", "p", "u", browsertest.Home, "m")
	b.Wait("#type:focus")
	b.Press(browsertest.Enter)
	b.Wait(".mark.missed")
	if got := browsertest.Eval[string](b, `document.querySelectorAll("main img, main svg, main iframe, main script:not(#state):not([src])").length + " " +
		document.title.includes("hit'") + " " + (document.title === "hit")`); got != "0 true false" { // the title names the round
		t.Errorf("elements of a note, and the title: %s", got)
	}
	b.Go(s.url, ".rounds")
	if got := browsertest.Eval[int](b, `document.querySelectorAll("main img, main svg, main iframe, main script").length`); got != 0 {
		t.Errorf("%d elements of a round's name", got)
	}
}

// axe-core finds nothing that keeps somebody from using a page, light and dark, wide and narrow, and at 200 % zoom.
func TestAxe(t *testing.T) {
	t.Parallel()
	script := browsertest.AxeScript(t)
	s := newStation(t, nil, letter, "x")
	b := browsertest.Open(t, 1280, 800)
	check := func(name string) {
		t.Helper()
		for _, found := range b.Axe(script) {
			t.Errorf("%s: %s", name, found)
		}
		if browsertest.Eval[bool](b, "document.documentElement.scrollWidth > innerWidth") {
			t.Errorf("%s is wider than the window", name)
		}
		b.Picture(name)
	}
	b.Go(s.url+"/login", "#name")
	check("login")
	loginByKeys(b, s)
	s.add(review.Repair{By: "ann", Scope: review.Here, Mark: review.Mark{Type: "PATIENT", Verdict: review.Missed}}, review.Item{Patient: "4711"}, "x")
	b.Go(s.url+"/repairs", "table button")
	check("repairs")
	b.Go(s.url+"/", ".rounds")
	check("rounds")
	b.Click(".rounds button")
	b.Wait("#original .mark")
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		for name, size := range map[string][2]int64{"wide": {1280, 800}, "phone": {360, 740}, "zoomed": {640, 400}} {
			b.Size(size[0], size[1])
			check("note-" + scheme + "-" + name)
		}
	}
}
