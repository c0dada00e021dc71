// Package crf labels the words of a sentence with a linear-chain conditional random
// field (Lafferty, McCallum and Pereira, ICML 2001), as in Dernoncourt et al. (J. Am. Med.
// Inform. Assoc. 24, 2017) and, with crosses of features, Zhao et al. (JMIR Med. Inform.
// 10, 2022). It is trained here, without other software: see [Train].
//
//	note ─ features.Sheet ─ rows of keys ─ templates ─ keys of features
//	                                          │ one look-up each
//	                                          └─ weights, added to the scores of tokens nearby
//	scores and the chain's weights ─ Viterbi, or marginals and thresholds ─ spans
//
// A key is looked up once for the token that has it, not once for each token that it describes:
// its entries contain offset and label.
//
// # Properties
//
//   - Scores are sums of integers, so that they do not depend on an order.
//   - An I- follows only a B- or I- of its type, in training and in use.
//   - Sentences of more than 256 tokens are labelled in pieces with some context: memory and time
//     are bounded by the length of the note.
//   - A file is parsed only if its SHA-256 is correct; numbers in it are checked against their
//     bounds in any case.
package crf
