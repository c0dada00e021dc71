// Package surrogate puts realistic made-up values in the place of protected health
// information, as Supplementary Table 2 of Murugadoss et al. (Patterns, 2021) says
// for each type.
//
// Everything is derived by HMAC from a [Key], the patient's pseudonym and the
// original, so that any worker picks the same surrogate without asking another.
// A [Maker] holds the key and the settings; a [Book] holds one patient's
// surrogates: what was stored before wins over derivation, and a clash between
// two originals is settled once and stored. What is stored is an [Entry]: a keyed
// hash and the surrogate, never an original.
//
// These hold for every text that [Book.Replace] returns without an error:
//
//   - no identifier of the patient's gazetteer stands in it, save where it was kept
//     on purpose by an [Action];
//   - one original of a patient has one surrogate in all notes and columns, and two
//     originals of the same [Entry.Kind] never share one;
//   - a surrogate is never the original, nor a word that the gazetteer holds;
//   - the distance in days between two full dates is what it was.
package surrogate
