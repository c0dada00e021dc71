// Package wordlist reads the lists of words that formats are built with: which elements, attributes, control words and fields
// there are, and what becomes of them.
package wordlist
