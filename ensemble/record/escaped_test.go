package record

import (
	"strings"
	"testing"
)

// A name is found in what mail, addresses and JSON make of it, and is the same name.
func TestFindInEscapes(t *testing.T) {
	t.Parallel()
	g := NewGazetteer(Record{NameFirst: {"Zoë"}, NameLast: {"Parrish"}, Phone: {"504-555-0139"}})
	for _, marked := range []string{
		"From: [Zo=C3=AB Par=\nrish]", "From:=20[Zo=C3=AB]=20today", "/[Zo%C3%AB]/x", `"name":"[Zo\u00eb Parrish]"`, `"phone":"[504\u2011555\u20110139]"`,
		"a=b, 100%, x=20", `C:\users`,
	} {
		body := strings.NewReplacer("[", "", "]", "").Replace(marked)
		spans := findIn(t, g, body)
		got := body
		if len(spans) > 0 {
			first, last := spans[0].Start, spans[len(spans)-1].End
			got = body[:first] + "[" + body[first:last] + "]" + body[last:]
		}
		if got != marked {
			t.Errorf("found %q, want %q", got, marked)
		}
		if leaks := g.Leaks(body); len(leaks) != len(spans) {
			t.Errorf("%q: %d leaks of %d", body, len(leaks), len(spans))
		}
	}
	if got := g.Read("Zo=C3=AB Par=\nrish"); got != "Zoë Parrish" {
		t.Errorf("reads %q", got)
	}
}
