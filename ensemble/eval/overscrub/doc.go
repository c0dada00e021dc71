// Package overscrub is a suite of clinical terms in context which a de-identifier must
// leave alone: eponyms, scores, devices, drugs, abbreviations, numbers with units,
// section headers, words that are names elsewhere. No sentence of it holds PHI.
//
// The terms are general medical vocabulary, and the sentences were written for this
// suite. None is a template that a model was trained on; the terms themselves stand in
// many texts, so that a model may well have seen them.
//
// # Files
//
// A file of terms holds, a line each:
//
//	# a remark
//	@ name of a category, for all that follows
//	= a sentence with {} where a term of this category goes; \n breaks the line
//	a term; another; another
//	> a sentence of its own for [[a term]]
//
// A term takes turns through the sentences of its category: three as they stand, one in
// capitals and one in lower case. A sentence of its own is used as it stands and in
// capitals.
//
// # Halves
//
// Each term belongs to one half, chosen by its first word, so that "Parkinson's
// disease" and "Parkinson facies" fall together. What is found in the half [Dev] may be
// mended; the half [Test] is for figures alone, and nothing may be mended for a term
// because it was seen to be taken there. The sentences around the terms are the same in
// both halves.
package overscrub
