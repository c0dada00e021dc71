// Package apply writes to the replica: rows, surrogates, provenance, quarantine, requests and the position,
// in one transaction.
package apply
