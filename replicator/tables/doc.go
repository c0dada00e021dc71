// Package tables makes the rows of the tables that SQL asks: what [pgwire.Desk] wants of the engine, which is a replicator.Desk. It
// keeps the limits of users, and puts questions of several sessions into common batches.
package tables
