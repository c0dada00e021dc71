// Package eval scores de-identification against gold spans: by words, as
// Supplementary Table 4 of Murugadoss et al., Patterns 2 (2021) counts them, and
// by entities, for the groups A, B and C of that paper's Table 1.
//
// A word of a gold span (what white space separates, as far as it lies in the
// span) is found when predictions cover all its letters and digits, whatever
// their type: what stays readable is what matters. A word of a prediction is a
// false alarm when not one of its letters or digits is gold.
package eval
