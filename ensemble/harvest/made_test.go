package harvest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/ensembletest"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// made is a corpus with known prevalences of its sentences.
type made struct {
	notes []Note
	truth map[string]*prevalence
}

// prevalence is counted while the notes are written, independently of this package.
type prevalence struct {
	notes, barred     int
	patients, authors map[string]bool
}

var (
	makeSubjects = strings.Fields("appetite sleep mood gait cough nausea swelling rash dizziness fatigue hearing vision")
	makeVerbs    = strings.Fields("improved worsened returned resolved persisted started stopped varied continued recurred")
	makeWhen     = strings.Fields("slowly quickly overnight partially completely gradually suddenly again mostly slightly")
)

// makeNotes writes n notes: sentences of which a few are in most notes and many in hardly any,
// some by few authors or of few patients only, one that names a patient, and noise that occurs
// only once.
func makeNotes(seed uint64, n int) *made {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := &made{truth: map[string]*prevalence{}}
	for i := range n {
		patient, author := rng.IntN(max(n/10, 40)), rng.IntN(30)
		seen := map[string]bool{}
		var text strings.Builder
		for range 4 + rng.IntN(6) {
			k := int(1200 * rng.Float64() * rng.Float64() * rng.Float64())
			s := fmt.Sprintf("The %s %s %s.", makeSubjects[k%12], makeVerbs[k/12%10], makeWhen[k/120])
			if k%7 == 3 && author > 2 || k%11 == 5 && patient > 8 {
				continue
			}
			text.WriteString(s + "\n")
			m.count(s, i, patient, author, seen, false)
		}
		fmt.Fprintf(&text, "Noise of %s was heard.\n", noise(rng))
		note := Note{Patient: fmt.Sprint(patient), Author: fmt.Sprint("author", author)}
		if i%9 == 0 {
			const signed = "Call Dr. Jane Rosewood with questions."
			text.WriteString(signed + "\n")
			m.count(signed, i, patient, author, seen, true)
		}
		if i%8 == 0 {
			const named = "Quarkstein exercises were shown."
			text.WriteString(named + "\n")
			m.count(named, i, patient, author, seen, true)
		}
		if patient == 3 {
			note.Record = record.NewGazetteer(record.Record{"name.last": {"Quarkstein"}})
		}
		note.Texts = []string{text.String()}
		m.notes = append(m.notes, note)
	}
	return m
}

func noise(rng *rand.Rand) string {
	b := make([]byte, 12)
	for i := range b {
		b[i] = byte('a' + rng.IntN(26))
	}
	return string(b)
}

func (m *made) count(s string, note, patient, author int, seen map[string]bool, barred bool) {
	p := m.truth[s]
	if p == nil {
		p = &prevalence{patients: map[string]bool{}, authors: map[string]bool{}}
		m.truth[s] = p
	}
	if !seen[s] {
		p.notes++
	}
	seen[s] = true
	p.patients[fmt.Sprint(patient)], p.authors[fmt.Sprint(author)] = true, true
	if barred {
		p.barred++
	}
}

// want returns the sentences over the thresholds, those in most notes first.
func (m *made) want(o Options) []string {
	o = o.withDefaults()
	var list []string
	for s, p := range m.truth {
		if p.notes >= o.Notes && len(p.patients) >= o.Patients && len(p.authors) >= o.Authors && p.barred == 0 {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(m.truth[b].notes, m.truth[a].notes), strings.Compare(a, b))
	})
	return list
}

// memorySource is a source of notes in memory, in batches of 50.
type memorySource struct {
	notes []Note
	fail  func(batch int) error // asked before each batch, if not nil
	name  string
}

func (s *memorySource) Identity() (string, error)      { return "memory " + s.name, nil }
func (s *memorySource) Estimate(context.Context) int64 { return int64(len(s.notes)) }

func (s *memorySource) Read(ctx context.Context, after string, records bool, do func(Batch) error) error {
	at := 0
	if after != "" {
		if err := json.Unmarshal([]byte(after), &at); err != nil {
			return err
		}
	}
	for ; at < len(s.notes) && ctx.Err() == nil; at += 50 {
		if s.fail != nil {
			if err := s.fail(at / 50); err != nil {
				return err
			}
		}
		batch := slices.Clone(s.notes[at:min(at+50, len(s.notes))])
		for i := range batch {
			if !records {
				batch[i].Record = nil
			}
		}
		if err := do(Batch{Notes: func() ([]Note, error) { return batch, nil }, After: fmt.Sprint(at + 50)}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rules is the ensemble without networks.
func rules(t testing.TB) *ensemble.Ensemble {
	t.Helper()
	e, err := ensembletest.WithTitles()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// writeLines writes notes as JSON Lines.
func writeLines(t testing.TB, notes []Note) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.jsonl")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	enc := json.NewEncoder(file)
	for i, n := range notes {
		line := map[string]any{"id": i, "text": n.Texts[0], "patient_id": n.Patient, "author": n.Author}
		if n.Record != nil {
			line["patient"] = n.Record.Record()
		}
		if err := enc.Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
