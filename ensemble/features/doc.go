// Package features says of each token of a note what detectors that learn look at: the
// n-gram, morphological, orthographic and gazetteer features of Dernoncourt et al.
// (J. Am. Med. Inform. Assoc. 24, 2017) and the unified feature set of Zhao et al. (JMIR
// Med. Inform. 10, 2022): the word, its stem, beginning and end, its form and that of
// what it is glued to, where it is in its line, sentence and section, what the
// lexicon knows of it, and which rules and records hit it.
//
// An [Attribute] has a value for a token, a short readable text, or none (""). The value
// is the meaning; its [Key], a hash of 64 bits, is what models store and compare:
//
//	sheet, err := features.New(ctx, note, features.Options{Rules: true})
//	rows := sheet.Rows(nil, 0, len(note.View().Tokens))
//	rows[i][features.Lower] == features.KeyOf(features.Lower, sheet.Value(features.Lower, i))
//
// Values and hashes are part of the models that were trained on them: [Version] counts
// their changes, and a model names the one it needs.
//
// [Columns] has a short form of what is known of a token, for networks, which read the
// word and its neighbours by themselves: hits of the patient's record, of the directory and
// of exact rules, and what the lexicon knows of the word, as small numbers.
package features
