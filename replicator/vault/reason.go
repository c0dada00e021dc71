package vault

// Reason says why a row was set aside, without any value of it.
type Reason string

// Why rows are set aside.
const (
	NoPatient       Reason = "no_patient"         // its path leads to no patient
	SeveralPatients Reason = "several_patients"   // its path leads to more than one patient
	BadText         Reason = "bad_text"           // NUL or invalid UTF-8
	BadFormat       Reason = "bad_format"         // no document of its column's format, or none that can be written anew
	TooLarge        Reason = "too_large"          // a note of more lines, or more text, than are put together
	BadValue        Reason = "bad_value"          // a value of the key does not fit its column's policy
	DetectorFail    Reason = "detector_error"     // a detector gave up
	DetectorPanic   Reason = "detector_panic"     // a detector broke
	TimedOut        Reason = "detector_timeout"   // detection took longer than limits.note_timeout
	Leak            Reason = "leak"               // the leak check found an identifier
	SurrogateFail   Reason = "surrogate_error"    // no surrogate could be made
	Broken          Reason = "panic"              // a fault of the program
	Refused         Reason = "refused_by_replica" // a constraint or type of the replica
	Outdated        Reason = "outdated"           // what it was made with has changed: it is made anew without anybody's doing
)

// Reasons lists all of them, so that each has its metrics before it first comes up.
var Reasons = []Reason{
	NoPatient, SeveralPatients, BadText, BadFormat, TooLarge, BadValue, DetectorFail, DetectorPanic, TimedOut, Leak, SurrogateFail, Broken, Refused,
	Outdated,
}
