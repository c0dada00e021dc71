// Package deid makes rows fit to be seen: it finds out whose a change is, searches its texts, puts surrogates
// in their place and applies the policies of columns. It is the only way to the detectors: the stream, the
// first copy, rewrites and questions of SQL take it.
package deid
