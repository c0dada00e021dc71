// Package corpus holds documents at rest: JSON Lines in and out, and a synthetic
// hospital, whose notes are written from a grammar (see grammar/README.md) with the
// spans of their PHI, so that detection can be measured and shown without data of
// real people.
package corpus
