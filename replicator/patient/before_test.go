package patient

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// otherKey returns a key of its own.
func otherKey(t *testing.T) *surrogate.Key {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := surrogate.NewKeyFile(path); err != nil {
		t.Fatal(err)
	}
	key, err := surrogate.ReadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// While the key is changed, words that the key before alone knows are searched for, and kept under the next key.
func TestWordsOfTheKeyBefore(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	r.Before = NewBefore(otherKey(t))
	site := &Directory{words: map[string]bool{siteWord(r.Key, "Grizzlewood"): true}}
	r.Before.site = map[string]bool{siteWord(r.Before.key, "Grizzlewood"): true, siteWord(r.Before.key, "Lefthand"): true}
	p := &Patient{
		Pseudonym: "p1", Ledger: &Ledger{}, record: "r", Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}}),
		before: []former{
			{"old1", map[string]bool{string(wordHash(r.Before.key, "old1", "quarkstein")): true, string(wordHash(r.Before.key, "old1", "wampfler")): true}},
			{"old2", map[string]bool{string(wordHash(r.Before.key, "old2", "4711")): true}},
		},
	}
	for _, c := range []struct{ text, alias, id string }{
		{"seen by QUARKSTEIN", "QUARKSTEIN", ""},
		{"number 4711", "", "4711"},
		{"of staff who left: Lefthand", "Lefthand", ""},
		{"of staff who are there: Grizzlewood", "", ""},
		{"in the record: Wampfler", "", ""},
		{"none of them", "", ""},
	} {
		met := r.GazetteerFor(p, site, c.text).Record()
		if alias, id := strings.Join(met[record.NameAlias], " "), strings.Join(met[record.ID], " "); alias != c.alias || id != c.id {
			t.Errorf("%s: %q, %q", c.text, alias, id)
		}
	}
	kept := map[string]bool{}
	for _, e := range p.Ledger.takeUnstored() {
		if e.Kind != vault.RecordKind || e.Surrogate != "" {
			t.Errorf("kept: %s", e.Kind)
		}
		kept[string(e.Hash)] = true
	}
	for _, word := range []string{"quarkstein", "4711", "lefthand", "wampfler"} { // the last one since it is in the record
		if !kept[string(r.recordEntry("p1", word).Hash)] {
			t.Errorf("%s is not kept under the next key", word)
		}
	}
	if len(kept) != 4 {
		t.Errorf("%d words are kept", len(kept))
	}
}

// Nothing is known before where the key is not changed, or of a patient of whom it knew nothing.
func TestKeyBeforeThatKnowsNothing(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	p := &Patient{Pseudonym: "p1", Ledger: &Ledger{}, Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}})}
	if got := r.GazetteerFor(p, &Directory{}, "Quarkstein"); got != p.Gazetteer || r.Before.knows(p) {
		t.Error("another gazetteer without a change of the key")
	}
	r.Before = NewBefore(otherKey(t))
	if got := r.GazetteerFor(p, &Directory{}, "Quarkstein"); got != p.Gazetteer || r.Before.met(r, p, &Directory{}, "Quarkstein") {
		t.Error("another gazetteer of a patient whom the key before did not know")
	}
}
