package patient

import (
	"testing"

	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Words that a row has told stay until they are in the vault, however small the cache is.
func TestToldWordsStayUntilTheyAreStored(t *testing.T) {
	t.Parallel()
	c := NewCache(1)
	word := entry(vault.RecordKind, "w")
	c.AddWords("1", "p1", []surrogate.Entry{word})
	c.Forget("2") // evicts what it can
	if got := c.fresh("p1"); len(got) != 1 {
		t.Errorf("%d words are left", len(got))
	}
	c.WordsStored("1")
	if got := c.fresh("p1"); len(got) != 0 {
		t.Errorf("%d words stay for ever", len(got))
	}
	if err := c.invariants(); err != nil {
		t.Error(err)
	}
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
