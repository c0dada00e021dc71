// Package eval scores de-identification against gold spans: by words, as Supplementary Table 4 of
// Murugadoss et al., Patterns 2 (2021) counts them, for the groups A, B and C of that paper's
// Table 1; by entities and tokens, as the i2b2/UTHealth 2014 shared task does; and by what remains
// of the gold after replacement. README.md lists which table of which paper is where.
//
// A word of a gold span (delimited by white space, as far as it lies in the span) is found if
// predictions cover all its letters and digits, whatever their type: what matters is what stays
// readable. A word of a prediction is a false alarm if none of its letters or digits is gold.
package eval
