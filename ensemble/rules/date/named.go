package date

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/rules/cue"
)

//go:embed holidays.txt
var holidayFile string

// holidays are the words of holidays' names behind the first, by the first.
var holidays = sync.OnceValue(func() map[string][][]string {
	names := map[string][][]string{}
	for line := range strings.Lines(holidayFile) {
		if w := strings.Fields(line); len(w) > 0 && w[0] != "#" {
			names[w[0]] = append(names[w[0]], w[1:])
		}
	}
	return names
})

// holiday reads the longest name of a holiday that begins at token i, with a year behind it. A
// short one is a word of other languages or a verb and needs a capital.
func (f *finder) holiday(i int) int {
	first, j := f.possessive(i)
	longest := 0
	for _, rest := range holidays()[first] {
		if end := f.phrase(j, rest); end > longest {
			longest = end
		}
	}
	if longest == 0 || longest == i+1 && len(first) <= 3 && !f.Title(i) {
		return 0
	}
	if f.bare4(longest) && f.Here(longest) && !f.measured(longest+1) {
		return longest + 1
	}
	if end := f.quoted(longest); end > 0 {
		return end
	}
	return longest
}

// phrase returns the token behind the words at token i, or 0.
func (f *finder) phrase(i int, words []string) int {
	for _, w := range words {
		i = f.Skip(i, "-.")
		got, end := f.possessive(i)
		if got != w || !f.Follows(i) {
			return 0
		}
		i = end
	}
	return i
}

// possessive returns word i in lower case with the s behind its apostrophe, and the token
// behind it: "New Year's" gives "years".
func (f *finder) possessive(i int) (word string, end int) {
	if !f.Word(i) {
		return "", i
	}
	word = strings.ToLower(f.Str(i))
	if f.Mark(i+1) != '\'' || !f.Glued(i+1) {
		return word, i + 1
	}
	if f.Equal(i+2, "s") && f.Glued(i+2) {
		return word + "s", i + 3
	}
	if strings.HasSuffix(word, "s") {
		return word, i + 2
	}
	return word, i + 1
}

// dayOfWeek reads a weekday, alone or with the date behind it: Tuesday, July 24; Wed 3/5. A
// short form needs a capital if it is another word, too, and then a date, a time or a word of
// time next to it.
func (f *finder) dayOfWeek(i int, s cue.Set) int {
	if f.Glued(i) && (f.Word(i-1) || f.Number(i-1) || f.Mark(i-1) == '_' || f.Mark(i-1) == '\'') {
		return 0
	}
	j := f.behind(i)
	if end := f.dateBehind(f.Skip(j, ",")); end > 0 && f.Here(j) && (s&weekday != 0 || f.Capital(i)) {
		return end
	}
	switch {
	case s&weekday != 0:
		return i + 1
	case s&doubtfulDay == 0:
		return i + 1
	case f.Title(i) && f.Here(i) && (f.In(i-1, near) || f.Equal(i-1, "on") || f.Equal(i-1, "until") || f.Equal(i-1, "by")):
		return i + 1
	case f.Title(i) && (f.timed(j) || f.Equal(i, "mon") || f.Equal(i, "wed")):
		return i + 1
	}
	return 0
}

// dateBehind returns the token behind a date with a day at token j, or 0.
func (f *finder) dateBehind(j int) int {
	if f.In(j, the) {
		j++
	}
	switch {
	case f.In(j, month):
		if end := f.dayBehind(j, f.behind(j)); end > 0 {
			return end
		}
	case f.Number(j) && f.Here(j):
		for _, form := range [...]func(*finder, int) int{(*finder).complete, (*finder).monthYear, (*finder).dayFirst, (*finder).pairOf} {
			if end := form(f, j); end > 0 {
				return end
			}
		}
	}
	return 0
}

// season reads a season and its year, or a season that a word of time chooses: spring 2011,
// last summer, in the winter. One that is an event, too, needs "in" and an article, or a
// capital.
func (f *finder) season(i int) int {
	j := f.Skip(i+1, ",")
	if f.In(j, of) {
		j++
	}
	if f.year4(j) && f.Value(j) >= firstBare && f.Here(j) {
		return j + 1
	}
	if end := f.quoted(j); end > 0 {
		return end
	}
	chosen := f.In(i-1, the) && f.In(i-2, within|part)
	if !f.In(i, doubtfulSeason) {
		chosen = chosen || f.In(i-1, near|part|within)
	}
	if chosen || f.Equal(i-1, "past") && f.Equal(i-2, "this") {
		return i + 1
	}
	return 0
}

// quarter reads a quarter of a year: Q1 2021, Q3 '19, in Q4.
func (f *finder) quarter(i int) int {
	if f.Str(i) != "Q" || !f.Glued(i+1) || !f.upTo(i+1, 4, 1) || f.Glued(i) && i > 0 {
		return 0
	}
	j := f.Skip(i+2, "/-")
	if f.In(j, of) {
		j++
	}
	if f.bare4(j) && f.Here(j) {
		return j + 1
	}
	if end := f.quoted(j); end > 0 {
		return end
	}
	if f.Here(i) && f.In(i-1, within|near|part) && f.Ends(i+2) {
		return i + 2
	}
	return 0
}

// leastLate is where the days of a month begin that hardly number anything else.
const leastLate = 12

// theDay reads the day of a month that is known: the 29th, on the 3rd of this month. It stands
// behind a preposition, and no noun that it numbers follows.
func (f *finder) theDay(i int) int {
	end := f.suffix(i)
	if end == i+1 || !f.Glued(i+1) || !f.day2(i) || !f.In(i-1, the) || !f.Here(i) {
		return 0
	}
	if f.In(end, of) && f.In(end+1, the|near) && f.Equal(end+2, "month") {
		return end
	}
	if !f.In(i-2, preposition) && !(f.Ends(end) && f.Value(i) > leastLate) ||
		f.Word(end) && f.Here(end) && !f.In(end, preposition|within|conjunction) {
		return 0
	}
	return end
}
