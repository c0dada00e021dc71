// Package proposal looks at a live EHR database and proposes a mapping: from the
// names and types of columns, keys and foreign keys, security labels, and from
// the shape of some values. Values are looked at and forgotten: none is kept,
// printed or logged. Whatever is not recognised is proposed as drop.
package proposal
