// Package overscrub is a suite of clinical terms in context that a de-identifier must not remove:
// eponyms, scores, devices, drugs, abbreviations, numbers with units, section headers, words that
// are names elsewhere. Its sentences contain no PHI.
//
// The terms are general medical vocabulary, and the sentences were written for this suite. None is
// a template that a model was trained on, although models may have seen the terms themselves.
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
// A term is put into the sentences of its category in turn: three unchanged, one in capitals and
// one in lower case. A sentence of its own is used unchanged and in capitals.
//
// # Halves
//
// Each term belongs to one half, chosen by its first word, so that "Parkinson's disease" and
// "Parkinson facies" are together. Errors in the half [Dev] may be fixed; the half [Test] is only
// measured, and nothing may be changed for a term seen there. Both halves share the sentences
// around the terms.
package overscrub
