package onnx

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// lineOf makes a line of a text's tokens.
func lineOf(text string) *line {
	note := &ensemble.Note{Text: text}
	l := &line{}
	l.set(unitsOf(note, 0, len(note.View().Tokens), maxUnit, false, nil))
	return l
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"Seen  by\n\tDr. Ann":   "Seen by Dr. Ann",
		"  Ann ":                "Ann",
		"😀Ann🏥Moss":             "😀 Ann 🏥 Moss",
		"O’Brien's":             "O’Brien's",
		"99.5°F":                "99.5 ° F",
		"e\u0301l\u200da":       "e\u0301l\u200da",
		"$5 (a)":                "$5 (a)",
		"a\u00a0b\u2028c\ufeff": "a b c",
	} {
		if got := string(lineOf(text).text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUnitsAt(t *testing.T) {
	l := lineOf("Dr. Ann-Lou") // Dr . Ann - Lou
	for span, want := range map[[2]int][2]int{
		{0, 2}: {0, 1}, {0, 3}: {0, 2}, {1, 2}: {0, 1}, {3, 7}: {2, 3}, {4, 11}: {2, 5}, {3, 4}: {2, 2}, {0, 0}: {0, 0}, {10, 11}: {4, 5},
	} {
		from, to := l.unitsAt(span[0], span[1])
		if [2]int{from, to} != want {
			t.Errorf("%v: units [%d, %d), want %v", span, from, to, want)
		}
	}
}

func TestCovered(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		offsets [][2]int
		ok      bool
	}{
		"whole":                  {"Dr Ann", [][2]int{{0, 2}, {3, 6}}, true},
		"in parts":               {"Ann", [][2]int{{0, 1}, {1, 3}}, true},
		"overlapping":            {"é", [][2]int{{0, 2}, {0, 2}}, true},
		"a word is missing":      {"Dr Ann", [][2]int{{0, 2}}, false},
		"a letter is missing":    {"Ann", [][2]int{{0, 1}, {2, 3}}, false},
		"a digit is missing":     {"5 Ann", [][2]int{{2, 5}}, false},
		"a mark is missing":      {"Ann.", [][2]int{{0, 3}}, false},
		"an emoji is missing":    {"😀", nil, false},
		"cut off":                {"Ann Ann", [][2]int{{0, 3}}, false},
		"combining mark dropped": {"Zoe\u0308 A", [][2]int{{0, 3}, {6, 7}}, true},
		"control dropped":        {"A\x01B", [][2]int{{0, 1}, {2, 3}}, true},
		"joiner dropped":         {"A\u200dB", [][2]int{{0, 1}, {4, 5}}, true},
		"lost character dropped": {"M\ufffdl", [][2]int{{0, 1}, {4, 5}}, true},
	} {
		if err := lineOf(c.text).covered(c.offsets); (err == nil) != c.ok {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestBlind(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "\x01\u200b": true, "\u0301": true, "\ufffd": true, "a": false, ".": false, "٣": false,
		"😀": false, "李": false,
	} {
		if got := lineOf(text).blind(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestFrame(t *testing.T) {
	f, err := frameOf([]uint32{101, 7, 8, 102}, []uint32{7, 8})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.in([]uint32{1, 2}), []uint32{101, 1, 2, 102}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, err := frameOf([]uint32{1, 9, 2}, []uint32{7, 8}); err == nil {
		t.Error("special tokens within the text were accepted")
	}
}

// A piece at any place of a text lies in units that it overlaps, and in all of them.
func FuzzUnitsAt(f *testing.F) {
	f.Add("Dr. Ann😀 e\u0301-b", uint8(3), uint8(7))
	f.Fuzz(func(t *testing.T, s string, a, b uint8) {
		if text.Check(s) != nil {
			return
		}
		l := lineOf(s)
		start, end := int(a), min(int(b), len(l.text))
		from, to := l.unitsAt(start, end)
		for u := range l.start {
			overlaps := start < end && l.start[u] < end && start < l.end[u]
			if overlaps != (u >= from && u < to) {
				t.Fatalf("[%d, %d): units [%d, %d), but unit %d is [%d, %d)", start, end, from, to, u, l.start[u], l.end[u])
			}
		}
		if !utf8.Valid(l.text) {
			t.Fatal("the line is not UTF-8")
		}
	})
}
