// Package peers reads what other tools found in the documents of a gold set, so that they are scored as pgdeid is.
package peers
