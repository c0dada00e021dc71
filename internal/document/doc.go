// Package document reads the text that a person sees out of a document and puts other text in its place, in the same
// document.
//
// A parser of a format is a function that hands each byte of its input to exactly one method of [builder], in order, and an
// entry in the map of parsers. A format that can be known by how its documents begin has an entry in the claims for [Auto].
// The test function verify checks what has to hold for every document of a format; each format's fuzz test calls it.
package document
