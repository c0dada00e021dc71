// Package surrogate replaces protected health information by realistic made-up values, as
// Supplementary Table 2 of Murugadoss et al. (Patterns, 2021) specifies for each type.
//
// Everything is derived by HMAC from a [Key], the patient's pseudonym and the original, so that
// all workers pick the same surrogate without coordination. A [Maker] holds the key and the
// settings. A [Book] holds one patient's surrogates: stored entries take precedence over
// derivation, and a collision of two originals is resolved once and stored. What is stored is an
// [Entry]: a keyed hash and the surrogate, never an original.
//
// For every text that [Book.Replace] returns without an error:
//
//   - it contains no identifier of the patient's gazetteer, except where an [Action] keeps it on
//     purpose;
//   - one original of a patient has one surrogate in all notes and columns, and two originals of
//     the same [Entry.Kind] never share one;
//   - a surrogate is neither the original nor a word of the gazetteer;
//   - the distance in days between two complete dates is unchanged.
package surrogate
