package patient

import (
	"maps"
	"slices"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// mergedPatient returns a patient for whom another id stands, whose record has a name of its own.
func mergedPatient() *Patient {
	all := record.Record{record.NameLast: {"Wintersmith", "Quarkstein"}}
	return &Patient{
		Key: "1", Pseudonym: "p1", Gazetteer: record.NewGazetteer(all), record: "r",
		members: []member{
			{key: "1", pseudonym: "p1", tally: &Tally{Record: record.Record{record.NameLast: {"Wintersmith"}}}},
			{key: "2", pseudonym: "p2", tally: &Tally{Record: record.Record{record.NameLast: {"Quarkstein"}}}},
		},
	}
}

// What is read of an id that stands for a patient is kept with the id, once: the name is known when it has left the record, whoever
// the id stands for then.
func TestWordsOfMembersAreKeptWithThem(t *testing.T) {
	t.Parallel()
	r := &Register{Key: schematest.Key(t), Cache: NewCache(1 << 20)}
	p := r.Cache.put(mergedPatient(), r.Cache.Generation())
	p.ShiftStored = true
	p.Remember(r)
	known := r.Cache.fresh("p2")
	if len(known) != 1 || string(known[0].Hash) != string(r.recordEntry("p2", "quarkstein").Hash) {
		t.Fatalf("%d words of the id are known before its row is written", len(known))
	}
	r.Cache.Forget("3") // evicts what it can
	var first, second vault.Choices
	p.HandOver(&first)
	if others := p.HandOverMembers(&first); !maps.Equal(others, map[string]string{"p2": "2"}) {
		t.Errorf("words of %d other ids are stored", len(others))
	}
	if got := first.Patients(); !slices.Equal(got, []string{"p1", "p2"}) {
		t.Errorf("stored are words of %q", got)
	}
	p.HandOver(&second)
	if others := p.HandOverMembers(&second); len(others) != 0 || second.HasEntries() {
		t.Error("they are stored twice")
	}
	r.Cache.Unpin(p)
	if err := r.Cache.invariants(); err != nil {
		t.Error(err)
	}
}

// Words that the vault has of the id already are not stored again.
func TestKnownWordsOfMembersAreNotStored(t *testing.T) {
	t.Parallel()
	r := &Register{Key: schematest.Key(t), Cache: NewCache(1 << 20)}
	p := mergedPatient()
	p.ShiftStored, p.Ledger = true, &Ledger{}
	p.takeOver("p2")
	p.addFormer(string(r.recordEntry("p2", "quarkstein").Hash))
	p.Remember(r)
	var choices vault.Choices
	if others := p.HandOverMembers(&choices); len(others) != 0 {
		t.Errorf("words of %d other ids are stored", len(others))
	}
}

// An id stays in the cache as long as rows are in hand of the patient for whom it stands, and not longer.
func TestMembersStayInTheCacheWithTheirPatient(t *testing.T) {
	t.Parallel()
	c := NewCache(1) // has room for nobody who is not in hand
	p := loadTo(c, "1", c.Generation())
	word := surrogate.Entry{Kind: vault.RecordKind, Hash: []byte("w")}
	m := &member{key: "2", pseudonym: "p2"}
	for range 2 {
		c.addMember(p.Key, m, []surrogate.Entry{word})
	}
	c.Forget("3")
	if len(c.fresh("p2")) != 1 {
		t.Error("the id leaves the cache before its patient")
	}
	c.Unpin(p)
	if len(c.fresh("p2")) != 0 {
		t.Error("the id stays for ever")
	}
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}
