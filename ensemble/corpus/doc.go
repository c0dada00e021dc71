// Package corpus reads and writes documents at rest: annotated notes as i2b2 XML, BRAT
// and JSON Lines, sentences to learn from, and what the labels of a set mean.
package corpus
