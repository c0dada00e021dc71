// Package risk measures how far the tables of a replica could be linked to people: equivalence classes of
// quasi-identifiers and the risks that follow from them, visits that single a patient out, and what shown days tell about
// shifts. It has the statistics, the choice of columns from the mapping, and the report; package survey reads the
// replica. README.md names the sources of every formula.
//
// A [Report] has counts and names of columns, never a value of a row.
package risk
