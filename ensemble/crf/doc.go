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
// A key is looked up once for the token that has it, not once for each token that it
// says something of: its entries tell for which place and which label they are.
//
// # What holds
//
//   - Scores are sums of integers, so that they do not depend on an order.
//   - An I- stands only behind a B- or I- of its type, in training and in use.
//   - Sentences of more than 256 tokens are labelled piece by piece with what stands
//     beside: memory and time are bounded by the length of the note.
//   - No file is parsed before its SHA-256 was compared; numbers in it are checked
//     against their bounds, whatever the checksums say.
package crf
