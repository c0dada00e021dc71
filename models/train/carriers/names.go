package main

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/synth"
)

// loadLists makes the lists of a fold from the lexicon and the data: names of all
// groups and countries, rare ones too, each as often as any other.
func loadLists(data folder, fold synth.Fold) (synth.Lists, error) {
	l := synth.LexiconLists()
	for g := range l.Surnames {
		l.Surnames[g] = slices.Clone(l.Surnames[g])
		l.FirstNames[g] = [2][]string{slices.Clone(l.FirstNames[g][0]), slices.Clone(l.FirstNames[g][1])}
	}
	l.Places, l.Streets, l.Jobs = slices.Clone(l.Places), slices.Clone(l.Streets), slices.Clone(l.Jobs)
	l.Even = true
	for _, add := range []func(folder, *synth.Lists) error{addCensus, addFirstNames, addWorld, addPlaces, addFacilities, addWork} {
		if err := add(data, &l); err != nil {
			return l, err
		}
	}
	for g := range l.Surnames {
		l.Surnames[g] = distinct(l.Surnames[g])
		l.FirstNames[g] = [2][]string{distinct(l.FirstNames[g][0]), distinct(l.FirstNames[g][1])}
	}
	l.Facilities, l.Employers, l.Jobs, l.Streets = distinct(l.Facilities), distinct(l.Employers), distinct(l.Jobs), distinct(l.Streets)
	return l.Fold(fold), nil
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// nameCase writes "mcdonald" or "SMITH-JONES" as names are written.
func nameCase(name string) string {
	var b strings.Builder
	first := true
	for _, r := range strings.ToLower(name) {
		if first {
			r = unicode.ToUpper(r)
		}
		first = !unicode.IsLetter(r)
		b.WriteRune(r)
	}
	s := b.String()
	if rest, ok := strings.CutPrefix(s, "Mc"); ok && len(rest) > 2 {
		return "Mc" + strings.ToUpper(rest[:1]) + rest[1:]
	}
	return s
}

// takes reports whether a listed name is to be used: letters only, and no word that
// is met as a word far more often than as a name.
func takes(name string) bool {
	if utf8.RuneCountInString(name) < 2 || strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!strings.ContainsRune(" -'’.", r)
	}) {
		return false
	}
	return true
}

// groupColumns are the columns of shares by group.
var groupColumns = [lexicon.NumGroups]string{
	lexicon.White: "probability_white", lexicon.Black: "probability_black", lexicon.Hispanic: "probability_hispanic",
	lexicon.Asian: "probability_asian", lexicon.Native: "probability_american_indian",
}

// addCensus adds the surnames of the Census that are mostly of one group.
func addCensus(data folder, l *synth.Lists) error {
	return data.readCSV("names-us/surnames_race.csv.gz", func(column func(string) string) {
		name := nameCase(column("name"))
		if g, ok := likelyGroup(column, 0.6); ok && takes(name) && len(l.Surnames[g]) < 30_000 {
			l.Surnames[g] = append(l.Surnames[g], name)
		}
	})
}

// likelyGroup is the group that most bearers of a name belong to. Few names are
// mostly Black or Native: there a smaller share will do.
func likelyGroup(column func(string) string, least float64) (lexicon.Group, bool) {
	for _, g := range []lexicon.Group{lexicon.Native, lexicon.Black, lexicon.Asian, lexicon.Hispanic, lexicon.White} {
		want := least
		if g == lexicon.Native || g == lexicon.Black {
			want = 0.4
		}
		if share, err := strconv.ParseFloat(column(groupColumns[g]), 64); err == nil && share >= want {
			return g, true
		}
	}
	return lexicon.White, false
}

// addFirstNames adds first names by sex, and by group where shares are known; a
// name of which no group is known goes to the group White, as most do in the US.
func addFirstNames(data folder, l *synth.Lists) error {
	groups := map[string]lexicon.Group{}
	err := data.readCSV("names-us/first_names_race.csv.gz", func(column func(string) string) {
		if g, ok := likelyGroup(column, 0.5); ok {
			groups[column("name")] = g
		}
	})
	if err != nil {
		return err
	}
	n := 0
	return data.readCSV("names-us/ssa_first_names_by_decade.csv.gz", func(column func(string) string) {
		name := column("name")
		if n++; !takes(name) || n > 40_000 {
			return
		}
		g, known := groups[strings.ToLower(name)]
		if !known && n%3 == 0 {
			g = lexicon.Black // names invented of late are often African American
		}
		sex := 0
		if column("sex") == "F" {
			sex = 1
		}
		l.FirstNames[g][sex] = append(l.FirstNames[g][sex], name)
	})
}

// asian and hispanic are the countries of names-world that belong to these groups;
// the others count as White, African ones as Black.
var worldGroups = map[lexicon.Group]string{
	lexicon.Asian: "CN HK TW JP KR KP VN TH PH ID MY SG IN PK BD LK NP MM KH LA MN KZ UZ TM KG TJ AF IR IQ SA AE JO LB SY KW QA " +
		"BH OM YE PS",
	lexicon.Hispanic: "ES MX AR BR CL CO PE VE EC BO PY UY CR PA CU DO PR GT HN SV NI PT",
	lexicon.Black:    "NG GH KE ET UG TZ ZA SN CM CI ML BF RW SO SD ER MZ ZW ZM JM HT BB TT DZ MA TN LY EG",
}

func worldGroup(country string) lexicon.Group {
	for g, countries := range worldGroups {
		if slices.Contains(strings.Fields(countries), country) {
			return g
		}
	}
	return lexicon.White
}

// latin returns the romanised form of a name if it is written in Latin letters.
func latin(names ...string) string {
	for _, n := range names {
		if takes(n) && !strings.ContainsFunc(n, func(r rune) bool { return r > 0x24f && (r < 0x1e00 || r > 0x1eff) && r != '’' }) {
			return n
		}
	}
	return ""
}

// addWorld adds the popular names of other countries.
func addWorld(data folder, l *synth.Lists) error {
	err := data.readCSV("names-world/common-forenames-by-country.csv", func(column func(string) string) {
		sex := 0
		if column("Gender") == "F" {
			sex = 1
		}
		g := worldGroup(column("Country"))
		if name := latin(column("Localized Name"), column("Romanized Name")); name != "" {
			l.FirstNames[g][sex] = append(l.FirstNames[g][sex], nameCase(name))
		}
	})
	if err != nil {
		return err
	}
	return data.readCSV("names-world/common-surnames-by-country.csv", func(column func(string) string) {
		g := worldGroup(column("Country"))
		if name := latin(column("Localized Name"), column("Romanized Name")); name != "" {
			l.Surnames[g] = append(l.Surnames[g], nameCase(name))
		}
	})
}
