// Package surrogate turns spans into text: it makes the realistic surrogates of
// Supplementary Table 2 of Murugadoss et al., Patterns 2 (2021), shifts dates,
// derives pseudonyms, and keeps the key. It knows nothing of databases.
package surrogate
