// Package leakage measures what of the gold is left in texts after replacement.
package leakage
