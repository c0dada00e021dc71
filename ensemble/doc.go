// Package ensemble finds protected health information (PHI) in one clinical note.
//
// # Flow
//
// A [Note] is a text with the record of its patient and the directory of the site.
// [Ensemble.Detect] hands it to its members, each a [Detector], and makes one list of
// [phi.Span] values:
//
//	note ─ tokens, sentences, what the lexicon knows     package text, once for all members
//	  ├─ patterns     dates, phones, identifiers, …       package rules
//	  ├─ record       what the record says of the patient package record
//	  ├─ directory    staff and facilities                package record
//	  ├─ templates    sentences of a verified form        package template
//	  ├─ site         phrases that are always PHI there   package site
//	  └─ learned      given what these found:
//	       ├─ spans           of rules learned from errors  package tbed
//	       └─ probabilities   cheap scorer, gate, networks  packages crf and onnx
//	combination  of probabilities and vocabulary          package merge
//	union        with the spans of the others             package merge
//	inclusion    sentences verified to hold no PHI        package inclusion
//	site         phrases that are no PHI there            package site
//
// # Invariants
//
//   - Detect is a pure function of the note: no clock, no chance, no state from one
//     note to the next. Members are immutable and safe for use by many goroutines
//     on different notes; a Note is used by one goroutine at a time.
//   - Spans are byte ranges of the text, in order, disjoint, never empty, begin and end
//     on rune borders, and name the members that found them.
//   - A text is searched whole or not at all: [text.Check] refuses NUL bytes and
//     invalid UTF-8, and when a member fails, Detect does.
//   - What a member is sure of is never taken away by votes, probabilities, vocabulary, the
//     inclusion list or the site's phrases: the record's own values, numbers with a valid check digit.
//   - Members take time in proportion to the length of the text, whatever it holds:
//     every look around a token is bounded by a constant.
//   - Nothing here prints or logs the text, or puts it into an error.
//
// Conform of package ensembletest checks them for any Detector as far as a test can.
package ensemble
