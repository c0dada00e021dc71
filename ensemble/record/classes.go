package record

import (
	"strconv"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/spelled"
	"github.com/pgdeid/pgdeid/ensemble/text"
)

// class says what a word means for the value next to it.
type class uint16

const (
	isApartment class = 1 << iota
	isCompass
	isStreetType
	isInDate // between the parts of a date
	isMonth
	isYears
	isBeforeMonth
	isNumberLabel
	isFaxLabel
	isPagerLabel
	isPhoneLabel
	isSaidDigit // a digit or two in words

	isLabel = isNumberLabel | isFaxLabel | isPagerLabel | isPhoneLabel
)

// classLists are the files of the lexicon with the words of each class.
var classLists = map[class]string{
	isApartment: "record/apartments", isCompass: "record/compass", isStreetType: "record/street-types",
	isInDate: "record/in-date", isYears: "record/years", isBeforeMonth: "record/before-month", isNumberLabel: "record/number-labels",
	isFaxLabel: "record/fax-labels", isPagerLabel: "record/pager-labels", isPhoneLabel: "record/phone-labels",
}

// classes holds the classes of words by their keys.
var classes = sync.OnceValue(func() *index[class] {
	all := newIndex[class](0)
	for c, list := range classLists {
		for _, w := range lexicon.Words(list) {
			all.values[text.FoldedKey(w)] |= c
		}
	}
	for month := range months() {
		all.values[month] |= isMonth
	}
	for _, w := range spelled.DigitWords() {
		all.values[text.FoldedKey(w)] |= isSaidDigit
	}
	all.finish()
	return &all
})

// monthNames holds the numbers of months by their names, folded.
var monthNames = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, line := range lexicon.Words("record/months") {
		name, number, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(number); err == nil {
			all[lexicon.Fold(name)] = n
		}
	}
	return all
})

// months holds the numbers of months by the keys of their names.
var months = sync.OnceValue(func() map[uint64]int {
	all := map[uint64]int{}
	for name, n := range monthNames() {
		all[text.FoldedKey(name)] = n
	}
	return all
})

// classOf returns the classes of a word in any case.
func classOf(word string) class { return classes().get(text.KeyOf(word)) }

// wordSet reads a list of the lexicon.
func wordSet(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range lexicon.Words(list) {
			set[w] = true
		}
		return set
	})
}
