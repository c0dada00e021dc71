package desk

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// asking is a question on its way to its answer.
type asking struct {
	*Question
	key     string // of the patient, in the one way that the program writes it
	patient *patient.Patient
	spans   []phi.Span
	why     vault.Reason
	res     surrogate.Result
}

// alone reports whether a question is about its text and no patient.
func (a *asking) alone() bool { return a.SpansOnly && a.TextAlone }

// TooManySpans is the reason for a text in which more is found than its question allows.
const TooManySpans = "too_many_spans"

// Pseudonym returns what the replica calls a patient, by the patient's key in the source,
// whether there is such a patient or not; "" for what is no key.
func (d *Desk) Pseudonym(of string) string {
	key := questionKey(d.opts.Config.PatientKey, of)
	if key == "" {
		return ""
	}
	name, err := patient.Pseudonym(d.opts.Key, d.opts.Config.PatientKey, config.PatientDomain, key)
	if err != nil {
		return ""
	}
	return name
}

// questionKey writes the patient of a question in one way; "" if it is no key.
func questionKey(kind config.KeyType, of string) string {
	if strings.IndexByte(of, 0) >= 0 || !utf8.ValidString(of) {
		return ""
	}
	return patient.CanonicalKey(kind, of)
}

// Ask answers questions, in their order. What is wrong with one of them is in its
// answer; an error means that none was answered. An answer may be [Busy].
func (d *Desk) Ask(ctx context.Context, asked []Question) ([]Answer, error) {
	return d.ask(ctx, asked, false)
}

// ask answers questions. Where the patients are trusted, they were read from the rows
// of the source that the texts are in.
func (d *Desk) ask(ctx context.Context, asked []Question, trusted bool) ([]Answer, error) {
	for range maxDeskTries {
		answers, err := d.try(ctx, asked, trusted)
		if !errors.Is(err, vault.ErrStale) {
			return answers, err
		}
	}
	return nil, fault.New("store surrogates", errDesk, "try again")
}

func (d *Desk) try(ctx context.Context, asked []Question, trusted bool) ([]Answer, error) {
	list := make([]*asking, len(asked))
	for i := range asked {
		list[i] = &asking{Question: &asked[i]}
	}
	var by *deid.Deidentifier
	err := d.with(ctx, func(c *connections) error {
		by = c.of.Deid
		return loadPatients(ctx, c.look, list, trusted)
	})
	if err != nil {
		return nil, err
	}
	err = d.each(ctx, len(list), func(ctx context.Context, i int) { searchFor(ctx, by, list[i]) })
	if err != nil {
		return nil, err // what was answered may say that a detector failed
	}
	var chosen vault.Choices
	for _, a := range list { // in order, as collisions of surrogates are settled by it
		replaceFound(by, a, &chosen)
	}
	blocked, err := d.store(ctx, &chosen)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(list))
	for i, a := range list {
		if a.why == "" && !a.SpansOnly {
			a.why = blocked[a.patient.Pseudonym] // what it says may be another question's of the batch, and new
		}
		answers[i] = answer(by, a)
	}
	return answers, nil
}

// searchFor finds what a question's answer has to replace.
func searchFor(ctx context.Context, d *deid.Deidentifier, a *asking) {
	defer func() {
		if v := recover(); v != nil {
			guard.Report(d.Log, ensemble.Recovered("the search of a text", v))
			a.why = vault.DetectorPanic
		}
	}()
	switch {
	case a.why != "":
	case a.alone():
		a.spans, a.why = d.SearchText(ctx, a.Text)
	default:
		a.spans, a.why = d.Search(ctx, a.patient, d.Reg.Site.Load(), a.Text)
	}
	if a.MaxSpans > 0 && len(a.spans) > a.MaxSpans {
		a.spans, a.why = nil, TooManySpans
	}
}

// loadPatients finds the patients of questions. A desk does not see what changes, so nothing
// that it reads of a patient is good for longer than one batch.
func loadPatients(ctx context.Context, l *patient.Lookups, list []*asking, trusted bool) error {
	byKey := map[string]*patient.Patient{}
	var keys []string
	for _, a := range list {
		if a.alone() {
			continue
		}
		if a.key = questionKey(l.Plan.Config.PatientKey, a.Patient); a.key != "" {
			a.key = l.Merges.Survivor(a.key)
		}
		if _, ok := byKey[a.key]; a.key != "" && !ok {
			byKey[a.key] = nil
			keys = append(keys, a.key)
		}
	}
	err := eachHalf(keys, func(some []string) error {
		found, err := l.Read(ctx, some)
		if err == nil {
			for _, p := range found {
				byKey[p.Key] = p
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	out, err := l.ExcludedNow(ctx, l.Replica, known(byKey))
	if err != nil {
		return err
	}
	tells := l.Plan.TellsPatients()
	for _, a := range list {
		a.patient = byKey[a.key]
		// The answer does not say why: a wrong key has the same one as a patient of whom no table
		// has anything, so that names would be missed, and as one who stays out of the replica.
		unknown := a.patient == nil || tells && !trusted && a.patient.Gazetteer == nil || out[a.key]
		if unknown && !a.alone() {
			a.why = vault.NoPatient
		}
	}
	return nil
}

// known returns the keys of patients who were found.
func known(byKey map[string]*patient.Patient) []string {
	var keys []string
	for key, p := range byKey {
		if p != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// replaceFound puts surrogates in the place of what was found in a text, and adds to choices
// what must be stored before the text may be shown.
func replaceFound(d *deid.Deidentifier, a *asking, to *vault.Choices) {
	defer func() {
		if v := recover(); v != nil {
			guard.Report(d.Log, ensemble.Recovered("the replacement in a text", v))
			a.why = vault.Broken
		}
	}()
	if a.why != "" || a.SpansOnly {
		return
	}
	if list := a.patient.Repairs(a.note); len(list) > 0 {
		a.spans = d.Repaired(a.Text, a.spans, list).Spans
	}
	if a.res, a.why = d.ReplaceSpans(a.patient, a.Text, a.spans); a.why != "" || len(a.res.New) == 0 {
		return
	}
	p := a.patient
	to.AddEntries(p.Pseudonym, a.res.New)
	p.HandOver(to)
}

// answer makes the answer of a question.
func answer(d *deid.Deidentifier, a *asking) Answer {
	switch {
	case a.why != "":
		return Answer{Reason: string(a.why)}
	case a.SpansOnly:
		return Answer{Spans: found(d, a.Text, a.spans)}
	}
	return Answer{Text: a.res.Text}
}

// found counts spans in characters and names who found them.
func found(d *deid.Deidentifier, text string, spans []phi.Span) []Found {
	named, _ := d.Detector.(interface {
		Names(v phi.Votes) []string
	})
	out := make([]Found, len(spans))
	at, chars := 0, 0
	for i, sp := range spans {
		chars += utf8.RuneCountInString(text[at:sp.Start])
		out[i].Start = chars
		chars += utf8.RuneCountInString(text[sp.Start:sp.End])
		out[i].End, at = chars, sp.End
		out[i].Type, out[i].Score = sp.Type.String(), sp.Score
		if named != nil {
			out[i].By = named.Names(sp.By)
		}
	}
	return out
}
