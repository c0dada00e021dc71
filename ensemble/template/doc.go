// Package template finds PHI in sentences of a form that a person has verified, and makes
// such forms of sentences in which PHI was found (main paper, "Autogenerating templates using
// statistical NER models"):
//
//	Electronically signed by: <DOCTOR W, W W> on <DATE N/N/N> at <TIME N:N PM CST>
//
// [Of] and [All] make templates of sentences, [Parse] reads them, and a [Set] is all of them
// as one automaton that [Set.Find] walks once per sentence.
package template
