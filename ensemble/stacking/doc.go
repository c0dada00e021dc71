// Package stacking decides by a classifier which words of those that an ensemble's members
// propose are PHI: stacked generalisation, as Zhao et al. did it for de-identification (JMIR
// Med. Inform. 8(4):e17622, 2020), after Kim and Riloff (BioNLP 2015).
//
// A candidate is a span of the union of all votes, unsure ones too. Of each of its words the
// classifier sees who proposed it and how sure they were, whether their ranges and types
// agree, what kind of span it is and where in it the word stands, what the lexicon knows of
// the word and its neighbours, and whether the note has the word elsewhere (see features.go).
// Words below the threshold are taken off a candidate's ends; a candidate of which none is
// left is dropped. What a member is sure of never is, see [merge.Stacker].
//
// The classifier is a sum of small decision trees, fitted by gradient boosting (Friedman,
// Ann. Stat. 29(5), 2001) with histograms of the features. The paper has a support vector
// machine with a radial kernel; README.md of package ensemble says how the two compare.
//
// The threshold is chosen for recall. Training measures on notes that were left out of it
// which share of the words with PHI that votes would find stays at which threshold, and
// keeps that curve in the model: see [Model.Stacker]. What votes would not find, since one
// source alone proposes it and is unsure, has to be surer: see [Data.Admit].
package stacking
