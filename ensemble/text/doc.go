// Package text splits a note's text into tokens and sentences, and knows of each word what
// the lexicon says of it and which roles it plays for the words next to it. A [View] holds all
// of it for one text.
package text
