package record

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/text"
)

// wrapped writes base64 as mail has it.
func wrapped(s, lineEnd string) string {
	const width = 76
	var b strings.Builder
	for len(s) > width {
		b.WriteString(s[:width] + lineEnd)
		s = s[width:]
	}
	return b.String() + s + lineEnd
}

// A name is found wherever it is in encoded text: over the borders of lines and of the
// pieces that are decoded at a time, and behind characters that such a border divides.
func TestLeaksInLongBase64(t *testing.T) {
	g := NewGazetteer(Record{NameLast: {"Zorvakian"}, NameFirst: {"Mirela"}})
	for _, filler := range []string{"no change, ", "état inchangé, ", "no change of the state\x1c that was seen, "} {
		for _, before := range []int{0, 3, 50, 3060, 3070, 9210} {
			text := strings.Repeat(filler, before/len(filler)+1)[:before]
			text = strings.ToValidUTF8(text, "e") + " Zorvakian, " + strings.Repeat(filler, 300)
			encoded := base64.StdEncoding.EncodeToString([]byte(text))
			for form, note := range map[string]string{
				"one line": "attached: " + encoded + " end",
				"wrapped":  "attached\n" + wrapped(encoded, "\n") + "end of it",
				"CRLF":     "attached\r\n" + wrapped(encoded, "\r\n") + "end of it",
			} {
				leaks := g.Leaks(note)
				if len(leaks) == 0 {
					t.Errorf("%q, %d bytes before, %s: nothing found", filler, before, form)
					continue
				}
				from, to := strings.Index(note, encoded[:40]), strings.LastIndex(note, encoded[len(encoded)-4:])+4
				if leaks[0].Start > from || leaks[len(leaks)-1].End < to {
					t.Errorf("%q, %d bytes before, %s: found %v of %d to %d", filler, before, form, leaks, from, to)
				}
			}
		}
	}
}

// What only looks like base64 is left alone, and takes time in proportion to its length.
func TestLinesThatAreNoBase64(t *testing.T) {
	g := NewGazetteer(Record{NameLast: {"Zorvakian"}})
	line := base64.StdEncoding.EncodeToString([]byte("text and no name in it, and so on...."))[:48] + "\n"
	steps := func(lines int) int {
		body := strings.Repeat(line, lines) + strings.Repeat("-", 64) + "\nZx vakian"
		found, steps, err := g.find(t.Context(), text.NewView(body), everything)
		if err != nil || len(found) > 0 {
			t.Fatalf("%v, %d spans", err, len(found))
		}
		return steps
	}
	if few, many := steps(200), steps(2000); many > 12*few {
		t.Errorf("%d steps for 200 lines, %d for 2000", few, many)
	}
}
