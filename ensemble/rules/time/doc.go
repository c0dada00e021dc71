// Package time finds times of day: on the clock, 10:30 and 8:04:12 PM, by hours, 10am and 9p,
// and in four digits without a colon, 1430, where words, a date or the form of the note say
// that they are a time. Each rule is a method that reads a form from the token at which it
// begins and returns the token behind it, or 0.
package time
