// Package agreement measures how far two annotators mark the same words: Cohen's kappa.
package agreement
