package patient

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

func entry(kind, hash string) surrogate.Entry {
	return surrogate.Entry{Kind: kind, Hash: []byte(hash), Surrogate: "s" + hash}
}

// invariants checks what holds of a cache at rest.
func (c *Cache) invariants() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var bytes int64
	for e := c.lru.Front(); e != nil; e = e.Next() {
		s := e.Value.(*slotOf)
		bytes += s.size
		switch {
		case c.byKey[s.key] != e:
			return fmt.Errorf("place %s is not found by its key", s.key)
		case s.pins < 0:
			return fmt.Errorf("place %s has %d pins", s.key, s.pins)
		case (s.current == nil) != (s.size == 0):
			return fmt.Errorf("place %s has %d bytes, loaded: %v", s.key, s.size, s.current != nil)
		}
	}
	if bytes != c.bytes || c.lru.Len() != len(c.byKey) {
		return fmt.Errorf("%d bytes counted, %d there; %d and %d places", c.bytes, bytes, c.lru.Len(), len(c.byKey))
	}
	return nil
}

func TestSecondLoadOfOnePatientReturnsTheFirst(t *testing.T) {
	t.Parallel()
	c := NewCache(1 << 20)
	first := loadTo(c, "1", c.Generation())
	if second := loadTo(c, "1", c.Generation()); second != first {
		t.Error("two books of one patient are in use")
	}
	if c.byKey["1"].Value.(*slotOf).pins != 2 {
		t.Error("a use is not counted")
	}
}

// What was loaded while another change came is good for those who asked before it, and
// is loaded again by those who come after it.
func TestChangeWhileAPatientIsLoaded(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(c *Cache){
		"the patient":             func(c *Cache) { c.Forget("1") },
		"the patient and another": func(c *Cache) { c.Forget("1"); c.Forget("2") },
		"all, where there is one": func(c *Cache) { c.slot("1"); c.ForgetAll() },
		"the patient, who then left": func(c *Cache) {
			c.Forget("1")
			limit := c.limit
			c.limit = 0
			c.Unpin(&Patient{Key: "nobody"})
			c.limit = limit
		},
	} {
		c := NewCache(1 << 20)
		gen := c.Generation()
		forget(c)
		stale := loadTo(c, "1", gen)
		if stale == nil || c.pin("1") != nil {
			t.Errorf("%s: what was read before the change is kept", name)
		}
		if fresh := loadTo(c, "1", c.Generation()); fresh == stale || c.pin("1") != fresh {
			t.Errorf("%s: what was read after the change is not kept", name)
		}
		if err := c.invariants(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := NewCache(1 << 20)
	gen := c.Generation()
	c.Forget("2")
	if p := loadTo(c, "1", gen); c.pin("1") != p {
		t.Error("a change of another patient makes one load again")
	}
}

func TestPinnedPatientsStayUntilTheLastPin(t *testing.T) {
	t.Parallel()
	c := NewCache(slotCost / 2) // no room for one
	p := loadTo(c, "1", c.Generation())
	c.Hold(p)
	p.Ledger.Add([]surrogate.Entry{entry("name", "a")})
	for range 2 {
		if c.byKey["1"] == nil || len(c.slot("1").ledger.with(nil)) != 1 {
			t.Fatal("surrogates of a row on its way are forgotten")
		}
		c.Unpin(p)
	}
	if c.byKey["1"] != nil {
		t.Error("nothing leaves a cache without room")
	}
	c.Unpin(p) // of one who left
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}

func TestWhoWasUsedLastStays(t *testing.T) {
	t.Parallel()
	one := (&Patient{}).size() + slotCost
	c := NewCache(3 * one)
	for _, key := range []string{"1", "2", "3"} {
		c.Unpin(loadTo(c, key, c.Generation()))
	}
	c.Unpin(c.pin("1"))
	c.Unpin(loadTo(c, "4", c.Generation()))
	for key, want := range map[string]bool{"1": true, "2": false, "3": true, "4": true} {
		p := c.pin(key)
		if (p != nil) != want {
			t.Errorf("patient %s: %v", key, p != nil)
		}
	}
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}

func TestFreshWordsByPseudonym(t *testing.T) {
	t.Parallel()
	c := NewCache(1 << 20)
	word, name := entry(vault.RecordKind, "w"), entry("name", "n")
	c.AddWords("1", "p1", []surrogate.Entry{word, name}) // who was never loaded
	loadTo(c, "2", c.Generation()).Ledger.Add([]surrogate.Entry{name})
	for who, want := range map[string]int{"p1": 1, "p2": 0, "p3": 0} {
		got := c.fresh(who)
		if len(got) != want || want == 1 && string(got[0].Hash) != "w" {
			t.Errorf("%s: %v", who, got)
		}
	}
	if got := loadTo(c, "1", c.Generation()); len(got.Ledger.with(nil)) != 2 {
		t.Error("fresh takes something out of the ledger, or it is not the patient's")
	}
	c.Forget("1")
	if len(c.fresh("p1")) != 1 {
		t.Error("a change of the record takes its words away")
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := NewCache(30 * slotCost)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 300 {
				key := fmt.Sprint((i*7 + n) % 40)
				gen := c.Generation()
				p := c.pin(key)
				if p == nil {
					p = loadTo(c, key, gen)
				}
				p.Ledger.Add([]surrogate.Entry{entry("name", key)})
				switch i % 50 {
				case 10:
					c.Forget(key)
				case 20:
					c.ForgetAll()
				case 30:
					c.WordsStored(c.AddWords(key, "p"+key, nil))
				}
				if got := p.Ledger.with(nil); len(got) != 1 || string(got[0].Hash) != key {
					t.Errorf("patient %s has %v", key, got)
				}
				c.Unpin(p)
			}
		})
	}
	wg.Wait()
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
	for key, e := range c.byKey {
		if pins := e.Value.(*slotOf).pins; pins != 0 {
			t.Errorf("patient %s has %d pins left", key, pins)
		}
	}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	a, b, c := entry("name", "a"), entry("city", "a"), entry("name", "c")
	for _, tt := range []struct {
		name     string
		add      [][]surrogate.Entry
		stored   []surrogate.Entry
		with     string
		unstored string
	}{
		{"empty", nil, nil, "", ""},
		{"empty, with stored ones", nil, []surrogate.Entry{a}, "name/a", ""},
		{"one twice", [][]surrogate.Entry{{a}, {a}}, nil, "name/a", "name/a"},
		{"one twice at once", [][]surrogate.Entry{{a, a}}, nil, "name/a", "name/a"},
		{"kinds differ", [][]surrogate.Entry{{a, b}}, nil, "name/a city/a", "name/a city/a"},
		{"stored since", [][]surrogate.Entry{{a, c}}, []surrogate.Entry{a}, "name/a name/c", "name/a name/c"},
	} {
		l := &Ledger{}
		for _, entries := range tt.add {
			l.Add(entries)
		}
		if got := listed(l.with(tt.stored)); got != tt.with {
			t.Errorf("%s: with %q", tt.name, got)
		}
		if got := listed(l.takeUnstored()); got != tt.unstored {
			t.Errorf("%s: unstored %q", tt.name, got)
		}
		if got := listed(l.takeUnstored()); got != "" {
			t.Errorf("%s: stored twice: %q", tt.name, got)
		}
		for _, entries := range tt.add {
			l.Add(entries)
		}
		if got := listed(l.takeUnstored()); got != "" {
			t.Errorf("%s: what was stored is to be stored again: %q", tt.name, got)
		}
		if got := listed(l.with(tt.stored)); got != tt.with {
			t.Errorf("%s: after it was stored: %q", tt.name, got)
		}
	}
}

func listed(entries []surrogate.Entry) string {
	var parts []string
	for _, e := range entries {
		parts = append(parts, e.Kind+"/"+string(e.Hash))
	}
	return strings.Join(parts, " ")
}

func TestLedgerLeavesWhatIsStoredAlone(t *testing.T) {
	t.Parallel()
	l := &Ledger{}
	l.Add([]surrogate.Entry{entry("name", "b")})
	stored := append(make([]surrogate.Entry, 0, 8), entry("name", "a"))
	_ = l.with(stored)
	if stored[:2][1].Kind != "" {
		t.Error("the ledger writes into the slice of another")
	}
}

// A row brings what was chosen for it until a transaction of the stream has written that, whoever took it from the ledger before.
func TestRowsBringWhatIsNotWritten(t *testing.T) {
	t.Parallel()
	a, b := entry("name", "a"), entry("name", "b")
	for _, c := range []struct {
		name         string
		known, wrote []surrogate.Entry
		taken        bool // somebody else took what is not stored
		row          []surrogate.Entry
		want         string
	}{
		{"the row's own and another's", []surrogate.Entry{a, b}, nil, false, []surrogate.Entry{a}, "name/a name/a name/b"},
		{"taken by another transaction", []surrogate.Entry{a, b}, nil, true, []surrogate.Entry{a}, "name/a"},
		{"written", []surrogate.Entry{a, b}, []surrogate.Entry{a, b}, true, []surrogate.Entry{a}, ""},
		{"another is written", []surrogate.Entry{a, b}, []surrogate.Entry{b}, true, []surrogate.Entry{a}, "name/a"},
		{"written, and not known here", nil, []surrogate.Entry{a}, true, []surrogate.Entry{a}, "name/a"},
		{"a row without any", []surrogate.Entry{a}, nil, true, nil, ""},
	} {
		p := &Patient{Pseudonym: "p", Ledger: &Ledger{}, ShiftStored: true, Memorised: true}
		p.Ledger.Add(c.known)
		if c.taken {
			p.HandOver(&vault.Choices{})
		}
		p.Wrote(c.wrote)
		p.Ledger.Add(c.known) // as each row does that has them
		var to vault.Choices
		got := p.HandOverFor(c.row, &to)
		if listed(got) != c.want || to.HasEntries() != (c.want != "") || len(to.Among("p", got)) != len(got) {
			t.Errorf("%s: %q, want %q", c.name, listed(got), c.want)
		}
	}
	(&Patient{}).Wrote([]surrogate.Entry{a}) // without a ledger nothing is remembered
	if got := (&Patient{}).HandOverFor([]surrogate.Entry{a}, &vault.Choices{}); listed(got) != "name/a" {
		t.Errorf("without a ledger: %q", listed(got))
	}
}

func TestHandOverOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		p          *Patient
		has, empty bool // entries; nothing at all
	}{
		{"a new patient", &Patient{Ledger: &Ledger{}}, false, false},
		{"one with surrogates", &Patient{Ledger: &Ledger{unstored: []surrogate.Entry{entry("name", "a")}}, ShiftStored: true}, true, false},
		{"one whose words are fresh", &Patient{memory: Memory{fresh: []surrogate.Entry{entry("record", "a")}}, ShiftStored: true}, true, false},
		{"one whose words are handed on", &Patient{
			memory:    Memory{fresh: []surrogate.Entry{entry("record", "a")}},
			Memorised: true, ShiftStored: true,
		}, false, true},
		{"one who is stored", &Patient{Ledger: &Ledger{}, ShiftStored: true}, false, true},
	} {
		c.p.Pseudonym = "p"
		var first, second vault.Choices
		c.p.HandOver(&first)
		c.p.HandOver(&second)
		if first.HasEntries() != c.has || first.Empty() != c.empty {
			t.Errorf("%s: entries %v, nothing %v", c.name, first.HasEntries(), first.Empty())
		}
		if !second.Empty() {
			t.Errorf("%s: handed over twice", c.name)
		}
		if !c.empty && strings.Join(first.Patients(), " ") != "p" {
			t.Errorf("%s: stored for %q", c.name, first.Patients())
		}
	}
}

func TestSizeGrowsWithWhatIsKnown(t *testing.T) {
	t.Parallel()
	sizes := []int64{
		(&Patient{}).size(),
		(&Patient{Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}})}).size(),
		(&Patient{formers: []former{{words: map[string]bool{"a": true, "b": true}}}}).size(),
		(&Patient{stored: []surrogate.Entry{entry("name", "a")}}).size(),
	}
	for i, n := range sizes[1:] {
		if n <= sizes[0] {
			t.Errorf("%d: %d bytes", i+1, n)
		}
	}
}

func TestPatientsPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	p := &Patient{Key: "4711", Pseudonym: "p9", Shift: 77, Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}})}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s", p, p, p, p), p.LogValue().String()} {
		if strings.Contains(text, "4711") || strings.Contains(text, "77") || strings.Contains(text, "Wampfler") || !strings.Contains(text, "[redacted]") {
			t.Errorf("printed %s", text)
		}
	}
}
