// Package export makes marked documents of what people decided about notes: the originals, read from the source when they
// are exported and with somebody's own rights, with the marks that hold. They are what "pgdeid train" and "pgdeid eval" read.
package export

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"unicode/utf8"

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

// Note is the original of a note with what holds of it. It prints itself redacted.
type Note struct {
	Item  review.Item
	Text  string
	Marks []review.Mark // that fit the text
}

// Format prints the note's place alone.
func (n Note) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "note[%v]", n.Item) }

// LogValue keeps the text out of logs.
func (n Note) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(n)) }

// Documents returns the notes of a round as marked documents: their IDs are made of the round's name and the note's place, and
// patients are pseudonyms. The sequence ends with the first error; counts are complete when it has ended.
func (e *Export) Documents(ctx context.Context, in *report.Input, counts *Counts) iter.Seq2[corpus.Annotated, error] {
	return func(yield func(corpus.Annotated, error) bool) {
		for n, err := range e.Notes(ctx, in, counts) {
			var doc corpus.Annotated
			if err == nil {
				doc = Document(in.Round.Name, n)
				counts.Marks += len(doc.Marks)
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// Notes returns the notes of a round that were read to the end. Each is noted as shown before it is yielded.
func (e *Export) Notes(ctx context.Context, in *report.Input, counts *Counts) iter.Seq2[Note, error] {
	byPlace := map[int][]review.Reading{}
	for _, r := range in.Readings {
		byPlace[r.Place] = append(byPlace[r.Place], r)
	}
	patients := map[string]bool{}
	return func(yield func(Note, error) bool) {
		for _, it := range in.Items {
			readings := byPlace[it.Place]
			if len(readings) < max(in.Round.Readers, 1) {
				continue
			}
			n, ok, err := e.note(ctx, it, readings, counts)
			if err == nil && !ok {
				continue
			}
			if err == nil {
				patients[it.Patient] = true
				counts.Notes, counts.Patients = counts.Notes+1, len(patients)
			}
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

func (e *Export) note(ctx context.Context, it review.Item, readings []review.Reading, counts *Counts) (n Note, ok bool, err error) {
	marks, _ := report.Settle(readings)
	if e.Corrected && !corrected(marks) {
		counts.Right++
		return n, false, nil
	}
	text, outcome, err := e.Texts.Text(ctx, it)
	if err != nil {
		return n, false, err
	}
	if _, err := e.Vault.Viewed(ctx, e.By, &it, outcome); err != nil {
		return n, false, err
	}
	switch {
	case outcome != store.Shown:
		counts.Absent++
		return n, false, nil
	case !bytes.Equal(e.Vault.TextHash(text), readings[0].Text) || !fit(marks, text):
		counts.Changed++
		return n, false, nil
	}
	return Note{it, text, marks}, true, nil
}

// fit reports whether all marks are ranges of a text.
func fit(marks []review.Mark, text string) bool {
	chars := utf8.RuneCountInString(text)
	for i := range marks {
		if marks[i].Start < 0 || marks[i].End <= marks[i].Start || marks[i].End > chars {
			return false
		}
	}
	return true
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

// Document returns a note with the marks that are PHI.
func Document(round string, n Note) corpus.Annotated {
	doc := corpus.Annotated{ID: round + "-" + strconv.Itoa(n.Item.Place), PatientID: n.Item.Patient, Text: n.Text}
	at := Offsets(n.Text)
	for i := range n.Marks {
		if m := &n.Marks[i]; m.IsPHI() {
			doc.Marks = append(doc.Marks, corpus.Mark{Start: at[m.Start], End: at[m.End], Label: m.Type, Exact: true})
		}
	}
	return doc
}

// Offsets returns the offset in bytes of each character of a text, and its length last.
func Offsets(text string) []int {
	at := make([]int, 0, len(text)+1)
	for i := range text {
		at = append(at, i)
	}
	return append(at, len(text))
}
