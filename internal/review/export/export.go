// Package export makes marked documents of what people decided about notes: the originals, read from the source when they
// are exported and with somebody's own rights, with the marks that hold. They are what "pgdeid train" and "pgdeid eval" read.
package export

import (
	"bytes"
	"context"
	"iter"
	"strconv"

	"github.com/pgdeid/pgdeid/ensemble/corpus"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// Texts reads originals from the source.
type Texts interface {
	// Text returns the text of a note, or why it is not to be had.
	Text(ctx context.Context, it review.Item) (text string, o store.Outcome, err error)
}

// Vault notes who was shown what; [store.Store] is one.
type Vault interface {
	Viewed(ctx context.Context, reader string, it *review.Item, o store.Outcome) (id int64, err error)
	TextHash(text string) []byte
}

// Export is one export of a round.
type Export struct {
	Texts     Texts
	Vault     Vault
	By        string // who exports
	Corrected bool   // only notes about which readers had something to correct
}

// Counts says what was exported, and what was not.
type Counts struct {
	Notes    int `json:"notes"`
	Patients int `json:"patients"`
	Marks    int `json:"marks"`
	Right    int `json:"right,omitempty"`   // left out since nothing was to correct
	Changed  int `json:"changed,omitempty"` // left out since they have another text than was read
	Absent   int `json:"absent,omitempty"`  // left out since the source does not have or show them
}

// Documents returns the notes of a round that were read to the end, with what holds of them: their IDs are made of the
// round's name and the note's place, and patients are pseudonyms. Each is noted as shown before it is
// yielded. The sequence ends with the first error; counts are complete when it has ended.
func (e *Export) Documents(ctx context.Context, in *report.Input, counts *Counts) iter.Seq2[corpus.Annotated, error] {
	byPlace := map[int][]review.Reading{}
	for _, r := range in.Readings {
		byPlace[r.Place] = append(byPlace[r.Place], r)
	}
	patients := map[string]bool{}
	return func(yield func(corpus.Annotated, error) bool) {
		for _, it := range in.Items {
			readings := byPlace[it.Place]
			if len(readings) < max(in.Round.Readers, 1) {
				continue
			}
			doc, ok, err := e.document(ctx, in.Round.Name, it, readings, counts)
			if err == nil && !ok {
				continue
			}
			if err == nil {
				patients[it.Patient] = true
				counts.Notes, counts.Patients, counts.Marks = counts.Notes+1, len(patients), counts.Marks+len(doc.Marks)
			}
			if !yield(doc, err) || err != nil {
				return
			}
		}
	}
}

func (e *Export) document(
	ctx context.Context, round string, it review.Item, readings []review.Reading, counts *Counts,
) (doc corpus.Annotated, ok bool, err error) {
	marks, _ := report.Settle(readings)
	if e.Corrected && !corrected(marks) {
		counts.Right++
		return doc, false, nil
	}
	text, outcome, err := e.Texts.Text(ctx, it)
	if err != nil {
		return doc, false, err
	}
	if _, err := e.Vault.Viewed(ctx, e.By, &it, outcome); err != nil {
		return doc, false, err
	}
	if outcome != store.Shown {
		counts.Absent++
		return doc, false, nil
	}
	doc, ok = Document(round, it, text, marks)
	if !ok || !bytes.Equal(e.Vault.TextHash(text), readings[0].Text) {
		counts.Changed++
		return corpus.Annotated{}, false, nil
	}
	return doc, true, nil
}

// corrected reports whether marks say anything else than what was found.
func corrected(marks []review.Mark) bool {
	for i := range marks {
		if marks[i].Verdict != review.Right {
			return true
		}
	}
	return false
}

// Document returns a note with the marks that are PHI; ok is false where they do not fit its text.
func Document(round string, it review.Item, text string, marks []review.Mark) (doc corpus.Annotated, ok bool) {
	doc = corpus.Annotated{ID: round + "-" + strconv.Itoa(it.Place), PatientID: it.Patient, Text: text}
	at := offsets(text)
	for i := range marks {
		m := &marks[i]
		if !m.IsPHI() {
			continue
		}
		if m.Start < 0 || m.End <= m.Start || m.End >= len(at) {
			return corpus.Annotated{}, false
		}
		doc.Marks = append(doc.Marks, corpus.Mark{Start: at[m.Start], End: at[m.End], Label: m.Type, Exact: true})
	}
	return doc, true
}

// offsets returns the offset in bytes of each character of a text, and its length last.
func offsets(text string) []int {
	at := make([]int, 0, len(text)+1)
	for i := range text {
		at = append(at, i)
	}
	return append(at, len(text))
}
