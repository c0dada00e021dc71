// Package harvest finds, in a site's own notes, what makes detection better and
// cheaper there: sentences that stand in many notes and hold no PHI, and templates, which
// tell by the form of a sentence where its PHI is.
//
// # The way of a sentence
//
//	notes ─ pass 1: Sketch ─ candidates ─ pass 2: exact counts, what is found in them
//	      ─ Select ─ proposals ─ a person: Review ─ List of what is verified
//	      ─ inclusion.List: passes untouched from then on
//
// [Run] reads the notes twice, on all cores, and stores its [State] every so often, so
// that it goes on after a crash and comes to the same result. Memory is bounded: by the
// sketch's counters in pass 1, by the candidates in pass 2.
//
// Proposals are identified text until a person has said otherwise. They are in a file
// that only its owner reads, on the machine where pgdeid reads the source, never in the
// replica, and no sentence is logged or put into an error.
//
// Proposals, verdicts and lists have a [Kind]. Templates, the forms of sentences that do
// hold PHI, go the same way, but that the whole ensemble reads the notes in both passes,
// and end as [template.Set].
package harvest
