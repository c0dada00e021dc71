// Package time finds times of day: on the clock, 10:30 and 8:04:12 PM (ISO 8601 and the 12-hour clock), by hours,
// 10am and 9p, and in four digits without a colon, 1430, where "at", "@" or "hrs" is next to them.
//
// Each rule reads a form from the token at which it begins and returns the token behind it, or 0. A duration, 0:20,
// is no time, for hours after midnight are written with two digits or behind "at".
package time
