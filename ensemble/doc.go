// Package ensemble finds protected health information (PHI) in one clinical note.
//
// # Flow
//
// A [Note] is a text with what is known beside it: the patient's own record as a
// [record.Gazetteer], and a directory of the staff. [Ensemble.Detect] hands it to its
// members, each a [Detector], and makes one list of [phi.Span] values of what they find:
//
//	note ─ tokens ─ entries and cues          once for all members
//	  ├─ patterns     dates, ages, phones, numbers, addresses, e-mail
//	  ├─ record       what the record says of this patient, in any spelling
//	  ├─ directory    the names of the staff
//	  ├─ templates    sentences of a form that a person has verified
//	  ├─ learned      a CRF and networks: probabilities by token, packages crf and onnx;
//	  │               each reads what the ones before it leave in doubt
//	combine:   weighted log-odds and vocabulary make one decision on each token
//	aggregate: settle overlaps with what the others find, join neighbours
//
// [Note.View] is the text with its tokens and sentences. It looks each word up in package
// lexicon: how many people bear it as a name, how often it is an ordinary word, and which
// roles it plays for the words beside it ("Dr.", "lives", "hospital").
//
// # Invariants
//
//   - Detect is a pure function of the note: no clock, no chance, no state from one
//     note to the next. Members are immutable and safe for use by many goroutines
//     on different notes; a Note is used by one goroutine at a time.
//   - Spans are byte ranges of the text, in order, disjoint, never empty, and begin
//     and end on rune borders. Each tells by whom it was found.
//   - A text is searched whole or not at all: [text.Check] refuses NUL bytes and
//     invalid UTF-8, and when a member fails, Detect does, for an incomplete result
//     must never be published as if it were whole.
//   - What a member is sure of (Sure) no threshold of votes takes
//     away: the record's own values and numbers with a valid check digit.
//   - Members take time in proportion to the length of the text, whatever it holds:
//     every look around a token is bounded by a constant.
//   - Nothing here prints or logs the text, or puts it into an error.
//
// Conform of package ensembletest checks them for any Detector as far as a test
// can.
package ensemble
