package main

import (
	"strconv"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// surnames reads the Census's counts.
func (b *builder) surnames() error {
	return b.src.rows("alvearie-ibm/us_last_names.csv.gz", func(row []string) {
		if len(row) < 2 {
			return
		}
		n, err := strconv.ParseFloat(row[1], 64)
		w := b.word(row[0])
		if err != nil || w == nil || strings.Contains(key(row[0]), " ") {
			return
		}
		w.surname += n
		b.totals.surname += n
	})
}

// firstNames reads the births of the Social Security Administration.
func (b *builder) firstNames() error {
	return b.src.records("names-us/ssa_first_names_by_decade.csv.gz", func(get func(string) string) {
		n, err := strconv.ParseFloat(get("total"), 64)
		w := b.word(get("name"))
		if err != nil || w == nil {
			return
		}
		w.first += n
		b.totals.first += n
		if get("sex") == "F" {
			w.female += n
		}
	})
}

// worldNames adds names that are frequent elsewhere and rare in the US, with a
// rate of about 8 in 10 million.
func (b *builder) worldNames() error {
	few := func(total float64) float64 { return total * 8 / 1e7 }
	err := b.src.records("names-world/common-surnames-by-country.csv", func(get func(string) string) {
		if w := b.name(get("Romanized Name")); w != nil {
			w.surname = max(w.surname, few(b.totals.surname))
		}
	})
	if err != nil {
		return err
	}
	return b.src.records("names-world/common-forenames-by-country.csv", func(get func(string) string) {
		w := b.name(get("Romanized Name"))
		if w == nil || w.first >= few(b.totals.first) {
			return
		}
		w.first = few(b.totals.first)
		if get("Gender") == "F" {
			w.female = w.first
		}
	})
}

func (b *builder) name(s string) *word {
	if k := key(s); len(k) < 2 || strings.Contains(k, " ") {
		return nil
	}
	return b.word(s)
}

var groupColumns = [lexicon.NumGroups]string{
	lexicon.White: "probability_white", lexicon.Black: "probability_black", lexicon.Hispanic: "probability_hispanic",
	lexicon.Asian: "probability_asian", lexicon.Native: "probability_american_indian",
}

// groups reads the shares of the Census groups among the bearers of names.
func (b *builder) groups() error {
	if err := b.shares("names-us/surnames_race.csv.gz", b.surnameGroup); err != nil {
		return err
	}
	if err := b.shares("names-us/first_names_race.csv.gz", b.firstGroup); err != nil {
		return err
	}
	for k, w := range b.words {
		shares, ok := b.surnameGroup[k]
		if first, isFirst := b.firstGroup[k]; isFirst && (!ok || scale(w.first, b.totals.first) > scale(w.surname, b.totals.surname)) {
			shares = first
		}
		w.group, w.share = argmax(shares)
	}
	return nil
}

func (b *builder) shares(file string, into map[string][lexicon.NumGroups]float64) error {
	return b.src.records(file, func(get func(string) string) {
		var shares [lexicon.NumGroups]float64
		for g, column := range groupColumns {
			p, err := strconv.ParseFloat(get(column), 64)
			if err == nil {
				shares[g] = p
			}
		}
		if k := key(get("name")); k != "" {
			into[k] = shares
		}
	})
}

func argmax(shares [lexicon.NumGroups]float64) (lexicon.Group, float64) {
	best := 0
	for g, p := range shares {
		if p > shares[best] {
			best = g
		}
	}
	return lexicon.Group(best), shares[best]
}
