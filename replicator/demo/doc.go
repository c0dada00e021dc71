// Package demo shows the whole way on made-up data: two servers, an EHR, the
// migrations, the first copy, live changes, notes before and after, what was
// measured, and the engine asked in SQL. It is the one part of pgdeid that prints the text of notes: those of a
// hospital that exists nowhere.
package demo
