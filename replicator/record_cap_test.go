package replicator

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
)

// Thousands of values of a role: the newest ones are matched in all their forms, the
// words of the others stay known.
func TestRecordWithThousandsOfValues(t *testing.T) {
	y := newTally()
	for n := 5000; n > 0; n-- { // newest first
		for range 2 {
			y.add(record.NameAlias, fmt.Sprintf("Alias%04d", n))
		}
	}
	y.done()
	values := y.record[record.NameAlias]
	if len(values) != maxValues || values[0] != fmt.Sprintf("Alias%04d", 5000-maxValues+1) || values[maxValues-1] != "Alias5000" {
		t.Errorf("%d values, from %s", len(values), values[0])
	}
	if len(y.rest[record.NameAlias]) != 5000-maxValues {
		t.Errorf("%d values more", len(y.rest[record.NameAlias]))
	}
	s := keyedRegister(t)
	p := &patient{pseudonym: "9", gazetteer: record.NewGazetteer(y.record), rest: y.rest, ledger: &ledger{}}
	if got := s.gazetteerFor(p, &directory{}, "label ALIAS0007").Record()[record.ID]; len(got) != 1 {
		t.Errorf("an old value is not known: %q", got)
	}
	if len(p.memory.fresh) != 5000 {
		t.Errorf("%d words are kept", len(p.memory.fresh))
	}
}

// However many rows of a transaction are about a patient, the record is read once.
func TestRecordIsForgottenOnceInATransaction(t *testing.T) {
	r := &resolver{lookups: &lookups{register: &register{cache: newPatients(1 << 20)}}}
	for tx := range uint32(3) {
		for range 1000 {
			r.forgetRecord(tx, "1")
			r.forgetRecord(tx, "2")
		}
	}
	if r.cache.gen != 6 {
		t.Errorf("%d times", r.cache.gen)
	}
	r.forgetRecord(3, "")
	r.forgetRecord(3, "1")
	r.forgetRecord(3, "")
	if r.cache.gen != 7 {
		t.Errorf("%d times after all were forgotten", r.cache.gen)
	}
}
