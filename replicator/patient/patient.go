package patient

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/review/repair"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Patient is what is known of one patient at one moment: the gazetteer, and the
// book of surrogates bound to it. It prints itself redacted.
type Patient struct {
	phi.Redacted

	Key         string // in the source
	Pseudonym   string
	Gazetteer   *record.Gazetteer // nil if no table has anything of the patient
	record      string            // a hash of the gazetteer's record
	rest        record.Record     // what the gazetteer was not made from, as it is too much
	members     []member          // what the record has of each id, if other ids stand for the patient; else nil
	stored      []surrogate.Entry // of the vault
	Shift       int
	ShiftStored bool                   // the vault has the shift
	formers     []former               // whose rows the patient has taken over
	before      []former               // what the key before knew of the patient, and of those whose rows the patient had taken over
	repairs     map[string]repair.List // of places in notes, by the notes' hashes
	Ledger      *Ledger

	mu         sync.Mutex
	book       *surrogate.Book
	opened     int // how many entries the ledger had when the book was opened, with those of the book
	memoryOnce sync.Once
	memory     Memory
	Memorised  bool // what is fresh in memory was handed on to be stored
}

// Open returns the patient's book. It is opened when the first note needs it, so that
// surrogates of notes before are in it, stored or not, and anew when others were chosen
// since through another object of the same patient.
func (p *Patient) Open(m *surrogate.Maker) *surrogate.Book {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.Ledger.size()
	if p.book == nil || p.opened != known {
		p.book, p.opened = m.Patient(p.Pseudonym, p.Gazetteer, p.Ledger.with(p.stored), p.Shift), known
	}
	return p.book
}

// Choose has the patient's book choose surrogates, and takes in what it returns. Of a
// patient, one chooses at a time, through whichever object.
func (p *Patient) Choose(m *surrogate.Maker, choose func(*surrogate.Book) ([]surrogate.Entry, error)) error {
	p.Ledger.choosing.Lock()
	defer p.Ledger.choosing.Unlock()
	entries, err := choose(p.Open(m))
	p.mu.Lock()
	defer p.mu.Unlock()
	alone := p.opened == p.Ledger.size()
	p.Ledger.Add(entries)
	if alone {
		p.opened = p.Ledger.size()
	}
	return err
}

// HandOverFor adds what is to be stored of the patient to choices, with those surrogates that were chosen for a row and are not
// written yet, and returns what [Patient.Wrote] is to be told once they are.
func (p *Patient) HandOverFor(row []surrogate.Entry, to *vault.Choices) []surrogate.Entry {
	own := p.Ledger.unwritten(row)
	to.AddEntries(p.Pseudonym, own)
	return append(own, p.HandOver(to)...)
}

// Wrote notes surrogates that were written in a transaction of the stream: later rows of it do not write them again. Those of
// other transactions, which may fail without the session, are written with their rows as well.
func (p *Patient) Wrote(entries []surrogate.Entry) { p.Ledger.wrote(entries) }

// HandOver adds what is to be stored of the patient to choices, once, and returns the surrogates among it.
func (p *Patient) HandOver(to *vault.Choices) []surrogate.Entry {
	unstored := p.Ledger.takeUnstored()
	to.AddEntries(p.Pseudonym, unstored)
	if !p.ShiftStored {
		p.ShiftStored = true
		to.AddShift(p.Pseudonym, p.Shift)
	}
	if !p.Memorised {
		p.Memorised = true
		to.AddEntries(p.Pseudonym, p.memory.fresh)
	}
	return unstored
}

// entryKey names an entry of one patient.
type entryKey struct{ kind, hash string }

// Ledger remembers the surrogates of a patient that may not be committed yet, over
// changes of the gazetteer.
type Ledger struct {
	phi.Redacted

	choosing sync.Mutex  // held while surrogates are chosen
	void     atomic.Bool // the vault has lost what it had of the patient

	mu    sync.Mutex
	fresh []surrogate.Entry
	have  map[entryKey]bool // of fresh; true: written
	// unstored are those that no row was written with yet. Rows of a patient are not always
	// written in the order in which they were made, and any of them may have the surrogates
	// that were chosen for another: whichever is written first has them stored.
	unstored []surrogate.Entry
}

// Void reports whether the vault has lost what p was loaded with: what was made with p can't
// be written any more.
func (p *Patient) Void() bool { return p.Ledger != nil && p.Ledger.void.Load() }

// Invalidate says that the vault has lost what it had of the patient.
func (l *Ledger) Invalidate() { l.void.Store(true) }

// unwritten returns those of entries that wrote was not told of.
func (l *Ledger) unwritten(entries []surrogate.Entry) (left []surrogate.Entry) {
	if l == nil {
		return slices.Clone(entries)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		if !l.have[entryKey{kind: e.Kind, hash: string(e.Hash)}] {
			left = append(left, e)
		}
	}
	return left
}

// wrote notes that entries are written.
func (l *Ledger) wrote(entries []surrogate.Entry) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		id := entryKey{kind: e.Kind, hash: string(e.Hash)}
		if _, known := l.have[id]; known {
			l.have[id] = true
		}
	}
}

// takeUnstored returns what is to be stored with the row at hand, once.
func (l *Ledger) takeUnstored() []surrogate.Entry {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.unstored
	l.unstored = nil
	return entries
}

// Add adds surrogates and words of the record that were chosen or met since.
func (l *Ledger) Add(entries []surrogate.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		id := entryKey{kind: e.Kind, hash: string(e.Hash)}
		if l.have == nil {
			l.have = map[entryKey]bool{}
		}
		if _, known := l.have[id]; !known {
			l.have[id] = false
			l.fresh, l.unstored = append(l.fresh, e), append(l.unstored, e)
		}
	}
}

// know adds words of rows that store them themselves.
func (l *Ledger) know(entries []surrogate.Entry) {
	unstored := l.takeUnstored()
	l.Add(entries)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unstored = unstored
}

// size returns how many entries the ledger has.
func (l *Ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.fresh)
}

// with returns stored and what the ledger knows beyond it.
func (l *Ledger) with(stored []surrogate.Entry) []surrogate.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.fresh) == 0 {
		return stored
	}
	have := make(map[entryKey]bool, len(stored))
	for _, e := range stored {
		have[entryKey{kind: e.Kind, hash: string(e.Hash)}] = true
	}
	all := slices.Clone(stored)
	for _, e := range l.fresh {
		if !have[entryKey{kind: e.Kind, hash: string(e.Hash)}] {
			all = append(all, e)
		}
	}
	return all
}

// Same reports whether p and other, which was loaded at another time, are the same patient with the same record, words,
// surrogates and shift.
func (p *Patient) Same(other *Patient) bool {
	return p.Pseudonym == other.Pseudonym && p.Key == other.Key && p.record == other.record && p.Shift == other.Shift &&
		slices.Equal(p.takenOver(), other.takenOver()) && maps.Equal(p.storedEntries(), other.storedEntries())
}

// storedEntries returns what the vault had of the patient.
func (p *Patient) storedEntries() map[entryKey]string {
	all := make(map[entryKey]string, len(p.stored))
	for _, e := range p.stored {
		all[entryKey{kind: e.Kind, hash: string(e.Hash)}] = e.Surrogate
	}
	return all
}

// size estimates the memory of a patient: compiled gazetteers take several times
// the bytes of their values.
func (p *Patient) size() int64 {
	n := int64(1 << 10)
	for _, values := range p.Gazetteer.Record() {
		for _, v := range values {
			n += 128 + 8*int64(len(v))
		}
	}
	for _, f := range p.formers {
		n += 64 * int64(len(f.words))
	}
	for _, f := range p.before {
		n += 64 * int64(len(f.words))
	}
	for _, list := range p.repairs {
		n += 400 * int64(len(list))
	}
	for _, e := range p.stored {
		n += 160 + int64(len(e.Surrogate))
	}
	return n
}
