// Package review holds what people decide when they look at notes beside what the replica shows of
// them: rounds of notes, readings and marks. It knows nothing of texts; a mark is a range with a
// type, a verdict and a keyed hash of the words in it.
//
// Package store keeps all this in the vault, package web is the server that people work with.
package review
