// Package synth makes up a hospital: patients, staff and sites as the rows of an EHR,
// and notes about them with the spans of their PHI, so that detection can be trained,
// measured and shown without data of real people. Notes are written from a grammar,
// whose notation is in data/README.md.
package synth
