// Package corpus reads and writes annotated notes as i2b2 XML, BRAT and JSON Lines, reads labelled
// sentences for training, and maps the labels of corpora to PHI types.
package corpus
