package surrogate

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/fold"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// oddWritings are ways of writing a word that a reader, a browser or a decoder undoes.
var oddWritings = map[string]func(rng *rand.Rand, word string) string{
	"plain":      func(_ *rand.Rand, s string) string { return s },
	"upper":      func(_ *rand.Rand, s string) string { return strings.ToUpper(s) },
	"lower":      func(_ *rand.Rand, s string) string { return strings.ToLower(s) },
	"dotted":     func(_ *rand.Rand, s string) string { return strings.Join(strings.Split(s, ""), ".") },
	"spaced":     func(_ *rand.Rand, s string) string { return strings.Join(strings.Split(s, ""), " ") },
	"dashed":     func(_ *rand.Rand, s string) string { return strings.Join(strings.Split(s, ""), "-") },
	"underlined": func(_ *rand.Rand, s string) string { return strings.Join(strings.Split(s, ""), "_") },
	"camel":      func(_ *rand.Rand, s string) string { return "my" + s + "Docs" },
	"entity": func(rng *rand.Rand, s string) string {
		return at(rng, s, func(r rune) string { return fmt.Sprintf("&#%d;", r) })
	},
	"entities": func(_ *rand.Rand, s string) string {
		return each(s, func(r rune) string { return fmt.Sprintf("&#x%x;", r) })
	},
	"nested": func(rng *rand.Rand, s string) string {
		return at(rng, s, func(r rune) string { return fmt.Sprintf("&amp;#%d;", r) })
	},
	"tag": func(rng *rand.Rand, s string) string {
		return at(rng, s, func(r rune) string { return string(r) + "</b>" })
	},
	"span": func(rng *rand.Rand, s string) string {
		return at(rng, s, func(r rune) string { return string(r) + "<span class='x'>" })
	},
	"attribute": func(_ *rand.Rand, s string) string {
		return `<a title="` + each(s, func(r rune) string { return fmt.Sprintf("&#%d;", r) }) + `">`
	},
	"comment":  func(_ *rand.Rand, s string) string { return "<!-- by " + s[:3] + "&shy;" + s[3:] + " -->" },
	"escaped":  func(_ *rand.Rand, s string) string { return "&lt;b&gt;" + s[:4] + "&lt;/b&gt;" + s[4:] },
	"brackets": func(_ *rand.Rand, s string) string { return "[[" + s[:4] + "]]" + s[4:] },
	"soft hyphen": func(rng *rand.Rand, s string) string {
		return at(rng, s, func(r rune) string { return string(r) + "\u00ad" })
	},
	"line":       func(_ *rand.Rand, s string) string { return s[:3] + "-\n" + s[3:] },
	"line only":  func(_ *rand.Rand, s string) string { return s[:4] + "\n" + s[4:] },
	"override":   func(_ *rand.Rand, s string) string { return "\u202e" + reversed(s) + "\u202c" },
	"isolate":    func(_ *rand.Rand, s string) string { return "\u2066" + s[:3] + "\u2069" + s[3:] },
	"bold":       func(_ *rand.Rand, s string) string { return dressed(s, 0x1d400, 0x1d41a) },
	"script":     func(_ *rand.Rand, s string) string { return dressed(s, 0x1d4d0, 0x1d4ea) },
	"circled":    func(_ *rand.Rand, s string) string { return dressed(s, 0x24b6, 0x24d0) },
	"full width": func(_ *rand.Rand, s string) string { return dressed(s, 0xff21, 0xff41) },
	"base64":     func(_ *rand.Rand, s string) string { return base64.StdEncoding.EncodeToString([]byte("name: " + s)) },
	"base64 url": func(_ *rand.Rand, s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s + "!")) },
}

// at rewrites one letter inside a word.
func at(rng *rand.Rand, s string, write func(rune) string) string {
	i := 1 + rng.IntN(len(s)-2)
	return s[:i] + write(rune(s[i])) + s[i+1:]
}

func each(s string, write func(rune) string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(write(r))
	}
	return b.String()
}

func reversed(s string) string {
	var out string
	for _, r := range s {
		out = string(r) + out
	}
	return out
}

func dressed(s string, upper, lower rune) string {
	return each(s, func(r rune) string {
		switch {
		case unicode.IsUpper(r):
			return string(r - 'A' + upper)
		case unicode.IsLower(r):
			return string(r - 'a' + lower)
		}
		return string(r)
	})
}

// composedWritings are the odd writings, and the combinations of one that changes the shape of a
// word with one that changes a character.
func composedWritings() map[string]func(*rand.Rand, string) string {
	all := maps.Clone(oddWritings)
	for _, shape := range []string{"upper", "dotted", "spaced", "dashed", "underlined", "camel", "line", "line only"} {
		for _, dress := range []string{"entity", "entities", "nested", "tag", "span", "soft hyphen", "bold", "script", "full width"} {
			all[shape+", "+dress] = func(rng *rand.Rand, s string) string { return oddWritings[dress](rng, oddWritings[shape](rng, s)) }
		}
	}
	return all
}

// squeezed returns a text as the eye reads it: plain letters without anything between.
func squeezed(text string) string {
	plain := fold.Characters(text)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, plain.S)
}

// However a name of the record is written, it cannot be read after detection and replacement.
func TestOddWritingsOfTheRecord(t *testing.T) {
	t.Parallel()
	carriers := strings.Split("Spoke with %s about pain.|%s|portal user (%s) asked|file %s, see there|the pt, %s; seen 3/5|called "+
		"%s twice\nno answer", "|")
	e, err := ensemble.New(ensemble.Options{Detectors: []string{"record"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range composedWritings() {
		rng := rand.New(rand.NewPCG(uint64(len(name)), 5))
		for i := range 25 {
			first, last := oddName(rng), oddName(rng)
			rec := record.Record{record.NameFirst: {first}, record.NameLast: {last}, record.MRN: {"ZK7741903"}}
			b := testBook(t, fmt.Sprint(i), rec, -3)
			text := fmt.Sprintf(carriers[rng.IntN(len(carriers))], write(rng, last))
			spans, err := e.Detect(context.Background(), &ensemble.Note{Text: text, Patient: b.who})
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Replace(text, spans)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, text, err)
			}
			if len(spans) == 0 {
				t.Errorf("%s: %q: not found", name, text)
			}
			if strings.Contains(squeezed(got.Text), strings.ToLower(last)) || strings.HasPrefix(name, "base64") &&
				strings.Contains(got.Text, write(rng, last)) {
				t.Errorf("%s: %q becomes %q", name, text, got.Text)
			}
			if len(b.who.Leaks(text)) == 0 {
				t.Errorf("%s: %q: the leak check sees nothing", name, text)
			}
		}
	}
}

// oddName returns a made-up name that is in no lexicon.
func oddName(rng *rand.Rand) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 3 + rng.IntN(2) {
		b.WriteByte(consonants[rng.IntN(len(consonants))])
		b.WriteByte(vowels[rng.IntN(len(vowels))])
	}
	b.WriteString("xq")
	s := b.String()
	return strings.ToUpper(s[:1]) + s[1:]
}

// A name in odd writing has the same surrogate as in plain writing.
func TestSurrogatesOfOddWritings(t *testing.T) {
	t.Parallel()
	rec := record.Record{record.NameFirst: {"Quilla"}, record.NameLast: {"Zorvakian"}}
	b := testBook(t, "p", rec, -3)
	want := replaced(t, b, "{PATIENT|Quilla Zorvakian}")
	_, family, _ := strings.Cut(want, " ")
	for in, want := range map[string]string{
		"{PATIENT|Q&#117;illa Zorva</b>kian}": want, "{PATIENT|QuillaZorvakian}": want, "{PATIENT|Z.o.r.v.a.k.i.a.n}": family,
		"{PATIENT|𝐙𝐨𝐫𝐯𝐚𝐤𝐢𝐚𝐧}": family, "{PATIENT|\u202enaikavroZ\u202c}": family, "{PATIENT|Zor-\nvakian}": family,
		"{PATIENT|McDonald}'s": replaced(t, b, "{PATIENT|McDonald}'s"),
	} {
		if got := replaced(t, b, in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// A number of the record written in words is replaced whole, by its usual surrogate.
func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	rec := record.Record{record.MRN: {"ZK7741903"}, record.Phone: {"617-555-0142"}, record.SSN: {"212-44-7890"}}
	e, err := ensemble.New(ensemble.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := testBook(t, "p", rec, -3)
	for in, same := range map[string]string{
		"MRN Z K seven seven four one nine oh three.":                    "MRN {MEDICALRECORD|ZK7741903}.",
		"call six one seven, five five five, oh one four two!":           "call {PHONE|6175550142}!",
		"SSN two one two double four seven eight nine oh":                "SSN {SSN|212447890}",
		"SSN two one two - four four - seventy-eight ninety, he said so": "SSN {SSN|212447890}, he said so",
	} {
		spans, err := e.Detect(context.Background(), &ensemble.Note{Text: in, Patient: b.who})
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Replace(in, spans)
		if want := replaced(t, b, same); err != nil || got.Text != want {
			t.Errorf("%q becomes %q, want %q (%v)", in, got.Text, want, err)
		}
	}
}
