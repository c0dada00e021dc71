package tables

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

// A chunk is what is asked of the engine at once: large enough to keep it busy, small enough that a cancelled query ends soon.
const (
	chunkNotes = 256
	chunkBytes = 8 << 20
)

// reasonHints say what to do about a note that can't be de-identified.
var reasonHints = map[string]string{
	"no_patient": "patient_id is NULL, empty, no key of the kind that the configuration names, " +
		"or the source has nothing about this patient, so that names would be missed: say the source's own key, " +
		"and have the patient in the source first",
	"bad_text":         "the text holds a NUL byte or is not valid UTF-8",
	"detector_error":   "a detector gave up on this note: ask again, and report it if it stays so",
	"detector_panic":   "a fault of a detector: report it, with pgdeid's version and without the note",
	"detector_timeout": "raise limits.note_timeout of the engine's configuration, or ask for the note in parts",
	"surrogate_error":  "no surrogate could be made: report it, with pgdeid's version and without the note",
	"panic":            "a fault of the program: report it, with pgdeid's version and log and without the note",
	"leak":             "an identifier of the patient would be left in the output: look at the note and at the mapping's roles",
	"bad_value":        "the row's values do not fit the mapping",
	desk.TooManySpans: "ask for the note in parts, or have the limit raised: spans=… in the user's line, " +
		"or --spans-per-note of 'pgdeid serve'",
}

// noteError is the error of a note that can't be de-identified.
func noteError(reason string) error {
	hint, state := reasonHints[reason], stateNote
	if hint == "" {
		hint = "ask again"
	}
	if reason == desk.TooManySpans {
		state = stateTooLarge
	}
	return &pgwire.Error{
		State: state, Message: "a note can't be de-identified: " + reason,
		Hint: hint + "; a query that asks for the column reason too gets NULL for such a note",
	}
}

// ask puts questions to the engine, within the user's limits, and counts them. Where reasons are not wanted, a note that fails is an
// error.
func (c *call) ask(ctx context.Context, asked []desk.Question, reasons bool) ([]desk.Answer, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	patients := c.pseudonyms(asked)
	if err := c.take(len(asked), patients); err != nil {
		return nil, err
	}
	for i := range asked {
		asked[i].MaxSpans = c.Who.Limits.Spans
	}
	c.counts.Patients = append(c.counts.Patients, patients...)
	answers, err := desk.Retry(ctx, asked, c.collect.Ask)
	if err != nil {
		c.counts.Refused += int64(len(asked))
		return nil, err
	}
	failed := ""
	for i, a := range answers {
		if a.Reason == desk.TooManySpans {
			c.limited("spans", 1)
		}
		if a.Reason == "" {
			c.counts.Notes++
			c.counts.Bytes += int64(len(asked[i].Text))
			continue
		}
		c.counts.Refused++
		if failed == "" {
			failed = a.Reason
		}
	}
	if failed != "" && !reasons {
		return nil, noteError(failed)
	}
	return answers, nil
}

// take counts notes and patients against the user's limits, or refuses all of them.
func (c *call) take(notes int, patients []string) error {
	limit, err := c.quotas.take(c.Who.User, c.Who.Limits, notes, patients)
	if err != nil {
		c.limited(limit, notes)
		return err
	}
	return nil
}

// limited notes that a limit refused notes.
func (c *call) limited(limit string, notes int) {
	c.counts.OverLimit += int64(notes)
	c.metrics.limited.WithLabelValues(pgwire.Printable(c.Who.User), limit).Inc()
}

// pseudonyms returns the patients that questions are about, each once. Those that need no record are about no patient.
func (c *call) pseudonyms(asked []desk.Question) []string {
	var list []string
	seen := map[string]bool{}
	for i := range asked {
		if key := asked[i].Patient; !asked[i].TextAlone && !seen[key] {
			seen[key] = true
			list = append(list, c.engine.Pseudonym(key))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// values returns an answer as values: the text, and why there is none.
func values(a desk.Answer) (answer, reason value.Datum) {
	if a.Reason != "" {
		return value.Null, text(a.Reason)
	}
	return text(a.Text), value.Null
}
