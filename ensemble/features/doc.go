// Package features computes the features of tokens for detectors that learn: the n-gram,
// morphological, orthographic and gazetteer features of Dernoncourt et al. (J. Am. Med. Inform.
// Assoc. 24, 2017) and the unified feature set of Zhao et al. (JMIR Med. Inform. 10, 2022): the
// word, its stem, beginning and end, its form and that of the text it is joined to, its position
// in line, sentence and section, its lexicon entry, and the rules and records that hit it.
//
// An [Attribute] has a value for a token, a short readable text, or none (""). Models store and
// compare its [Key], a hash of 64 bits:
//
//	sheet, err := features.New(ctx, note, features.Options{Rules: true})
//	rows := sheet.Rows(nil, 0, len(note.View().Tokens))
//	rows[i][features.Lower] == features.KeyOf(features.Lower, sheet.Value(features.Lower, i))
//
// Values and hashes are part of the models that were trained on them: [Version] counts their
// changes, and a model names the one it needs.
//
// [Columns] is a compact form for networks, which read the word and its neighbours by themselves:
// hits of the patient's record, of the directory and of exact rules, and the lexicon's entry of
// the word, as small numbers.
package features
