// Package acceptance is the arithmetic of acceptance sampling: how many notes persons must read before
// a claim such as "recall of names is at least .99, with 95% confidence" can be made, which notes, and
// what their decisions prove. It knows nothing of texts and databases.
//
// # Intervals
//
// Misses come in bunches: who misses a patient's name in a note misses it in the next line, and in
// the next note. Intervals that count every word as an observation of its own are then far too
// narrow. An estimate has three intervals:
//
//   - [Exact] of Clopper and Pearson (1934), right if misses are independent of each other;
//   - [Robust] of Korn and Graubard (1998): the variance of the ratio estimator over patients
//     (Cochran, Sampling Techniques, 1977, section 6.3; the design effect of Rao and Scott, 1981) makes an effective
//     sample size, with which Clopper and Pearson's formula is used. It needs some patients with misses to learn from;
//   - [Bounded] of Stringer (1963), which auditors use for rare errors of unknown size: it counts patients,
//     and an unread patient may have all names missed. It is conservative for every pattern of bunches
//     (Bickel, 1992; Pap and van Zuijlen, 1996), and a miss more never makes it better.
//
// Claims are judged by the bounded interval. A bootstrap over patients is not among them: without a miss in
// the sample it has no width at all, which is where a claim is made.
//
// Without any miss, the bounded interval is the rule of three: at 95% confidence, no bad patient among n
// bounds the share of bad ones by about 3/n (Hanley and Lippman-Hand, 1983).
//
// What reviewers miss themselves is in no interval: see [Recapture].
//
// # Sources
//
//   - Bickel, Inference and auditing: the Stringer bound. International Statistical Review 60 (1992), 197.
//   - Chapman, Some properties of the hypergeometric distribution with applications to zoological
//     sample censuses. University of California Publications in Statistics 1 (1951), 131.
//   - Chao, Estimating population size for sparse data in capture-recapture experiments. Biometrics 45 (1989), 427.
//   - Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial.
//     Biometrika 26 (1934), 404.
//   - Hanley and Lippman-Hand, If nothing goes wrong, is everything all right? JAMA 249 (1983), 1743.
//   - Kish, Survey Sampling. Wiley, 1965.
//   - Korn and Graubard, Confidence intervals for proportions with small expected number of positive
//     counts estimated from survey data. Survey Methodology 24 (1998), 193.
//   - Pap and van Zuijlen, On the asymptotic behaviour of the Stringer bound. Statistica Neerlandica 50 (1996), 367.
//   - Rao and Scott, The analysis of categorical data from complex sample surveys. JASA 76 (1981), 221.
//   - Stringer, Practical aspects of statistical sampling in auditing. Proceedings of the Business and
//     Economic Statistics Section, ASA (1963), 405.
package acceptance
