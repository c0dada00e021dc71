package admin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// rowOf returns an item and its version, with one text.
func rowOf(key string, keep bool, made deid.TextOutcome, why vault.Reason) (*deid.Item, *apply.Version) {
	it := &deid.Item{Out: deid.Outcome{Reason: why, Texts: []deid.TextOutcome{made}}}
	return it, &apply.Version{RowKey: key, Keep: []bool{keep}, Item: it}
}

func TestVerdictOfANote(t *testing.T) {
	t.Parallel()
	anew := deid.TextOutcome{HMAC: []byte("h")}
	there, differs := map[string]bool{"1": false, "2": false}, map[string]bool{"1": true, "2": false}
	for _, c := range []struct {
		name  string
		keep  [2]bool
		made  [2]deid.TextOutcome
		why   vault.Reason
		stale map[string]bool
		want  verdict
	}{
		{"as before", [2]bool{true, true}, [2]deid.TextOutcome{}, "", there, upToDate},
		{"made anew, the same", [2]bool{true, true}, [2]deid.TextOutcome{anew, anew}, "", there, same},
		{"one line was made anew", [2]bool{true, true}, [2]deid.TextOutcome{{}, anew}, "", there, same},
		{"one line is another", [2]bool{true, false}, [2]deid.TextOutcome{anew, anew}, "", there, otherwise},
		{"no text", [2]bool{}, [2]deid.TextOutcome{{Null: true}, {Null: true}}, "", there, upToDate},
		{"a column differs", [2]bool{true, true}, [2]deid.TextOutcome{}, "", differs, otherwise},
		{"a line is missing", [2]bool{true, true}, [2]deid.TextOutcome{}, "", map[string]bool{"2": false}, otherwise},
		{"not in the replica", [2]bool{}, [2]deid.TextOutcome{anew, anew}, "", nil, absent},
		{"set aside", [2]bool{}, [2]deid.TextOutcome{anew, anew}, vault.Leak, there, aside},
	} {
		var u unit
		for i, key := range []string{"1", "2"} {
			it, v := rowOf(key, c.keep[i], c.made[i], c.why)
			u.items, u.rows = append(u.items, it), append(u.rows, v)
		}
		if got := u.verdict(c.stale); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestRowsAreGatheredByNote(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	row := func(note, n string) *deid.Item {
		values := make([]schema.Value, len(table.Columns))
		for i, k := range table.Key {
			values[k] = schema.Value{Text: []string{note, n}[i], State: schema.Present}
		}
		return &deid.Item{Change: &schema.Change{Table: table, Row: values}}
	}
	items := []*deid.Item{row("7", "1"), row("7", "2"), {Ends: &deid.Note{}}, row("8", "1"), {Ends: &deid.Note{}}}
	g := apply.NewGroup()
	g.Order = []*apply.Version{{RowKey: "a", Item: items[0]}, {RowKey: "c", Item: items[3]}, {RowKey: "b", Item: items[1]}}
	var got []string
	for _, u := range units(table, items, g) {
		line := fmt.Sprint(len(u.items))
		for _, v := range u.rows {
			line += v.RowKey
		}
		got = append(got, line)
	}
	if s := strings.Join(got, " "); s != "2ab 1c" {
		t.Errorf("gathered %s", s)
	}
}

func TestSummaryOfReprocess(t *testing.T) {
	t.Parallel()
	res := ReprocessResult{Read: 9, UpToDate: 1, Unchanged: 2, Changed: 3, Aside: 1, Absent: 2, Spans: newSpanChanges()}
	const first = "9 notes read: 3 rewritten, 2 made anew without a change, 1 up to date, 1 set aside, 2 not in the replica\n"
	if got := res.Summary(false); got != first {
		t.Errorf("%q", got)
	}
	res.Spans.Added["DOCTOR"] = 4
	res.Spans.Removed["DATE"] = 12
	res.Spans.Retyped["DOCTOR"] = map[string]int64{"PATIENT": 2, "HOSPITAL": 1}
	const want = `9 notes read: 3 would change, 2 made anew without a change, 1 up to date, 1 set aside, 2 not in the replica
in these           added   removed  found as another type now
DATE                   0        12
DOCTOR                 4         0  HOSPITAL 1, PATIENT 2
`
	if got := res.Summary(true); got != want {
		t.Errorf("\n%s", got)
	}
	empty, err := json.Marshal(ReprocessResult{Spans: newSpanChanges()})
	if err != nil || string(empty) != `{"read":0,"up_to_date":0,"unchanged":0,"changed":0,"aside":0,"absent":0,`+
		`"spans":{"added":{},"removed":{},"retyped":{}}}` {
		t.Errorf("%s, %v", empty, err)
	}
}
