package fold

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Zo=C3=AB":               "Zoë",
		"Bj=c3=b6rn=20Lee":       "Björn Lee",
		"He=E2=80=99s 2":         "He’s 2",
		"par=\nrish, par=\r\nty": "parrish, party",
		"a=3Db":                  "a=b",
		"/Zo%C3%AB%20Lee?q":      "/Zoë Lee?q",
		`504\u2011555 Zo\u00eb`:  "504‑555 Zoë",
		"=F0=9F=98=80":           "😀",
		"BP=120/80, Hb=12, x=y=": "BP=120/80, Hb=12, x=y=",
		"=00 =1B =C3 =C3=2 =FF":  "=00 =1B =C3 =C3=2 =FF",
		"%5 100% %zz":            "%5 100% %zz",
		`\u00 \u0000 \ud800 \n`:  `\u00 \u0000 \ud800 \n`,
		`C:\users\unit`:          `C:\users\unit`,
		"=":                      "=",
	} {
		got := Escapes(in)
		if got.S != want {
			t.Errorf("%q: %q, want %q", in, got.S, want)
		}
		if got.Odd() != (in != want) {
			t.Errorf("%q: odd is %v", in, got.Odd())
		}
	}
}

func TestRangesOfEscapes(t *testing.T) {
	t.Parallel()
	in := "see Zo=C3=\n=AB and Ren=C3=A9e Mar=\nsh, x"
	got := Escapes(in)
	for part, want := range map[string]string{"Renée": "Ren=C3=A9e", "Marsh": "Mar=\nsh", "x": "x", "see": "see"} {
		i := strings.Index(got.S, part)
		if i < 0 {
			t.Errorf("%q is not in %q", part, got.S)
			continue
		}
		if from, to := got.Range(i, i+len(part)); in[from:to] != want {
			t.Errorf("%q is read from %q, want %q", part, in[from:to], want)
		}
	}
}

// FuzzEscapes checks that readings are valid and that their ranges lie within the text.
func FuzzEscapes(f *testing.F) {
	f.Add("Zo=C3=AB %C3%AB \\u00eb =\n=")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		got := Escapes(s)
		if !utf8.ValidString(got.S) || len(got.S) > len(s) {
			t.Fatalf("%d bytes are read as %d", len(s), len(got.S))
		}
		for i := range got.S {
			if from, to := got.Range(i, i+1); from < 0 || to > len(s) || from >= to {
				t.Fatalf("byte %d is read from [%d, %d) of %d", i, from, to, len(s))
			}
		}
	})
}
