package surrogate

import (
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Shelf is a cache of the books of recently seen patients, for streams of notes without a store of
// surrogates. The book of an evicted patient is derived anew; only the outcome of collisions
// between originals can then differ. A Shelf is safe for concurrent use as long as each patient's
// notes come one at a time.
type Shelf struct {
	maker *Maker
	open  *lru.Cache[string, *shelved]
}

type shelved struct {
	phi.Redacted

	record record.Record
	who    *record.Gazetteer
	book   *Book
}

// NewShelf returns a shelf for the given number of patients, at least one.
func (m *Maker) NewShelf(patients int) (*Shelf, error) {
	open, err := lru.New[string, *shelved](patients)
	if err != nil {
		return nil, err
	}
	return &Shelf{maker: m, open: open}, nil
}

// Patient returns the book and the gazetteer of a patient key. rec is added to what earlier notes
// stated about the patient.
func (s *Shelf) Patient(key string, rec record.Record) (*Book, *record.Gazetteer) {
	p, ok := s.open.Get(key)
	if !ok {
		p = &shelved{record: record.Record{}}
		p.book = s.maker.Patient(s.maker.key.PatientPseudonym(key), nil, nil, 0)
	}
	if p.learn(rec) {
		p.who = record.NewGazetteer(p.snapshot())
		p.book.Know(p.who)
	}
	s.open.Add(key, p)
	return p.book, p.who
}

// learn adds a record and reports whether it contained anything new.
func (p *shelved) learn(rec record.Record) bool {
	fresh := false
	for role, values := range rec {
		for _, v := range values {
			if !slices.Contains(p.record[role], v) {
				p.record.Add(role, v)
				fresh = true
			}
		}
	}
	return fresh
}

// snapshot copies the record, as a gazetteer must not change while it is read.
func (p *shelved) snapshot() record.Record {
	rec := record.Record{}
	for role, values := range p.record {
		rec[role] = slices.Clone(values)
	}
	return rec
}
