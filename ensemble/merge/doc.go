// Package merge makes one list of spans of what the members of an ensemble say of a note.
//
// Members that learned give a [Posterior]: for each token how probable each type of PHI is.
// [Pool] makes one posterior of the members of one model, and [Combiner.Combine] a
// [Verdict] on each token of those of all models:
//
//	P_k = probability of PHI, of all types together, by model k
//	z   = bias + sum of weight_k · log-odds(P_k), P_k within 1/1024 and its complement
//
// The class of a token is the one for which the weighted probabilities of its types add up
// to most. A token is PHI where z, less what clinical vocabulary says against it, reaches
// the threshold of its class, which a site moves with its recall biases; [Spans] makes
// spans of such tokens.
//
// Weights, thresholds and gates are data: see [Settings].
package merge
