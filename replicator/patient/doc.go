// Package patient knows whose a row is, and what is known of patients and of the site: records, names that
// they had before, surrogates that were chosen. What it reads it keeps as long as the stream brings
// nothing new.
package patient
