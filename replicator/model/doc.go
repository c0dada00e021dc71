// Package model holds a model of the replication protocol, which its tests search for ways to break the
// invariants of ARCHITECTURE.md.
//
// The model is the protocol without databases and texts: a source whose transactions rename patients,
// write and delete notes and move an encounter from one patient to the other; the first copy, the stream,
// caches, a worker, the committer, the requests to read notes again, a crash at every step. A note is the
// set of names that it mentions, and what is published of it is the set of those that were caught. Surrogates
// are numbered in the order in which they are chosen, which is the worst case of their collisions.
//
// Three designs are modelled. In the first the committer reads notes again between two commits. In the second, "apart",
// a rewriter beside the stream does so and the committer writes what it made, less what the stream has brought meanwhile.
// In the third, "planned", what the rewriter reads takes a place in the stream's order, and notes of patients with a
// request are withheld until then. What makes them right is a list of rules, and each can be left out: the tests show
// the shortest way to an error then.
//
// Every order of steps is tried where the numbers of transactions, crashes and requests in hand are small
// (larger ones where PGDEID_MODEL_DEEP is set); beyond that, long random runs. Assumed and not modelled: a
// change that comes in the stream is visible to new snapshots at the source; one encounter is all that leads
// notes to patients; texts are always sent.
package model
