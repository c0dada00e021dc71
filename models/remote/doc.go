// Package remote runs neural networks on other machines: a [Server] answers windows of words with what its networks say of
// them, and a [Pool] sends it windows that wait in this process.
//
// # What goes away
//
// Of what a note costs where no sentence was seen before, 28 ms of 39 on one machine, the graphs of networks take most, and to send a
// window costs less than to make numbers of it and to read the networks' output (BenchmarkAway). So it is
// windows that travel, a few dozen words each, and not notes with the records of their patients: rules, records,
// directories, verified sentences and the cache of sentences stay where they are, and a worker needs neither key, nor
// database, nor anything of the site but its models. What it answers is a pure function of the windows and the models.
// Sentences that were seen before are answered by the cache and travel nowhere. The stream keeps a quarter to a half of the work, which
// bounds it at rates beyond what any hospital writes; whole notes would leave it less, and would need records,
// directories, lists of the vault and a cache of sentences at every worker, and ways to keep them the same.
//
// Nor are notes jobs in the replica, as parts of a first copy are: their texts would have to lie there, sealed, until a
// worker has them and again until the stream has them back, each batch with a commit of its own before the one that publishes it. That is latency
// for every note, and a hoard of what is nowhere else kept.
//
// What waits is taken by the first that is free: the cores of this process and all workers take windows from one queue, each as fast as it
// can. There is nothing to balance, a slow worker takes less, and what is in flight is bounded by the goroutines that
// wait for it (limits.workers). Order is not touched: the goroutine that de-identifies a note waits for its answers.
//
// # What can go wrong
//
// A window goes away once. If the worker dies, hangs, is stopped, answers nonsense or says that it can't, this process
// runs over the window itself, so nothing of a note depends on others being there, and a window that breaks networks does not wander.
// A worker that failed gets nothing until it has answered again, after pauses that grow. One that has nothing to answer is asked now and
// then whether it is there: a stream that is quiet notices its end as well.
//
// Before it gets anything, a worker has to be of the same version, with the same networks (the hash of their files and of what
// their labels mean) and the same ONNX Runtime, and has to say the same of a made-up note as this process does. Else it is
// refused, and the log, the metrics and "pgdeid check" say why. What was found out holds for one process: a request says which, and another
// one at the same address, be it an upgraded one, does not answer it before it was compared as well. So each worker needs an address
// of its own, and no balancer before several.
//
// # The protocol
//
// HTTPS, with certificates of one authority on both ends (TLS 1.3). GET /hello answers with a [Hello] as JSON. POST /windows
// takes windows and answers with scores, both as bytes that package onnx writes and reads; 422 says that the networks failed over
// these windows. Nothing is stored or logged of either.
package remote
