// Package ensembletest holds the conformance test of detectors.
package ensembletest
