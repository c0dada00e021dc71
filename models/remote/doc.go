// Package remote runs neural networks on other machines: a [Server] answers windows of words with what its networks say of
// them, and a [Pool] sends it windows that wait in this process.
//
// # What goes away
//
// Nearly all that detection costs are the networks, and of these all but a twentieth is inside of the graphs. So it is their
// windows that travel, a few dozen words each, and not notes with the records of their patients: rules, records,
// directories, verified sentences and the cache of sentences stay where they are, and a worker needs neither key, nor
// database, nor anything of the site but its models. What it answers is a pure function of the windows and the models.
// Sentences that were seen before are answered by the cache and travel nowhere.
//
// Whoever is free takes what waits: the cores of this process and all workers take windows from one queue, each as fast as it
// can. There is nothing to balance, a slow worker takes less, and what is in flight is bounded by the goroutines that
// wait for it (limits.workers). Order is not touched: whoever de-identifies a note waits for its answers.
//
// # What can go wrong
//
// A window goes away once. If the worker dies, hangs, is stopped, answers nonsense or says that it can't, this process
// runs over the window itself, so nothing of a note depends on others being there, and a window that breaks networks does not wander.
// A worker that failed gets nothing until it has answered again, after pauses that grow.
//
// Before it gets anything, a worker has to be of the same version, with the same networks (the hash of their files and of what
// their labels mean) and the same ONNX Runtime, and has to say the same of a made-up note as this process does. Else it is
// refused, and the log, the metrics and "pgdeid check" say why.
//
// # The protocol
//
// HTTPS, with certificates of one authority on both ends (TLS 1.3). GET /hello answers with a [Hello] as JSON. POST /windows
// takes windows and answers with scores, both as bytes that package onnx writes and reads; 422 says that the networks failed over
// these windows. Nothing is stored or logged of either.
package remote
