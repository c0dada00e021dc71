package leaks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

var noteTable = &schema.Table{ID: "ehr.note", Table: &config.Table{Schema: "ehr", Name: "note"}}

// found returns a hit of a word in a value.
func found(t *testing.T, c *column, value, word string) *hit {
	t.Helper()
	at := strings.Index(value, word)
	if at < 0 {
		t.Fatalf("%q is not in %q", word, value)
	}
	return &hit{column: c, row: `["7"]`, word: word, at: phi.Range{Start: at, End: at + len(word)}, value: value, raw: value, patient: "p"}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	body := &column{table: noteTable, name: "body", text: true, plain: true}
	html := &column{table: noteTable, name: "page", text: true}
	dated := &column{table: noteTable, name: "dated", text: true}
	code := &column{table: noteTable, name: "kind"}
	state := &column{table: noteTable, name: "state", kept: true}
	m := newMade()
	m.addEntry("p", surrogate.Entry{Kind: "name", Surrogate: "Hollis"})
	m.addEntry("p", surrogate.Entry{Kind: "street", Surrogate: "12 Hazel Grove"})
	m.addEntry("q", surrogate.Entry{Kind: "name", Surrogate: "Zorvakian"})
	m.spans[textKey{"ehr.note", "body", `["7"]`}] = []phi.Range{{Start: 6, End: 13}}
	m.spans[textKey{"ehr.note", "dated", `["7"]`}] = []phi.Range{{Start: 7, End: 14}, {Start: 90, End: 99}}
	for name, tt := range map[string]struct {
		hit  *hit
		want verdict
	}{
		"a name":                               {found(t, body, "Seen: Zorvakian", "Zorvakian"), leak},
		"in a moved date":                      {found(t, body, "Seen, June 24", "June"), madeUp},
		"in a moved date behind wide letters":  {found(t, body, "Çééñ, June 24", "June"), madeUp},
		"only partly in what was put there":    {found(t, body, "Seen, 1234 Zorvakian", "1234 Zorvakian"), leak},
		"behind what was put there":            {found(t, body, "Seen, June 24 by June", "by June"), leak},
		"a document without places":            {found(t, html, "Seen, June 24", "June"), leak},
		"in a moved date of a document":        {found(t, dated, "<p>By, June 24</p>", "June"), madeUp},
		"beside a moved date of a document":    {found(t, dated, "<p>By, June 24 Hazel</p>", "24 Hazel"), leak},
		"a surrogate of the patient":           {found(t, html, "<p>Hollis</p>", "Hollis"), madeUp},
		"words of a surrogate":                 {found(t, body, "at Hazel Grove", "Hazel Grove"), madeUp},
		"one word of a surrogate, one of none": {found(t, body, "at Hazel Zorvakian", "Hazel Zorvakian"), leak},
		"a surrogate of somebody else":         {found(t, html, "<p>Zorvakian</p>", "Zorvakian"), leak},
		"an ordinary word in a column":         {found(t, code, "Street visit", "Street"), madeUp},
		"a name in a column":                   {found(t, code, "Zorvakian", "Zorvakian"), leak},
		"what the mapping keeps":               {found(t, state, "Zorvakian", "Zorvakian"), kept},
	} {
		if got := m.judge(tt.hit); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestOrdinaryWordsInTextsAreJudgedByTheirPlace(t *testing.T) {
	t.Parallel()
	body := &column{table: noteTable, name: "body", text: true, plain: true}
	if got := newMade().judge(found(t, body, "Mr. Street was seen", "Street")); got != leak {
		t.Errorf("a name that is a word passes in a text: %d", got)
	}
	for word, want := range map[string]bool{"Street": true, "de": true, "Zorvakian": false, "5550143": false} {
		if got := Ordinary(word); got != want {
			t.Errorf("%q is ordinary: %v", word, got)
		}
	}
}

func TestCountTakesTheWorstOfAValue(t *testing.T) {
	t.Parallel()
	body := &column{table: noteTable, name: "body", text: true, plain: true}
	kind := &column{table: noteTable, name: "kind"}
	a, b := found(t, body, "Zorvakian Street", "Zorvakian"), found(t, body, "Zorvakian Street", "Street")
	c := found(t, kind, "Street", "Street")
	other := found(t, body, "Street", "Street")
	other.row = `["8"]`
	var r Result
	r.count([]*hit{b, a, c, other}, []verdict{madeUp, leak, kept, madeUp})
	r.count([]*hit{c}, []verdict{kept})
	want := []Count{{"ehr.note.body", 1, 1, 0}, {"ehr.note.kind", 0, 0, 2}}
	if fmt.Sprint(r.Found) != fmt.Sprint(want) || r.Leaks() != 1 || r.Chance() != 1 {
		t.Errorf("%+v", r)
	}
	r.Unread = 2
	if r.Leaks() != 3 {
		t.Error("what can't be read is no leak")
	}
}

func TestWhatIsAtHandPrintsNothing(t *testing.T) {
	t.Parallel()
	body := &column{table: noteTable, name: "body", text: true}
	m := newMade()
	m.addEntry("p", surrogate.Entry{Surrogate: "Hollis"})
	for _, v := range []any{
		*found(t, body, "Zorvakian", "Zorvakian"), found(t, body, "Zorvakian", "Zorvakian"), m,
		row{values: []string{"Zorvakian"}},
		&feed{table: noteTable, page: []row{{values: []string{"Zorvakian"}}}},
		known{pseudonym: "p", key: "Zorvakian"},
		&scanner{hits: []*hit{found(t, body, "Zorvakian", "Zorvakian")}},
	} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			if got := fmt.Sprintf(format, v); strings.Contains(got, "Zorvakian") || strings.Contains(got, "Hollis") {
				t.Errorf("%T prints %s", v, got)
			}
		}
	}
}
