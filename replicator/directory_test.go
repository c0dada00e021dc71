package replicator

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/surrogate"
)

func staff(names ...string) record.Record { return record.Record{record.ProviderName: names} }

func TestDirectoryLabelChangesWhenSomethingIsAdded(t *testing.T) {
	key := testKey(t)
	first := newDirectory(key, staff("Ada Grizzlewood", "Bo Quill"), nil, directoryState{})
	less := newDirectory(key, staff("Bo Quill"), first, directoryState{})
	more := newDirectory(key, staff("Bo Quill", "Cy Wampfler"), less, directoryState{})
	again := newDirectory(key, staff("Bo Quill", "Ada Grizzlewood"), nil, directoryState{})
	if less.label != first.label || less.content == first.content {
		t.Error("a deletion makes texts out of date")
	}
	if more.label == less.label {
		t.Error("an addition does not make texts out of date")
	}
	if again.label != first.label {
		t.Error("the order of the rows counts")
	}
	// A new process finds what the last one has stored.
	if d := newDirectory(key, staff("Bo Quill"), nil, directoryState{content: less.content, label: less.label}); d.label != first.label {
		t.Error("a restart makes texts out of date")
	}
}

func TestHashOfATextCoversTheDirectory(t *testing.T) {
	s := keyedRegister(t)
	p := &patient{pseudonym: "9", ledger: &ledger{}}
	a := newDirectory(s.key, staff("Ada Grizzlewood"), nil, directoryState{})
	b := newDirectory(s.key, staff("Ada Grizzlewood", "Bo Quill"), a, directoryState{})
	d := &deidentifier{reg: s, key: s.key}
	if string(d.hashText(p, a, "text")) == string(d.hashText(p, b, "text")) {
		t.Error("a text counts as up to date with a directory that knows more")
	}
}

func TestFormerStaffStayKnown(t *testing.T) {
	s := keyedRegister(t)
	p := &patient{pseudonym: "9", gazetteer: record.NewGazetteer(record.Record{}), ledger: &ledger{}}
	before := newDirectory(s.key, staff("Ada Grizzlewood", "Bo Quill"), nil, directoryState{})
	for name, now := range map[string]*directory{
		"in the session":  newDirectory(s.key, staff("Bo Quill"), before, directoryState{}),
		"after a restart": newDirectory(s.key, staff("Bo Quill"), nil, directoryState{content: before.content, words: before.words}),
	} {
		got := s.gazetteerFor(p, now, "seen by GRIZZLEWOOD with Quill").Record()[record.ProviderName]
		if len(got) != 1 || got[0] != "GRIZZLEWOOD" {
			t.Errorf("%s: recalled %q", name, got)
		}
	}
}

func TestDirectoryPrintsItselfRedacted(t *testing.T) {
	d := newDirectory(&surrogate.Key{}, staff("Ada Grizzlewood"), nil, directoryState{})
	if text := fmt.Sprintf("%v %+v %#v %s", d, d, d, d); strings.Contains(text, "rizzlewood") {
		t.Error("a directory prints its values")
	}
}
