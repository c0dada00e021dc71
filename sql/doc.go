// Package sql brings source and replica to what a mapping asks for, with [Up], and takes it away again with [Down].
//
// The static migrations (package migrations) come first. What depends on the mapping and on the source's catalogue is made
// anew after each "up" and taken away before "down": the publication (package publication), research tables (package research),
// the foreign server for gazetteers (package foreign), grants and passwords (package roles).
package sql
