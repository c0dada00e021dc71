package patient

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// loadTo puts a patient into the cache as load does.
func loadTo(c *Cache, key string, gen uint64) *Patient {
	return c.put(&Patient{Key: key, Pseudonym: "p" + key, Ledger: &Ledger{}}, gen)
}

func TestPatientsForget(t *testing.T) {
	c := NewCache(1 << 20)
	gen := c.Generation()
	one := loadTo(c, "1", gen)
	if c.pin("1") != one || c.pin("2") != nil {
		t.Fatal("a patient that was loaded is not there")
	}
	c.Forget("1")
	if c.pin("1") != nil {
		t.Error("a patient that was forgotten is there")
	}
	// What was read before is used once and not kept.
	if stale := loadTo(c, "1", gen); stale == one || c.pin("1") != nil {
		t.Error("what was read before the change is kept")
	}
	if fresh := loadTo(c, "1", c.Generation()); c.pin("1") != fresh || fresh.Ledger != one.Ledger {
		t.Error("the ledger is not the patient's")
	}
	c.ForgetAll()
	if c.pin("1") != nil {
		t.Error("forgetAll forgot nobody")
	}
}

func TestPatientsKeepLedgersOfPinned(t *testing.T) {
	c := NewCache(20 * slotCost)
	pinned := loadTo(c, "pinned", c.Generation())
	pinned.Ledger.Add([]surrogate.Entry{{Kind: "name", Hash: []byte{1}, Surrogate: "x"}})
	gen := c.Generation()
	for i := range 500 {
		c.Unpin(loadTo(c, fmt.Sprint(i), gen))
	}
	if c.bytes > c.limit || len(c.byKey) > 40 {
		t.Errorf("%d bytes, %d places", c.bytes, len(c.byKey))
	}
	again := loadTo(c, "pinned", c.Generation())
	if len(again.Ledger.with(nil)) != 1 {
		t.Error("surrogates that may not be stored yet are lost")
	}
	// Who was evicted after a change may not be cached from before it.
	c.Forget("changed")
	for i := range 500 {
		c.Unpin(loadTo(c, fmt.Sprint("b", i), c.Generation()))
	}
	loadTo(c, "changed", gen)
	if c.pin("changed") != nil {
		t.Error("an eviction made the cache forget that a patient changed")
	}
}

func TestLedgerHasNothingTwice(t *testing.T) {
	l := &Ledger{}
	a := surrogate.Entry{Kind: "name", Hash: []byte{1}, Surrogate: "x"}
	b := surrogate.Entry{Kind: "city", Hash: []byte{1}, Surrogate: "y"}
	l.Add([]surrogate.Entry{a, b})
	l.Add([]surrogate.Entry{a})
	if got := l.with([]surrogate.Entry{b}); len(got) != 2 {
		t.Errorf("%d entries", len(got))
	}
}

func TestFormerNamesAreRecalled(t *testing.T) {
	s := keyedRegister(t)
	p := func(stored []surrogate.Entry, names ...string) *Patient {
		rec := record.Record{record.NameLast: names, record.Street: {"12 Elm Street"}, record.MRN: {"MR-4711-23"}}
		return &Patient{Pseudonym: "9", Gazetteer: record.NewGazetteer(rec), record: "r" + strings.Join(names, ","), stored: stored, Ledger: &Ledger{}}
	}
	first := p(nil, "O'Quarkstein", "Li")
	stored := first.Remember(s).fresh
	if len(stored) != 2 { // quarkstein and 4711
		t.Fatalf("%d entries", len(stored))
	}
	for _, e := range stored {
		if e.Kind != vault.RecordKind || len(e.Hash) != 16 || strings.Contains(e.Surrogate, "quark") {
			t.Errorf("entry %+v", e)
		}
	}
	if first.memory.former != nil || s.GazetteerFor(first, &Directory{}, "Quarkstein") != first.Gazetteer {
		t.Error("a record without a past recalls something")
	}
	second := p(stored, "Wampfler")
	if got := s.GazetteerFor(second, &Directory{}, "formerly QUARKSTEIN, now Wampfler").Record()[record.NameAlias]; len(got) != 1 || got[0] != "QUARKSTEIN" {
		t.Errorf("recalled %q", got)
	}
	moved := p(stored, "Wampfler")
	moved.Gazetteer = record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}})
	if got := s.GazetteerFor(moved, &Directory{}, "MRN 4711").Record(); len(got[record.ID]) != 1 || len(got[record.NameLast]) != 1 {
		t.Errorf("recalled %v", got)
	}
	if s.GazetteerFor(second, &Directory{}, "Wampfler ate") != second.Gazetteer {
		t.Error("a text without a former name has another gazetteer")
	}
	if second.memory.Record == second.record {
		t.Error("the hash of the record does not know its past")
	}
	if other := (&Patient{Pseudonym: "8", Gazetteer: second.Gazetteer, stored: stored, Ledger: &Ledger{}}); s.GazetteerFor(other, &Directory{}, "Quarkstein") != other.Gazetteer {
		t.Error("another patient's past is recalled")
	}
}

// keyedRegister returns a register that has a key and nothing else.
func keyedRegister(t testing.TB) *Register {
	t.Helper()
	key := schematest.Key(t)
	return &Register{Key: key, Seals: vault.NewSeals(key)}
}

func TestPatientsThatWereLoadedTwice(t *testing.T) {
	t.Parallel()
	load := func() *Patient {
		p := &Patient{Key: "1", Pseudonym: "a", Shift: 5, record: "r", stored: []surrogate.Entry{entry("name", "x"), entry("name", "y")}}
		p.takeOver("b")
		p.addFormer("w")
		return p
	}
	for name, c := range map[string]struct {
		change func(p *Patient)
		same   bool
	}{
		"nothing":             {func(*Patient) {}, true},
		"order of surrogates": {func(p *Patient) { p.stored[0], p.stored[1] = p.stored[1], p.stored[0] }, true},
		"the key":             {func(p *Patient) { p.Key = "2" }, false},
		"the pseudonym":       {func(p *Patient) { p.Pseudonym = "c" }, false},
		"the record":          {func(p *Patient) { p.record = "s" }, false},
		"the shift":           {func(p *Patient) { p.Shift = 6 }, false},
		"a surrogate new":     {func(p *Patient) { p.stored = append(p.stored, entry("name", "z")) }, false},
		"another surrogate":   {func(p *Patient) { p.stored[0].Surrogate = "other" }, false},
		"a word taken over":   {func(p *Patient) { p.addFormer("v") }, false},
		"another taken over":  {func(p *Patient) { p.takeOver("d") }, false},
	} {
		p := load()
		c.change(p)
		if load().Same(p) != c.same || p.Same(load()) != c.same {
			t.Errorf("%s: same is %v", name, !c.same)
		}
	}
}
