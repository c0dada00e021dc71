package main

import (
	"strings"
	"unicode"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
)

// clinical marks eponyms, diseases, drugs and abbreviations.
func (b *builder) clinical() error {
	err := b.src.lines("clinical-vocab/eponyms.txt", func(line string) {
		for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '-' }) {
			w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
			if len(w) >= 3 && unicode.IsUpper(rune(w[0])) {
				b.flag(w, lexicon.Eponym)
			}
		}
	})
	if err != nil {
		return err
	}
	for w := range strings.FieldsSeq(furtherEponyms) {
		b.flag(w, lexicon.Eponym)
	}
	if err := b.src.lines("clinical-vocab/doid_terms.txt.gz", b.disease); err != nil {
		return err
	}
	for _, f := range []string{"ingredients", "trade_names"} {
		err := b.src.lines("clinical-vocab/fda_orange_book_"+f+".txt", func(line string) {
			for _, w := range strings.Fields(line) {
				b.clinicalWord(w, 5)
			}
		})
		if err != nil {
			return err
		}
	}
	for w := range strings.FieldsSeq(tradeNames) {
		b.clinicalWord(w, 4)
	}
	return b.src.records("clinical-vocab/medical_abbreviations.csv", func(get func(string) string) {
		if a := get("abbreviation"); !strings.Contains(a, " ") {
			b.clinicalWord(a, 2)
		}
	})
}

// disease adds the words of a disease's name. Capitalised ones are eponyms, as the list has all
// others in lower case.
func (b *builder) disease(line string) {
	for i, w := range strings.Fields(line) {
		w = strings.Trim(w, "(),;")
		w = strings.TrimSuffix(w, "'s")
		switch {
		case w == "" || strings.ContainsRune(w, '\''):
		case len(w) >= 4 && i > 0 && unicode.IsUpper(rune(w[0])) && strings.ToLower(w[1:]) == w[1:]:
			b.flag(w, lexicon.Eponym)
		case w == strings.ToLower(w):
			b.clinicalWord(w, 5)
		}
	}
}

func (b *builder) clinicalWord(w string, least int) {
	if k := key(w); len(k) >= least && len(k) <= 24 && !strings.Contains(k, " ") {
		b.flag(k, lexicon.Clinical)
	}
}

// organisations marks the words that end names of facilities, and the first words that many of
// them share.
func (b *builder) organisations() error {
	ends := map[string]int{}
	for _, f := range []string{
		"dialysis", "home_health_agencies", "hospice", "hospitals", "longterm", "nursing", "rehab",
		"urgent_care_facilities", "va_facilities",
	} {
		err := b.src.records("synthea/providers_"+f+".csv.gz", func(get func(string) string) {
			words := strings.Fields(key(strings.Map(dropPunct, get("name"))))
			if len(words) > 1 {
				ends[words[len(words)-1]]++
			}
		})
		if err != nil {
			return err
		}
	}
	for w, n := range ends {
		if e := b.words[w]; n >= 25 && len(w) > 2 && (e == nil || e.flags&(lexicon.City|lexicon.State|lexicon.County) == 0) {
			b.flag(w, lexicon.Org)
		}
	}
	for _, w := range strings.Fields("inc llc corp corporation ltd company university college school church bank foundation " +
		"institute clinic pharmacy infirmary sanatorium") {
		b.flag(w, lexicon.Org)
	}
	return nil
}

func dropPunct(r rune) rune {
	if unicode.IsLetter(r) || r == '-' || r == '\'' {
		return r
	}
	return ' '
}

// occupations marks the nouns of the titles, as in "Engineer, studio" and "Woodworker".
func (b *builder) occupations() error {
	heads := map[string]int{}
	err := b.src.rows("alvearie-ibm/en_occupations.csv.gz", func(row []string) {
		title, _, _ := strings.Cut(row[0], ",")
		if words := strings.Fields(key(title)); len(words) > 0 {
			heads[words[len(words)-1]]++
		}
	})
	if err != nil {
		return err
	}
	for w := range heads {
		if len(w) >= 3 {
			b.flag(w, lexicon.Job)
		}
	}
	return nil
}

// fixed marks words that need no source: the calendar, and short forms of first names.
func (b *builder) fixed() error {
	for _, w := range strings.Fields(`january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec`) {
		b.flag(w, lexicon.Month)
	}
	for _, w := range strings.Fields(`monday tuesday wednesday thursday friday saturday sunday
		mon tue tues wed weds thu thur thurs fri sat sun`) {
		b.flag(w, lexicon.Weekday)
	}
	for k := range b.words {
		if len(lexicon.Nicknames(k)) > 0 {
			b.flag(k, lexicon.Nickname)
		}
	}
	return nil
}
