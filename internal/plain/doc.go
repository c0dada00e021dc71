// Package plain reads the values of structured columns by closed grammars, and writes
// what may be published of them.
//
// A value is parsed as a whole into numbers. What is published is written anew from
// those numbers: no character of the input is copied. A value that no grammar covers
// is [ErrValue], and nothing of it is published.
package plain

import "errors"

// ErrValue says that a value does not fit its column's policy. It never quotes it.
var ErrValue = errors.New("a value does not fit its column's policy")

// ErrOrder says that a date can be read in two ways. It never quotes it.
var ErrOrder = errors.New("a date can be read month first or day first")
