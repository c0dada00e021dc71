// Package tbed learns rules that mend tags, and finds PHI by them: the
// transformation-based error-driven learning of Zhao et al. (JMIR Med. Inform. 8(4),
// 2020, e17622), after Brill (Computational Linguistics 21, 1995).
//
// A [Trainer] takes notes whose tokens are tagged. Its initial annotator is what the
// detector patterns finds and a few rules about cue words; [Trainer.Learn] then keeps,
// one after the other, the [Rule] that makes most wrong tags right, less the right ones
// that it makes wrong. The list is a text that people read and edit ([ReadRules],
// [WriteRules]); a [Model] runs it over notes and [Model.Member] makes a detector of it.
//
// Rules are applied in their order, each to all tokens of a sentence at once. So what
// training counted is what running does.
package tbed
