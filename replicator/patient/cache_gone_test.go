package patient

import (
	"fmt"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Words that a row has told stay until they are in the vault, however small the cache is.
func TestToldWordsStayUntilTheyAreStored(t *testing.T) {
	t.Parallel()
	c := NewCache(1)
	word := entry(vault.RecordKind, "w")
	held := c.AddWords("1", "p1", []surrogate.Entry{word})
	c.Forget("2") // evicts what it can
	if got := c.fresh("p1"); len(got) != 1 {
		t.Errorf("%d words are left", len(got))
	}
	c.WordsStored(held)
	if got := c.fresh("p1"); len(got) != 0 {
		t.Errorf("%d words stay for ever", len(got))
	}
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}

// A patient who is taken away may be back before a row is committed that was on its way: its words are searched for until then,
// and not stored with another row.
func TestHeldWordsStayKnownOfDroppedPatients(t *testing.T) {
	t.Parallel()
	c := NewCache(1 << 20)
	loaded, first, second := entry(vault.RecordKind, "loaded"), entry(vault.RecordKind, "first"), entry(vault.RecordKind, "second")
	before := loadTo(c, "1", c.Generation())
	before.Ledger.Add([]surrogate.Entry{loaded})
	one := c.AddWords("1", "p1", []surrogate.Entry{first})
	two := c.AddWords("1", "p1", []surrogate.Entry{second})
	wantFresh := func(when string, want ...surrogate.Entry) {
		t.Helper()
		c.Drop("1")
		if got := c.fresh("p1"); fmt.Sprint(hashes(got)) != fmt.Sprint(hashes(want)) {
			t.Errorf("%s: %q are known, not %q", when, hashes(got), hashes(want))
		}
	}
	wantFresh("both rows are on their way", first, second)
	back := loadTo(c, "1", c.Generation())
	if got := back.Ledger.takeUnstored(); len(got) != 0 || back.Void() {
		t.Errorf("%q would be stored with another row", hashes(got))
	}
	c.WordsStored(one)
	wantFresh("the second row is", second)
	c.WordsStored(two)
	wantFresh("no row is")
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}

func hashes(entries []surrogate.Entry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = string(e.Hash)
	}
	return list
}

// Of a patient of whom the vault has nothing any more, nothing that is in hand may be written.
func TestDroppedPatientsAreVoid(t *testing.T) {
	t.Parallel()
	c := NewCache(1 << 20)
	before := c.Generation()
	old := loadTo(c, "1", before)
	other := loadTo(c, "2", before)
	c.Drop("1")
	if !old.Void() || other.Void() {
		t.Error("the wrong patient is void")
	}
	if late := c.put(&Patient{Key: "1", Pseudonym: "p1"}, before); !late.Void() {
		t.Error("a patient who was loaded from the vault as it was before is not void")
	}
	fresh := loadTo(c, "1", c.Generation())
	if fresh == old || fresh.Void() {
		t.Error("a patient who comes back is void")
	}
	if c.pin("1") != fresh {
		t.Error("a patient who came back is not kept")
	}
	c.Clear()
	if c.pin("1") != nil || c.pin("2") != nil {
		t.Error("something is left")
	}
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
}
