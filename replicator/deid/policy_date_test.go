package deid

import (
	"fmt"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

// The year of birth is that of the shifted date, whether the column has the date or the year alone.
func TestMovedYear(t *testing.T) {
	key := schematest.Key(t)
	maker, err := surrogate.New(key, surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Deidentifier{key: key, Maker: maker, now: time.Now}
	born := time.Date(1971, 2, 10, 0, 0, 0, 0, time.UTC)
	rec := record.Record{"birth_date": {"1971", "02/10/1971", "1971-02-10"}}
	birth := &schema.Column{Column: config.Column{Publish: config.Year, Tells: "birth_date"}}
	other := &schema.Column{Column: config.Column{Publish: config.Year}}
	moved, drawn := 0, map[string]bool{}
	for n := range 60 {
		name := fmt.Sprint("patient ", n)
		p := &patient.Patient{Pseudonym: name, Gazetteer: record.NewGazetteer(rec), Ledger: &patient.Ledger{}, Shift: maker.Shift(name)}
		want := fmt.Sprint(born.AddDate(0, 0, p.Shift).Year())
		for _, text := range []string{"1971-02-10", "19710210", "1971"} {
			if got, err := s.movedYear(p, birth, text); err != nil || got != want {
				t.Errorf("shift %d, %s: %q, %v, want %s", p.Shift, text, got, err, want)
			}
		}
		if want != "1971" {
			moved++
		}
		// A year of which no date is known is that of some day in it.
		got, err := s.movedYear(p, other, "1985")
		if again, _ := s.movedYear(p, other, "1985"); err != nil || got != "1985" && got != "1984" || again != got {
			t.Errorf("shift %d: %q, then %q, %v", p.Shift, got, again, err)
		}
		drawn[got] = true
		if _, err := s.movedYear(p, birth, "02/10/71"); err == nil {
			t.Error("a year was made of what is none")
		}
	}
	if moved < 30 || len(drawn) != 2 {
		t.Errorf("%d of 60 years moved; years drawn: %v", moved, drawn)
	}
}

// What is published of the notes of the oldest changes with the year; of others it does not.
func TestAgeLimit(t *testing.T) {
	key := schematest.Key(t)
	maker, err := surrogate.New(key, surrogate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Deidentifier{key: key, Maker: maker, now: time.Now}
	oldest := maker.OldestYear()
	for _, c := range []struct {
		born    string
		shift   int
		limited bool
	}{
		{fmt.Sprint(oldest - 3), -1, true},
		{fmt.Sprint(oldest), -200, true},
		{fmt.Sprintf("%d-01-01", oldest+1), -365, true},
		{fmt.Sprintf("%d-01-02", oldest+2), -365, false},
		{fmt.Sprintf("03/04/%d", oldest-1), -10, true},
		{"unknown", -10, false},
	} {
		p := &patient.Patient{Pseudonym: "p", Gazetteer: record.NewGazetteer(record.Record{"birth_date": {c.born}}), Shift: c.shift}
		if got := s.ageLimit(p); (got != "") != c.limited || c.limited && got != fmt.Sprint(oldest) {
			t.Errorf("born %s, shift %d: %q", c.born, c.shift, got)
		}
	}
}
