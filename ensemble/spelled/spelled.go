// Package spelled reads and writes numbers in words: days, years and the digits of
// identifiers as people say them.
package spelled

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed numbers.txt
var numbers string

// tables hold the values of words, by the sections of the file.
type tables struct{ cardinal, ordinal, zero, repeat map[string]int }

var values = sync.OnceValue(func() *tables {
	t := &tables{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}}
	sections := map[string]map[string]int{"[cardinal]": t.cardinal, "[ordinal]": t.ordinal, "[zero]": t.zero, "[repeat]": t.repeat}
	var section map[string]int
	for line := range strings.Lines(numbers) {
		word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if next, ok := sections[word]; ok {
			section = next
		} else if n, err := strconv.Atoi(value); err == nil {
			section[word] = n
		}
	}
	return t
})

// Words returns the word at a place of a text, in lower case, "-" for a hyphen there, and
// "" for anything else and beyond its ends.
type Words func(i int) string

// Cardinal reads a number from 1 to 99 at place i, "eighty-two", and returns the place
// behind it, or i.
func (at Words) Cardinal(i int) (n, end int) { return at.below100(i, values().cardinal) }

// below100 reads a number whose last word is of a table.
func (at Words) below100(i int, last map[string]int) (n, end int) {
	if tens := values().cardinal[at(i)]; tens >= 20 {
		j := i + 1
		if at(j) == "-" {
			j++
		}
		if unit := last[at(j)]; unit > 0 && unit < 10 {
			return tens + unit, j + 1
		}
	}
	if n = last[at(i)]; n > 0 {
		return n, i + 1
	}
	return 0, i
}

// Ordinal reads "first" to "three hundred sixty-sixth".
func (at Words) Ordinal(i int) (n, end int) { return at.upTo999(i, values().ordinal) }

// Count reads "one" to "nine hundred ninety-nine".
func (at Words) Count(i int) (n, end int) { return at.upTo999(i, values().cardinal) }

func (at Words) upTo999(i int, last map[string]int) (n, end int) {
	if first := at(i); first == "" || values().cardinal[first] == 0 && last[first] == 0 {
		return 0, i // most words, with one look
	}
	start, hundreds := i, 0
	if h, j := at.Cardinal(i); j > i && h < 10 && at(j) == "hundred" {
		hundreds, i = 100*h, at.pastAnd(j+1)
	}
	n, end = at.below100(i, last)
	if end == i {
		return 0, start
	}
	return hundreds + n, end
}

func (at Words) pastAnd(i int) int {
	if at(i) == "and" {
		return i + 1
	}
	return i
}

// Year reads a year: "nineteen eighty-two", "nineteen oh five", "nineteen hundred", "two
// thousand and four", "twenty twenty".
func (at Words) Year(i int) (year, end int) {
	century, j := at.Cardinal(i)
	switch {
	case j == i:
		return 0, i
	case at(j) == "thousand" && century <= 2:
		return at.rest(1000*century, j+1)
	case at(j) == "hundred" && century >= 18 && century <= 20:
		return at.rest(100*century, j+1)
	case j > i+1: // of "twenty-one" only the twenty is a century
		century, j = values().cardinal[at(i)], i+1
	}
	if century < 18 || century > 20 {
		return 0, i
	}
	if at(j) == "-" {
		j++
	}
	if _, zero := values().zero[at(j)]; zero {
		if unit := values().cardinal[at(j+1)]; unit > 0 && unit < 10 {
			return 100*century + unit, j + 2
		}
		return 0, i
	}
	if n, after := at.Cardinal(j); after > j && n >= 10 {
		return 100*century + n, after
	}
	return 0, i
}

// rest reads what follows a round number in a year: "nine hundred", "and four", nothing.
func (at Words) rest(round, i int) (year, end int) {
	if h, j := at.Cardinal(at.pastAnd(i)); round%1000 == 0 && h < 10 && j > i && at(j) == "hundred" {
		round, i = round+100*h, j+1
	}
	j := at.pastAnd(i)
	if n, after := at.Cardinal(j); after > j {
		return round + n, after
	}
	return round, i
}

// DigitWords returns the words that Digits reads.
func DigitWords() []string {
	t := values()
	return slices.Concat(slices.Collect(maps.Keys(t.cardinal)), slices.Collect(maps.Keys(t.zero)), slices.Collect(maps.Keys(t.repeat)))
}

// Digits reads one or more digits of a number that is said digit by digit or in pairs:
// "five", "oh", "seventy-seven", "double four".
func (at Words) Digits(i int) (digits string, end int) {
	if times := values().repeat[at(i)]; times > 0 {
		if one, after := at.digit(i + 1); after > i+1 {
			return strings.Repeat(one, times), after
		}
		return "", i
	}
	if one, after := at.digit(i); after > i {
		return one, after
	}
	if n, after := at.Cardinal(i); after > i {
		return strconv.Itoa(n), after
	}
	return "", i
}

func (at Words) digit(i int) (string, int) {
	if _, zero := values().zero[at(i)]; zero {
		return "0", i + 1
	}
	if n := values().cardinal[at(i)]; n > 0 && n < 10 {
		return strconv.Itoa(n), i + 1
	}
	return "", i
}

// Year writes a year in words, as Year of [Words] reads it; one that it does not read, in
// digits.
func Year(year int) string {
	century, rest := year/100, year%100
	switch {
	case century < 18 || century > 20:
		return strconv.Itoa(year)
	case century == 20 && rest == 0:
		return "two thousand"
	case century == 20 && rest < 10:
		return "two thousand " + below100(rest)
	case rest == 0:
		return below100(century) + " hundred"
	case rest < 10:
		return below100(century) + " oh " + below100(rest)
	}
	return below100(century) + " " + below100(rest)
}

// Count writes a number from 1 to 999 in words.
func Count(n int) string {
	switch {
	case n < 100:
		return below100(n)
	case n%100 == 0:
		return below100(n/100) + " hundred"
	}
	return below100(n/100) + " hundred " + below100(n%100)
}

// Ordinal writes a number from 1 to 999 as an ordinal in words.
func Ordinal(n int) string {
	hundreds := ""
	if n > 100 {
		hundreds, n = below100(n/100)+" hundred ", n%100
	}
	if word := writtenOrdinals()[n]; word != "" {
		return hundreds + word
	}
	return hundreds + below100(n-n%10) + "-" + writtenOrdinals()[n%10]
}

func below100(n int) string {
	if word := writtenCardinals()[n]; word != "" {
		return word
	}
	return writtenCardinals()[n-n%10] + "-" + writtenCardinals()[n%10]
}

var (
	writtenCardinals = sync.OnceValue(func() map[int]string { return shortest(values().cardinal) })
	writtenOrdinals  = sync.OnceValue(func() map[int]string { return shortest(values().ordinal) })
)

// shortest returns a table the other way round: of several spellings the shortest, which is the right one.
func shortest(values map[string]int) map[int]string {
	words := map[int]string{}
	for word, n := range values {
		if old, ok := words[n]; !ok || len(word) < len(old) {
			words[n] = word
		}
	}
	return words
}
