package patient

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
	values := y.Record[record.NameAlias]
	if len(values) != maxValues || values[0] != fmt.Sprintf("Alias%04d", 5000-maxValues+1) || values[maxValues-1] != "Alias5000" {
		t.Errorf("%d values, from %s", len(values), values[0])
	}
	if len(y.rest[record.NameAlias]) != 5000-maxValues {
		t.Errorf("%d values more", len(y.rest[record.NameAlias]))
	}
	s := keyedRegister(t)
	p := &Patient{Pseudonym: "9", Gazetteer: record.NewGazetteer(y.Record), rest: y.rest, Ledger: &Ledger{}}
	if got := s.GazetteerFor(p, &Directory{}, "label ALIAS0007").Record()[record.ID]; len(got) != 1 {
		t.Errorf("an old value is not known: %q", got)
	}
	if len(p.memory.fresh) != 5000 {
		t.Errorf("%d words are kept", len(p.memory.fresh))
	}
}
