package patient

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

func TestWhatADirectoryAdds(t *testing.T) {
	t.Parallel()
	two := record.Record{record.ProviderName: {"Ada", "Bo"}, record.Facility: {"East Wing"}}
	for _, c := range []struct {
		name    string
		rec, to record.Record
		want    bool
	}{
		{"nothing", nil, nil, false},
		{"the same", two, two, false},
		{"less", record.Record{record.ProviderName: {"Bo"}}, two, false},
		{"one more", two, record.Record{record.ProviderName: {"Ada", "Bo"}}, true},
		{"all of it", two, nil, true},
		{"the same under another role", record.Record{record.Facility: {"Ada"}}, two, true},
	} {
		if got := adds(c.rec, c.to); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestDirectoryIsStoredOnce(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	first := NewDirectory(key, staff("Ada Grizzlewood"), nil, DirectoryState{})
	if first.Stored || first.Gazetteer == nil {
		t.Error("a new directory needs no storing, or has no gazetteer")
	}
	known := DirectoryState{content: first.content, label: first.Label, words: first.words}
	if again := NewDirectory(key, staff("Ada Grizzlewood"), nil, known); !again.Stored || len(again.former) != 0 {
		t.Error("a directory that the vault has is stored again, or has former staff")
	}
	none := NewDirectory(key, nil, first, known)
	if none.Gazetteer != nil || none.Stored || len(none.former) != 2 {
		t.Errorf("an empty directory: %d former words", len(none.former))
	}
	// Who came back is not former any more.
	if back := NewDirectory(key, staff("Ada Grizzlewood"), none, known); len(back.former) != 0 {
		t.Errorf("%d words of those who came back are former", len(back.former))
	}
	batch := &pgx.Batch{}
	first.Queue(batch, "slot")
	if batch.Len() != 2 {
		t.Fatalf("%d statements", batch.Len())
	}
	for _, q := range batch.QueuedQueries {
		if q.Arguments[0] != "slot" || strings.Contains(q.SQL, "rizzlewood") {
			t.Errorf("statement %s", q.SQL)
		}
	}
	hashes, ok := batch.QueuedQueries[1].Arguments[1].([][]byte)
	if !ok || len(hashes) != 2 || len(hashes[0]) != 16 || strings.Contains(string(slices.Concat(hashes...)), "rizz") {
		t.Errorf("%d words are stored", len(hashes))
	}
}

func TestWordsThatAreKept(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"O'Quarkstein-Li": "Quarkstein",
		"Bo Ann":          "Ann",
		"12A 123 1234":    "1234",
		"":                "",
		"...":             "",
		"Zoë née Müller":  "Zoë née Müller",
		"李小龍 李小":          "李小龍",
	} {
		var got []string
		words(text, func(w string) { got = append(got, w) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestRecordEntriesHaveEachWordOnce(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	rec := record.Record{record.NameLast: {"Quarkstein", "QUARKSTEIN"}, record.NameFull: {"Zebulon Quarkstein"}, record.Street: {"Elm Street"}}
	entries := r.recordEntries("p1", rec)
	if len(entries) != 2 {
		t.Errorf("%d entries", len(entries))
	}
	for i, other := range r.recordEntries("p2", rec) {
		if string(other.Hash) == string(entries[i].Hash) {
			t.Error("hashes of two patients can be compared")
		}
	}
}

// Words that people made known can be left out for one look at a note; those of the record can't.
func TestForget(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	word := func(w string) surrogate.Entry { return r.recordEntry("p1", w) }
	p := &Patient{
		Pseudonym: "p1", Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}}),
		stored: []surrogate.Entry{word("wampfler"), word("grizzlewood"), word("vexterly")}, Ledger: &Ledger{}, record: "r",
	}
	p.Forget(r, map[string]bool{string(word("grizzlewood").Hash): true, string(word("wampfler").Hash): true})
	met := r.GazetteerFor(p, &Directory{}, "Grizzlewood Vexterly Wampfler").Record()
	if got := strings.Join(met[record.NameAlias], " "); got != "Vexterly" || strings.Join(met[record.NameLast], " ") != "Wampfler" {
		t.Errorf("%q", got)
	}
}

// A patient who has taken over another one's rows is searched for that one's words too.
func TestWordsThatWereTakenOver(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	p := &Patient{
		Pseudonym: "p1", Gazetteer: record.NewGazetteer(record.Record{record.NameLast: {"Wampfler"}}),
		Ledger: &Ledger{}, record: "r",
	}
	for _, c := range []struct {
		was string
		is  bool // new
	}{{"p2", true}, {"p2", false}, {"p3", true}} {
		if p.takeOver(c.was) != c.is {
			t.Errorf("taking over %s", c.was)
		}
		p.addFormer(string(r.recordEntry(c.was, "quarkstein").Hash))
	}
	for text, want := range map[string]string{"seen QUARKSTEIN": "QUARKSTEIN", "seen Wampfler": "", "seen Quark": ""} {
		if got := strings.Join(r.GazetteerFor(p, &Directory{}, text).Record()[record.NameAlias], " "); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
	if p.Remember(r).Record == "r" {
		t.Error("a text is up to date though its patient has taken over another one")
	}
	if list := p.takenOver(); len(list) != 4 || list[0] != "p2" || list[2] != "p3" {
		t.Errorf("%d names and words", len(list))
	}
}

func TestRecordsAreHashedByWhatTheySay(t *testing.T) {
	t.Parallel()
	key := schematest.Key(t)
	base := record.Record{record.NameLast: {"A", "B"}, record.Street: {"C"}}
	for _, c := range []struct {
		name string
		rec  record.Record
		same bool
	}{
		{"in another order", record.Record{record.Street: {"C"}, record.NameLast: {"B", "A"}}, true},
		{"one less", record.Record{record.NameLast: {"A"}, record.Street: {"C"}}, false},
		{"other roles", record.Record{record.NameFirst: {"A", "B"}, record.Street: {"C"}}, false},
		{"nothing", nil, false},
	} {
		if got := hashRecord(key, c.rec) == hashRecord(key, base); got != c.same {
			t.Errorf("%s: the same: %v", c.name, got)
		}
	}
}

func TestWordsOfTheRowItself(t *testing.T) {
	t.Parallel()
	r := keyedRegister(t)
	columns := []schema.Column{{Column: config.Column{Tells: record.NameLast}}, {Column: config.Column{Tells: record.NameAlias}}}
	for _, c := range []struct {
		name, path string
		row        []schema.Value
		want       int
	}{
		{"two names", "p", row("Quarkstein", "Wampfler"), 2},
		{"a null", "p", row("Quarkstein", ""), 1},
		{"a value that was not sent", "p", []schema.Value{{State: schema.Unchanged}, {Text: "Wampfler", State: schema.Present}}, 1},
		{"a deletion", "p", nil, 0},
		{"the site's", "", row("Quarkstein", "Wampfler"), 0},
	} {
		table := &schema.Table{Table: &config.Table{Patient: config.Path{Column: c.path}}, Columns: columns, Telling: []int{0, 1}}
		entries := r.RowEntries(&schema.Change{Table: table, Row: c.row}, "p1")
		if len(entries) != c.want {
			t.Errorf("%s: %d entries", c.name, len(entries))
		}
		for _, e := range entries {
			if e.Kind != vault.RecordKind || e.Surrogate != "" {
				t.Errorf("%s: entry of kind %s", c.name, e.Kind)
			}
		}
	}
}
