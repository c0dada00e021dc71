package admin

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// fakeTexts are published texts.
type fakeTexts []vault.MadeText

func (f fakeTexts) Texts(_ context.Context, of vault.Filter, each func(vault.MadeText) error) error {
	for _, t := range f {
		if t.Table == of.Table && t.Key == of.Key && t.Patient == of.Patient {
			if err := each(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f fakeTexts) Sample(_ context.Context, n int, each func(vault.MadeText) error) error {
	for _, t := range f[:min(n, len(f))] {
		if err := each(t); err != nil {
			return err
		}
	}
	return nil
}

func TestMadeOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC)
	texts := fakeTexts{
		{Table: "ehr.note", Column: "title", Key: `["1"]`, Patient: "p", Version: "v0", At: at},
		{Table: "ehr.note", Column: "body", Key: `["1"]`, Patient: "p", Version: "v1", Config: "c", At: at},
	}
	item := func(place int, row string) review.Item {
		return review.Item{Place: place, Note: review.Note{Table: "ehr.note", Column: "body", Row: row}, Patient: "p"}
	}
	got, err := MadeOf(t.Context(), texts, []review.Item{item(4, `["1"]`), item(5, `["2"]`)})
	if diff := cmp.Diff(map[int]report.Made{4: {Version: "v1", Config: "c", At: at}}, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
}

func TestIdentifiersPerNote(t *testing.T) {
	t.Parallel()
	spans := func(types ...string) (list []vault.Span) {
		for _, typ := range types {
			list = append(list, vault.Span{Type: typ})
		}
		return list
	}
	body := func(types ...string) vault.MadeText {
		return vault.MadeText{Table: "ehr.note", Column: "body", Spans: spans(types...)}
	}
	title := vault.MadeText{Table: "ehr.note", Column: "title", Spans: spans("PATIENT", "PATIENT", "PATIENT")}
	of := review.Note{Table: "ehr.note", Column: "body"}
	texts := fakeTexts{body("PATIENT", "DOCTOR", "DATE"), body("DATE"), body(), body("PATIENT", "PATIENT"), title}
	for _, c := range []struct {
		in     acceptance.Types
		sample int
		mean   float64
		texts  int
	}{
		{acceptance.Class(phi.ClassName), 10, 1, 4},
		{acceptance.Class(phi.ClassDate), 2, 1, 2},
		{acceptance.Class(phi.ClassContact), 10, 0, 4},
	} {
		mean, _, n, err := IdentifiersPerNote(t.Context(), texts, of, c.in, c.sample)
		if err != nil || mean != c.mean || n != c.texts {
			t.Errorf("%v in each of %d, %v; want %v of %d", mean, n, err, c.mean, c.texts)
		}
	}
	if _, _, _, err := IdentifiersPerNote(t.Context(), fakeTexts{body("NOBODY")}, of, acceptance.Class(phi.ClassName), 1); err == nil {
		t.Error("a type that is none")
	}
	broken := errors.New("lost")
	_, err := MadeOf(t.Context(), brokenTexts{err: broken}, []review.Item{{}})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// brokenTexts can't be read.
type brokenTexts struct {
	PublishedTexts

	err error
}

func (b brokenTexts) Texts(context.Context, vault.Filter, func(vault.MadeText) error) error {
	return b.err
}
