package surrogate

import (
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/surrogate/letter"
	"github.com/pgdeid/pgdeid/surrogate/words"
)

const (
	lowerCase = text.Lower
	zipType   = phi.Zip
)

// countries from which patients of US hospitals often come or to which they travel.
var countries = strings.Split(`Albania|Algeria|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|Barbados|`+
	`Belarus|Belgium|Belize|Bolivia|Botswana|Brazil|Bulgaria|Cambodia|Cameroon|Canada|Chile|Colombia|Costa Rica|Croatia|Cyprus|`+
	`Denmark|Ecuador|Egypt|El Salvador|Eritrea|Estonia|Ethiopia|Fiji|Finland|France|Georgia|Germany|Ghana|Greece|Grenada|Guatemala|`+
	`Guyana|Haiti|Honduras|Hungary|Iceland|India|Indonesia|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kuwait|Laos|`+
	`Latvia|Lebanon|Liberia|Lithuania|Malaysia|Malta|Mauritius|Mexico|Moldova|Mongolia|Morocco|Mozambique|Namibia|Nepal|`+
	`Netherlands|New Zealand|Nicaragua|Nigeria|Norway|Oman|Pakistan|Panama|Paraguay|Peru|Philippines|Poland|Portugal|Qatar|Romania|`+
	`Rwanda|Senegal|Serbia|Singapore|Slovakia|Slovenia|South Africa|South Korea|Spain|Sri Lanka|Sweden|Switzerland|Taiwan|Tanzania|`+
	`Thailand|Trinidad|Tunisia|Turkey|Uganda|Ukraine|Uruguay|Uzbekistan|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe`, "|")

var nationalities = words.List("drawn/nationalities")

// country replaces a country by another country, a nationality by another nationality.
func (w *work) country(text string) string {
	original := letter.Alnum(text)
	if original == "" {
		return text
	}
	list := countries
	if slices.Contains(nationalities, letter.Titled(original)) {
		list = nationalities
	}
	to := w.find(kindPlace, original, func(c *choices, try int) string {
		if try > 8*len(list) {
			return coin(c) + "ia"
		}
		return c.oneOf(list)
	})
	if len(original) <= 3 { // "USA", "UK": too short to show the case of words
		return to
	}
	return letter.InCaseOf(to, text)
}

// placeKinds are words for the kind of a place; they are kept.
var placeKinds = words.Set("known/place-kinds")

// place replaces a county or another place: words for its kind stay, its name becomes a made-up
// one, its numbers are changed.
func (w *work) place(text string) string {
	if len(coreRuns(text, placeKinds)) == 0 {
		if turned := w.turned(text); turned != text {
			return turned
		}
	}
	return w.reworded(text, placeKinds, kindPlace)
}

var directions = []string{"north", "east", "south", "west"}

// turned replaces the points of the compass in a text ("East Wing") by others.
func (w *work) turned(s string) string {
	turn := 1 + w.source.choices(kindPlace, "directions").below(3)
	var out strings.Builder
	at := 0
	for _, t := range text.Tokenize(s) {
		if i := slices.Index(directions, strings.ToLower(s[t.Start:t.End])); i >= 0 {
			out.WriteString(s[at:t.Start])
			out.WriteString(letter.InCaseOf(letter.Titled(directions[(i+turn)%4]), s[t.Start:t.End]))
			at = t.End
		}
	}
	return out.String() + s[at:]
}

// reworded replaces each run of words that are not in keep by a made-up place name, and numbers by
// numbers. If all words are in keep, a name is put before them.
func (w *work) reworded(text string, keep map[string]bool, k kind) string {
	var out strings.Builder
	at, changed := 0, false
	for _, run := range coreRuns(text, keep) {
		out.WriteString(text[at:run.Start])
		core := text[run.Start:run.End]
		if strings.IndexFunc(core, func(r rune) bool { return letter.IsAlnum(r) && (r < '0' || r > '9') }) < 0 {
			out.WriteString(w.number(core))
		} else {
			out.WriteString(w.madePlace(core, k, afterSaint(text[:run.Start])))
		}
		at, changed = run.End, true
	}
	out.WriteString(text[at:])
	if !changed && letter.Alnum(text) != "" {
		return w.madePlace(text, k, false) + " " + text
	}
	return out.String()
}

// coreRuns finds the runs of words that are not in keep. A run continues over blanks, hyphens and
// apostrophes; numbers are runs of their own, except in short codes ("7A").
func coreRuns(s string, keep map[string]bool) []phi.Range {
	var runs []phi.Range
	tokens := text.Tokenize(s)
	open := false
	for i, t := range tokens {
		word := strings.ToLower(s[t.Start:t.End])
		switch {
		case t.Kind == text.Punct:
			open = open && (strings.ContainsAny(word, "-'.&") || strings.ContainsRune("’", []rune(word)[0]))
		case t.Kind == text.Word && (keep[word] || word == "s" && i > 0 && !t.Space):
			open = false
		case open && (t.Kind == text.Word || !t.Space):
			runs[len(runs)-1].End = t.End
		default:
			runs = append(runs, phi.Range{Start: t.Start, End: t.End})
			open = t.Kind == text.Word || i+1 < len(tokens) && !tokens[i+1].Space && tokens[i+1].Kind == text.Word
		}
	}
	return runs
}

// afterSaint reports whether text ends with "St." or "Saint".
func afterSaint(text string) bool {
	t := strings.TrimRight(strings.ToLower(text), " .")
	return t == "st" || t == "saint" || strings.HasSuffix(t, " st") || strings.HasSuffix(t, " saint")
}

// madePlace returns the made-up place name for a text, in its case; a saint's name becomes a
// saint's name, a short code ("7A", "MGH") another code.
func (w *work) madePlace(text string, k kind, saint bool) string {
	original := squeeze(letter.Plain(text))
	if isCode(text) {
		return w.number(text)
	}
	to := w.find(k, original, func(c *choices, try int) string {
		if saint && try < 2*len(saints) {
			return c.oneOf(saints)
		}
		return placeName(c, try)
	})
	return letter.InCaseOf(to, text)
}

// isCode reports whether a text is a code: letters with digits, or capitals that are not a word.
func isCode(s string) bool {
	if strings.ContainsAny(s, "0123456789") && !strings.Contains(s, " ") {
		return true
	}
	n := len(s)
	return n <= 5 && letter.Case(s) == text.Upper && !strings.Contains(s, " ") &&
		(!strings.ContainsAny(strings.ToLower(s), "aeiouy") || n <= 4 && !knownName(s, 48))
}

var saints = words.List("drawn/saints")

var (
	placeStarts = words.List("drawn/place-starts")
	placeEnds   = words.List("drawn/place-ends")
)

// placeName makes up a name such as "Fairbrook" (some 3,000), and after many tries "Fairbrook
// Dale".
func placeName(c *choices, try int) string {
	start, end := c.oneOf(placeStarts), c.oneOf(placeEnds)
	if strings.EqualFold(start, end) {
		return ""
	}
	name := start + end
	if try > 64 {
		name += " " + letter.Titled(c.oneOf(placeEnds))
	}
	return name
}
