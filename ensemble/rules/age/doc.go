// Package age finds ages.
//
//   - A number and a unit that make an age: 67 y.o., 53-year-old, 3 weeks old, 34 years of age, 7 yr F; the number
//     may be in words.
//   - A number and a sex in letters that belong together: 53RHM, 86F, 58/M.
//   - A number behind a label, Age: 45, aged 67, turned 90, or behind the word for a relative: Sister, 54; father (82).
//
// The span of an age in years is its number alone; one in shorter units has its units, which say as much as the
// number. Each rule reads a form from the token at which it begins and returns the token behind it, or 0. Decades
// of a life and ages without a label are left to the members that learn.
package age
