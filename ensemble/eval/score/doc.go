// Package score counts what was found of the gold, document by document, and sums it up in reports. How words are counted
// is in the documentation of package eval.
package score
