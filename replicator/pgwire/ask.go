package pgwire

import (
	"context"
	"slices"

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
	"no_patient": "patient_id is NULL, empty, no key of the kind that the configuration names, " +
		"or the source tells nothing of this patient, so that names would be missed: say the source's own key, " +
		"and have the patient in the source first",
	"bad_text":         "the text holds a NUL byte or is not valid UTF-8",
	"detector_error":   "a detector gave up on this note: ask again, and report it if it stays so",
	"detector_panic":   "a fault of a detector: report it, with pgdeid's version and without the note",
	"detector_timeout": "raise limits.note_timeout of the engine's configuration, or ask for the note in parts",
	"surrogate_error":  "no surrogate could be made: report it, with pgdeid's version and without the note",
	"panic":            "a fault of the program: report it, with pgdeid's version and log and without the note",
	"leak":             "an identifier of the patient would stand in the output: look at the note and at the mapping's roles",
	"bad_value":        "the row's values do not fit the mapping",
	replicator.TooManySpans: "ask for the note in parts, or have the limit raised: spans=… in the user's line, " +
		"or --spans-per-note of 'pgdeid serve'",
}

// noteFailure tells that a note can't be de-identified.
func noteFailure(reason string) *failure {
	hint, state := reasonHints[reason], stateNote
	if hint == "" {
		hint = "ask again"
	}
	if reason == replicator.TooManySpans {
		state = stateTooLarge
	}
	return failf(state, "a note can't be de-identified: %s", shown(reason)).
		hinted("%s; a query that asks for the column reason too gets NULL for such a note", hint)
}

// ask puts questions to the engine, within the user's limits, and counts them.
func (e *env) ask(ctx context.Context, t *table, asked []replicator.Question) ([]replicator.Answer, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	patients := e.pseudonyms(asked)
	if limit, err := e.account.take(len(asked), patients); err != nil {
		e.countLimited(t, limit, len(asked))
		return nil, err
	}
	var in, failed int64
	spans := e.account.limit().Spans
	for i := range asked {
		in += int64(len(asked[i].Text))
		asked[i].MaxSpans = spans
	}
	if err := e.budget.take(in); err != nil { // for the answers
		return nil, err
	}
	defer e.budget.giveBack(in)
	answers, err := replicator.Patiently(ctx, asked, e.engine.Ask)
	if err != nil {
		e.count(t, patients, 0, 0, int64(len(asked)))
		return nil, err
	}
	for _, a := range answers {
		if a.Reason != "" {
			failed++
		}
		if a.Reason == replicator.TooManySpans {
			e.countLimited(t, limitSpans, 1)
		}
	}
	e.count(t, patients, int64(len(asked))-failed, in, failed)
	return answers, nil
}

// pseudonyms returns the patients that questions are about, each once. Those that need no
// record are about no patient.
func (e *env) pseudonyms(asked []replicator.Question) []string {
	var list []string
	seen := map[string]bool{}
	for i := range asked {
		if key := asked[i].Patient; !asked[i].TextAlone && !seen[key] {
			seen[key] = true
			list = append(list, e.engine.Pseudonym(key))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// answerOf returns an answer as values: the text, and why there is none.
func answerOf(a replicator.Answer) (text, reason datum) {
	if a.Reason != "" {
		return datum{null: true}, textDatum(a.Reason)
	}
	return textDatum(a.Text), datum{null: true}
}
