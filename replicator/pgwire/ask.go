package pgwire

import (
	"context"

	"github.com/pgdeid/pgdeid/replicator"
)

// A chunk is what is asked of the engine at once: large enough to keep it busy,
// small enough that a cancelled query ends soon.
const (
	chunkNotes = 256
	chunkBytes = 8 << 20
)

// reasonHints say what to do about a note that can't be de-identified.
var reasonHints = map[string]string{
	"no_patient":       "say whose note it is: patient_id is NULL, empty, or no key of the kind that the configuration names",
	"unknown_patient":  "the source has no row about this patient, so that names would be missed: say the source's own key, and have the patient in the source first",
	"bad_text":         "the text holds a NUL byte or is not valid UTF-8",
	"detector_error":   "a detector gave up on this note: ask again, and report it if it stays so",
	"detector_panic":   "a fault of a detector: report it, with pgdeid's version and without the note",
	"detector_timeout": "raise limits.note_timeout of the engine's configuration, or ask for the note in parts",
	"surrogate_error":  "no surrogate could be made: report it, with pgdeid's version and without the note",
	"leak":             "an identifier of the patient would stand in the output: look at the note and at the mapping's roles",
	"bad_value":        "the row's values do not fit the mapping",
}

// noteFailure tells that a note can't be de-identified.
func noteFailure(reason string) *failure {
	hint := reasonHints[reason]
	if hint == "" {
		hint = "ask again"
	}
	return failf(stateNote, "a note can't be de-identified: %s", shown(reason)).
		hinted("%s; a query that asks for the column reason too gets NULL for such a note", hint)
}

// ask puts questions to the engine and counts them.
func (e *env) ask(ctx context.Context, t *table, asked []replicator.Question) ([]replicator.Answer, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	var in, failed int64
	for _, q := range asked {
		in += int64(len(q.Text))
	}
	if err := e.budget.take(in); err != nil { // for the answers
		return nil, err
	}
	defer e.budget.giveBack(in)
	answers, err := replicator.Patiently(ctx, asked, e.engine.Ask)
	if err != nil {
		e.count(t, 0, 0, int64(len(asked)))
		return nil, err
	}
	for _, a := range answers {
		if a.Reason != "" {
			failed++
		}
	}
	e.count(t, int64(len(asked))-failed, in, failed)
	return answers, nil
}

// answerOf returns an answer as values: the text, and why there is none.
func answerOf(a replicator.Answer) (text, reason datum) {
	if a.Reason != "" {
		return datum{null: true}, textDatum(a.Reason)
	}
	return textDatum(a.Text), datum{null: true}
}
