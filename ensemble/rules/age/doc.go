// Package age finds ages: with their unit, 67 y.o. and 3 weeks old, with a sex, 45M, behind a
// label or a word of life, and of relatives. The span of an age in years is its number alone;
// one in shorter units has its units, which say as much as the number. Each rule reads a form
// from the token at which it begins and returns the token behind it, or 0.
package age
