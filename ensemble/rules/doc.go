// Package rules finds protected health information (PHI) by its form: dates, times, ages,
// telephone numbers, identifiers, and addresses of houses and of the net.
package rules
