// Package rewrite makes rows anew while the stream runs: those of patients whose record changed, those that lead
// to another patient now, and all notes after the directory of the site has grown.
package rewrite
