// Package date finds dates.
//
//   - Day, month and year in figures, in the orders of ISO 8601, of the United States and of
//     Europe: 2014-03-05, 3/5/2014, 5.3.14; without marks 20140305; month and year 3/2014.
//   - With the name of the month: March 5th, 2014, 5 Mar 2014, 11Jul2013, March 5, March 2014, and a month alone
//     where it is no other word.
//   - A month and a day, 3/5, next to words that announce a date, before a time of day, and in a note that shows
//     dates of this form, where it can't be a score, a ratio, a dose or a vital sign.
//   - A year of four digits behind a word of time, '98, seasons with a year, days of the week and holidays
//     of one word.
//
// Each rule is a method that reads a form from the token at which it begins and returns the token behind it, or 0.
// Other dates, such as lists of years and days in words, are left to the members that learn.
package date
