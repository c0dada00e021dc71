// Package merge combines the output of an ensemble's members for a note to one list of spans.
//
// Learned members give a [Posterior]: the probability of each type of PHI for each token. [Pool]
// combines the posteriors of one model's members, and [Combiner.Combine] makes a [Verdict] on each
// token from those of all models:
//
//	P_k = probability of PHI, of all types together, by model k
//	z   = bias + sum of weight_k · log-odds(P_k), P_k within 1/1024 and its complement
//
// The class of a token is the one with the highest sum of weighted probabilities of its types. A
// token is PHI if z, less the weight of clinical vocabulary against it, reaches the threshold of
// its class, which a site moves with its recall biases; [Spans] makes spans of such tokens.
//
// Weights, thresholds and gates are data: see [Settings].
package merge
