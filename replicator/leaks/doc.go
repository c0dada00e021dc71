// Package leaks searches what a replica publishes of each patient for what that patient's record in the source tells: the check that
// each text had to pass before it was published, made again over every text and every column, with the records as they are now.
//
// Records and rows are read patient by patient, in the order of pseudonyms. What is remembered of all patients is the key in the source and
// the pseudonym.
package leaks
