package patient

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/surrogate"
)

func staff(names ...string) record.Record { return record.Record{record.ProviderName: names} }

func TestDirectoryLabelChangesWhenSomethingIsAdded(t *testing.T) {
	key := schematest.Key(t)
	first := NewDirectory(key, staff("Ada Grizzlewood", "Bo Quill"), nil, DirectoryState{})
	less := NewDirectory(key, staff("Bo Quill"), first, DirectoryState{})
	more := NewDirectory(key, staff("Bo Quill", "Cy Wampfler"), less, DirectoryState{})
	again := NewDirectory(key, staff("Bo Quill", "Ada Grizzlewood"), nil, DirectoryState{})
	if less.Label != first.Label || less.content == first.content {
		t.Error("a deletion makes texts out of date")
	}
	if more.Label == less.Label {
		t.Error("an addition does not make texts out of date")
	}
	if again.Label != first.Label {
		t.Error("the order of the rows counts")
	}
	// A new process finds what the last one has stored.
	if d := NewDirectory(key, staff("Bo Quill"), nil, DirectoryState{content: less.content, label: less.Label}); d.Label != first.Label {
		t.Error("a restart makes texts out of date")
	}
}

func TestFormerStaffStayKnown(t *testing.T) {
	s := keyedRegister(t)
	p := &Patient{Pseudonym: "9", Gazetteer: record.NewGazetteer(record.Record{}), Ledger: &Ledger{}}
	before := NewDirectory(s.Key, staff("Ada Grizzlewood", "Bo Quill"), nil, DirectoryState{})
	for name, now := range map[string]*Directory{
		"in the session":  NewDirectory(s.Key, staff("Bo Quill"), before, DirectoryState{}),
		"after a restart": NewDirectory(s.Key, staff("Bo Quill"), nil, DirectoryState{content: before.content, words: before.words}),
	} {
		got := s.GazetteerFor(p, now, "seen by GRIZZLEWOOD with Quill").Record()[record.ProviderName]
		if len(got) != 1 || got[0] != "GRIZZLEWOOD" {
			t.Errorf("%s: recalled %q", name, got)
		}
	}
}

func TestDirectoryPrintsItselfRedacted(t *testing.T) {
	d := NewDirectory(&surrogate.Key{}, staff("Ada Grizzlewood"), nil, DirectoryState{})
	if text := fmt.Sprintf("%v %+v %#v %s", d, d, d, d); strings.Contains(text, "rizzlewood") {
		t.Error("a directory prints its values")
	}
}
