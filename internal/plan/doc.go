// Package plan says how many machines, hours, disk and money the first copy of a hospital's notes takes: from rates
// that were measured, and a few numbers about the hospital. It knows nothing of databases; package bench measures.
//
// The copy is a line of stations. Workers on any number of machines read pages of notes from the source, search
// them on all their cores, and write them to the replica, one at a time: whoever writes has the turn. The slowest station
// bounds the line ([Estimate]); [Simulate] runs the line page by page, and says what waiting costs besides.
package plan
