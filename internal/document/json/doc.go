// Package json reads and writes JSON (RFC 8259): all of a document, or the values that paths select.
//
// Every string that is a value is text, and so is every whole number that is long enough to identify somebody; keys, other
// numbers, true, false, null and all white space are layout. A string is a text of its own. What is written in it is not read as
// a document, unless a path of a [Selection] says so: then an [Opener] reads it.
package json
