// Package date finds dates: days, months and years in figures and in words, weekdays,
// holidays, seasons, quarters, decades, and ranges of them. Each rule is a method that reads a
// form from the token at which it begins and returns the token behind it, or 0.
//
// A pair such as 3/5 is a date only next to words that say so, or in a note that shows dates
// of this form, and there only if it can't be a score, a ratio, a dose or a vital sign.
package date
