package synth

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// function makes text of an argument. check reports whether it takes an argument that
// is plain text; nil takes any.
type function struct {
	eval  func(s *scene, arg string) string
	check func(e *engine, arg string) bool
}

// drawnCase is the function that draws one of the cases, or none.
const drawnCase = "case"

// folds are the functions whose argument may hold spans: they change the case of all
// that is written.
var folds = map[string]func(string) string{
	"upper":   strings.ToUpper,
	"lower":   strings.ToLower,
	drawnCase: func(text string) string { return text },
}

// functions are what the grammar can call.
func functions() map[string]function {
	of := func(change func(string) string) function {
		return function{eval: func(_ *scene, arg string) string { return change(arg) }}
	}
	ofNumber := func(write func(s *scene, n int) string) function {
		return function{
			func(s *scene, arg string) string {
				n, _ := strconv.Atoi(arg) // checked, or a number that a function wrote
				return write(s, max(n, 0))
			},
			func(_ *engine, arg string) bool { _, err := strconv.Atoi(arg); return err == nil },
		}
	}
	isProduction := func(e *engine, arg string) bool { return e.productions[arg] != nil }
	return map[string]function{
		"num": {
			func(s *scene, arg string) string { return s.number(arg) },
			func(_ *engine, arg string) bool { _, _, err := parseRange(arg); return err == nil },
		},
		"code":    {eval: func(s *scene, arg string) string { return s.code(arg) }},
		"shape":   {eval: func(_ *scene, arg string) string { return shape(arg) }, check: hasParameter},
		"day":     {eval: func(s *scene, arg string) string { return formatDay(s.now.day, arg) }},
		"ordinal": ofNumber(func(_ *scene, n int) string { return ordinal(n) }),
		"words":   ofNumber(func(s *scene, n int) string { return s.words(n) }),
		"nth":     ofNumber(func(s *scene, n int) string { return s.ordinalWords(n) }),
		"year":    ofNumber(func(s *scene, n int) string { return s.yearWords(n) }),
		"dictate": {eval: func(s *scene, arg string) string { return s.dictated(arg) }},
		"list": {
			func(s *scene, arg string) string {
				list, _ := s.h.lists.named(arg)
				return s.oneOf(list)
			},
			func(_ *engine, arg string) bool { _, ok := (&Lists{}).named(arg); return ok },
		},
		"draw": {
			func(s *scene, arg string) string { return s.listed(arg) },
			func(_ *engine, arg string) bool { _, ok := (&Lists{}).names(arg, &person{}); return ok },
		},
		"group": {
			func(s *scene, arg string) string { return s.value(arg + "." + groupSlug(s.now.who.group)) },
			func(e *engine, arg string) bool { return isProduction(e, arg+"."+groupSlug(lexicon.White)) },
		},
		"capital": of(upperFirst),
		"initial": of(initial),
		"plural":  of(plural),
		"ascii":   of(asciiLower),
		"spell":   {eval: func(_ *scene, arg string) string { return spell(arg) }, check: hasParameter},
		"cut":     {eval: func(_ *scene, arg string) string { return cut(arg) }, check: hasParameter},
		"plain":   of(func(arg string) string { return strings.ReplaceAll(arg, "-", " ") }),
		"undash":  of(func(arg string) string { return strings.ReplaceAll(arg, "-", "") }),
		"acronym": of(acronym),
		"dotted":  of(func(arg string) string { return strings.Join(strings.Split(arg, ""), ".") + "." }),
	}
}

func hasParameter(_ *engine, arg string) bool { return strings.Contains(arg, "=") }

// oneOf returns one of the strings, "" if there is none.
func (s *scene) oneOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[s.rng.IntN(len(list))]
}

// number draws a number of a range: "3-12".
func (s *scene) number(size string) string {
	lo, hi, err := parseRange(size)
	if err != nil {
		return ""
	}
	return strconv.Itoa(lo + s.rng.IntN(hi-lo+1))
}

// vinLetters are what vehicle numbers are made of.
const vinLetters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"

// code draws a number of a form: "#" is a digit, the first in a row not zero, "%" any
// digit, "@" a capital letter and "*" a letter or digit of a vehicle's number.
func (s *scene) code(pattern string) string {
	out := []byte(pattern)
	for i, c := range out {
		switch c {
		case '#':
			out[i] = byte('0' + s.rng.IntN(10))
			if i == 0 || pattern[i-1] != '#' {
				out[i] = byte('1' + s.rng.IntN(9))
			}
		case '%':
			out[i] = byte('0' + s.rng.IntN(10))
		case '@':
			out[i] = byte('A' + s.rng.IntN(26))
		case '*':
			out[i] = vinLetters[s.rng.IntN(len(vinLetters))]
		}
	}
	return string(out)
}

// shape writes the last digits of a number in a form: "(###) ###-####=612-555-0143".
func shape(arg string) string {
	form, number, _ := strings.Cut(arg, "=")
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
	digits = digits[max(0, len(digits)-strings.Count(form, "#")):]
	out := []byte(form)
	for i, c := range out {
		if c == '#' && digits != "" {
			out[i], digits = digits[0], digits[1:]
		}
	}
	return string(out)
}

// formatDay formats a time in a layout of package time, which may also hold "2nd" for
// the day, "p.m." with points, and months and weekdays in capitals.
func formatDay(t time.Time, layout string) string {
	if strings.Contains(layout, "JAN") || strings.Contains(layout, "MON") {
		return strings.ToUpper(formatDay(t, strings.NewReplacer("JAN", "Jan", "MON", "Mon").Replace(layout)))
	}
	if before, after, ok := strings.Cut(layout, "2nd"); ok {
		return t.Format(before) + ordinal(t.Day()) + formatDay(t, after)
	}
	if before, after, ok := strings.Cut(layout, "p.m."); ok {
		half := string(t.Format("pm")[0])
		return t.Format(before) + half + ".m." + formatDay(t, after)
	}
	return t.Format(layout)
}

// ordinal returns "1st", "22nd", "13th".
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// upperFirst makes the first letter a capital.
func upperFirst(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// plural is the name of a whole family: "the Ortizes".
func plural(surname string) string {
	for _, end := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(surname, end) {
			return surname + "es"
		}
	}
	return surname + "s"
}

// spell writes the letters of a name apart: "-=Moss" is "M-O-S-S".
func spell(arg string) string {
	between, name, _ := strings.Cut(arg, "=")
	letters := strings.ToUpper(strings.ReplaceAll(lexicon.Fold(name), " ", ""))
	return strings.Join(strings.Split(letters, ""), between)
}

// cut keeps the first letters: "3=Moss" is "Mos".
func cut(arg string) string {
	size, text, _ := strings.Cut(arg, "=")
	n, _ := strconv.Atoi(size)
	letters := []rune(text)
	return string(letters[:min(max(n, 0), len(letters))])
}

// acronym returns the first letters of words: "SRMH".
func acronym(name string) string {
	out := ""
	for word := range strings.FieldsSeq(name) {
		if c := word[0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			out += strings.ToUpper(word[:1])
		}
	}
	return out
}
