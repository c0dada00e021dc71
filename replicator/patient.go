package replicator

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// patient is what is known of one patient at one moment: the gazetteer, and the
// book of surrogates bound to it. It prints itself redacted.
type patient struct {
	key         string // in the source
	pseudonym   string
	gazetteer   *record.Gazetteer // nil if no table tells of the patient
	record      string            // a hash of the gazetteer's record
	rest        record.Record     // what the gazetteer was not made from, as it is too much
	stored      []surrogate.Entry // of the vault
	shift       int
	shiftStored bool     // the vault has the shift
	formers     []former // whose rows the patient has taken over
	ledger      *ledger

	once       sync.Once
	book       *surrogate.Book
	memoryOnce sync.Once
	memory     memory
	memorised  bool // what is fresh in memory was handed on to be stored
}

func (p *patient) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "patient[%s]", p.pseudonym) }
func (p *patient) LogValue() slog.Value       { return slog.StringValue(fmt.Sprintf("%v", p)) }

// open returns the patient's book. It is opened when the first note needs it, so
// that surrogates of notes before are in it, stored or not.
func (p *patient) open(m *surrogate.Maker) *surrogate.Book {
	p.once.Do(func() {
		p.book = m.Patient(p.pseudonym, p.gazetteer, p.ledger.with(p.stored), p.shift)
	})
	return p.book
}

// handOver adds what is to be stored of the patient to choices, once.
func (p *patient) handOver(to *vault.Choices) {
	if p.ledger != nil {
		to.AddEntries(p.pseudonym, p.ledger.takeUnstored())
	}
	if !p.shiftStored {
		p.shiftStored = true
		to.AddShift(p.pseudonym, p.shift)
	}
	if !p.memorised {
		p.memorised = true
		to.AddEntries(p.pseudonym, p.memory.fresh)
	}
}

// entryKey names an entry of one patient.
type entryKey struct{ kind, hash string }

// ledger remembers the surrogates of a patient that may not be committed yet, over
// changes of the gazetteer.
type ledger struct {
	mu    sync.Mutex
	fresh []surrogate.Entry
	have  map[entryKey]bool // of fresh
	// unstored are those of rows that are rewritten. A row of the stream that is written
	// before them may have the same surrogates.
	unstored []surrogate.Entry
}

// addUnstored adds entries that are to be stored with whatever is written next.
func (l *ledger) addUnstored(entries []surrogate.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unstored = append(l.unstored, entries...)
}

// takeUnstored returns what is to be stored with the row at hand, once.
func (l *ledger) takeUnstored() []surrogate.Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.unstored
	l.unstored = nil
	return entries
}

func (l *ledger) add(entries []surrogate.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		id := entryKey{kind: e.Kind, hash: string(e.Hash)}
		if l.have == nil {
			l.have = map[entryKey]bool{}
		}
		if !l.have[id] {
			l.have[id] = true
			l.fresh = append(l.fresh, e)
		}
	}
}

// with returns stored and what the ledger knows beyond it.
func (l *ledger) with(stored []surrogate.Entry) []surrogate.Entry {
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

// size estimates the memory of a patient: compiled gazetteers take several times
// the bytes of their values.
func (p *patient) size() int64 {
	n := int64(1 << 10)
	for _, values := range p.gazetteer.Record() {
		for _, v := range values {
			n += 128 + 8*int64(len(v))
		}
	}
	for _, f := range p.formers {
		n += 64 * int64(len(f.words))
	}
	for _, e := range p.stored {
		n += 160 + int64(len(e.Surrogate))
	}
	return n
}
