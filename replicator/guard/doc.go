// Package guard makes errors of panics, so that a fault of the program costs a row or a session and never
// the process.
package guard
