// Package stacking decides with a classifier which of the words proposed by an ensemble's members
// are PHI: stacked generalisation, as Zhao et al. did it for de-identification (JMIR Med. Inform.
// 8(4):e17622, 2020), after Kim and Riloff (BioNLP 2015).
//
// A candidate is a span of the union of all votes, including unsure ones. For each of its words
// the classifier sees who proposed it and how sure they were, whether their ranges and types
// agree, what kind of span it is and where in it the word is, what the lexicon knows of the word
// and its neighbours, and whether the word is elsewhere in the note (see features.go). Words below
// the threshold are removed from a candidate's ends; a candidate without words is dropped. What a
// member is sure of is never dropped, see [merge.Stacker].
//
// The classifier is a sum of small decision trees, fitted by gradient boosting (Friedman, Ann.
// Stat. 29(5), 2001) with histograms of the features. The paper uses a support vector machine with
// a radial kernel; README.md of package ensemble compares them.
//
// The threshold is chosen for recall. Training measures on held-out notes which share of the words
// with PHI that votes would find is kept at which threshold, and stores that curve in the model:
// see [Model.Stacker]. What votes would not find, since only one source proposes it and is unsure,
// needs a higher probability: see [Data.Admit].
package stacking
