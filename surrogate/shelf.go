package surrogate

import (
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Shelf keeps the books of the patients seen last, for streams of notes without a
// store of surrogates. A book that fell off is opened anew with what is derived;
// only the outcome of clashes between originals can then differ. A Shelf is safe for
// concurrent use as long as one patient's notes come one at a time.
type Shelf struct {
	maker *Maker
	open  *lru.Cache[string, *shelved]
}

type shelved struct {
	record record.Record
	who    *record.Gazetteer
	book   *Book
}

// NewShelf returns a shelf for as many patients, at least one.
func (m *Maker) NewShelf(patients int) (*Shelf, error) {
	open, err := lru.New[string, *shelved](patients)
	if err != nil {
		return nil, err
	}
	return &Shelf{maker: m, open: open}, nil
}

// Patient returns the book and the gazetteer of a patient key. What rec tells is
// added to what earlier notes told of the patient.
func (s *Shelf) Patient(key string, rec record.Record) (*Book, *record.Gazetteer) {
	p, ok := s.open.Get(key)
	if !ok {
		p = &shelved{record: record.Record{}}
		p.book = s.maker.Patient(s.maker.key.PatientPseudonym(key), nil, nil, 0)
	}
	if p.learn(rec) {
		p.who = record.NewGazetteer(p.told())
		p.book.Know(p.who)
	}
	s.open.Add(key, p)
	return p.book, p.who
}

// learn adds a record and reports whether it told anything new.
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

// told is a copy of the record: the gazetteer must not change under its readers.
func (p *shelved) told() record.Record {
	rec := record.Record{}
	for role, values := range p.record {
		rec[role] = slices.Clone(values)
	}
	return rec
}
