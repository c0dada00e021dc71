// Package eval scores de-identification against gold spans: by words, as
// Supplementary Table 4 of Murugadoss et al., Patterns 2 (2021) counts them, for the
// groups A, B and C of that paper's Table 1; by entities and tokens, as the i2b2/UTHealth
// 2014 shared task does; and by what is left of the gold once surrogates have taken its
// place. README.md says which table of which paper is where.
//
// A word of a gold span (what white space separates, as far as it lies in the
// span) is found when predictions cover all its letters and digits, whatever
// their type: what stays readable is what matters. A word of a prediction is a
// false alarm when not one of its letters or digits is gold.
package eval
