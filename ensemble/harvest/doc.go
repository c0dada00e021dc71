// Package harvest finds, in a site's own notes, what improves detection and makes it cheaper:
// sentences that are in many notes and contain no PHI, and templates, which locate PHI by the form
// of a sentence.
//
// # From notes to verified sentences
//
//	notes ─ pass 1: Sketch ─ candidates ─ pass 2: exact counts, what is found in them
//	      ─ Select ─ proposals ─ a person: Review ─ List of what is verified
//	      ─ inclusion.List: passes untouched from then on
//
// [Run] reads the notes twice, on all cores, and saves its [State] regularly, so that it can
// resume after a crash with the same result. Memory is bounded: by the sketch's counters in pass
// 1, by the candidates in pass 2.
//
// Proposals are identified text until a person has verified them. They are in a file that only its
// owner can read, on the machine where pgdeid reads the source, never in the replica, and no
// sentence is logged or quoted in an error.
//
// Proposals, verdicts and lists have a [Kind]. Templates, the forms of sentences that do contain
// PHI, are handled alike, except that the whole ensemble reads the notes in both passes, and that
// they end up in a [template.Set].
package harvest
