// Package bench measures how fast pgdeid is on this machine, stage by stage, beside what bounds each stage:
// the receiving of the same WAL, COPY of the same rows, a native subscription to the same tables, and
// the networks' graphs alone.
//
// Stages take turns in rounds, and a share is the median of the rounds' shares: what else the machine
// does changes figures of a round alike, and shares less than the figures. Each round reads the
// same WAL, through copies of one slot, and writes into a fresh copy of one database.
//
// A first copy by several worker processes ([Crew]) is measured by what each of them used of a core, not by time: they share this
// machine's cores.
package bench
