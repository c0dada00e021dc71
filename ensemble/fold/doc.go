// Package fold reads a text as a person sees it, whatever it is written with: entities
// and tags of markup, letters of mathematics or in circles, invisible characters, text
// that a control character turns round, words glued in camel case. Each reading knows
// where in the original its parts are.
package fold
