// Package redaction holds a test that goes through every struct type of the packages that handle texts and
// records of patients. A type of which a text would be seen in a log, an error or a panic has to print itself
// redacted, mostly since it embeds phi.Redacted; exempt.txt names those that hold nothing of a patient, and why.
package redaction
