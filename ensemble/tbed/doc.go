// Package tbed learns rules that correct tags, and detects PHI with them: the transformation-based
// error-driven learning of Zhao et al. (JMIR Med. Inform. 8(4), 2020, e17622), after Brill
// (Computational Linguistics 21, 1995).
//
// A [Trainer] takes notes with tagged tokens. Its initial annotator is the detector patterns and a
// few rules about cue words; [Trainer.Learn] then repeatedly adds the [Rule] that corrects most
// wrong tags, less the correct ones that it breaks. The list is a text file that people can read
// and edit ([ReadRules], [WriteRules]); a [Model] runs it over notes and [Model.Member] makes a
// detector of it.
//
// Rules are applied in order, each to all tokens of a sentence at once, so that running does
// exactly what training counted.
package tbed
