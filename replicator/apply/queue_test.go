package apply

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// testStore returns a store for tables that are released in mode.
func testStore(t *testing.T, mode config.ReleaseMode) *Store {
	t.Helper()
	return NewStore(&patient.Register{Plan: &schema.Plan{Config: &config.Config{Release: config.Release{Mode: mode}}, Hash: "h"}}, &deid.Settings{
		Key: schematest.Key(t), Version: "v1", Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler), Metrics: metrics.New(),
	})
}

// queued returns the statements that queue adds to a batch.
func queued(queue func(batch *pgx.Batch)) []*pgx.QueuedQuery {
	batch := &pgx.Batch{}
	queue(batch)
	return batch.QueuedQueries
}

// statement returns the one statement of a list whose text begins so, or nil.
func statement(t *testing.T, list []*pgx.QueuedQuery, begins string) *pgx.QueuedQuery {
	t.Helper()
	var found *pgx.QueuedQuery
	for _, q := range list {
		if strings.HasPrefix(strings.TrimSpace(q.SQL), begins) {
			if found != nil {
				t.Errorf("two statements %s", begins)
			}
			found = q
		}
	}
	return found
}

func TestRowsAreWrittenByKind(t *testing.T) {
	t.Parallel()
	table, a := schematest.NoteTable(), someone("a")
	rewritten := done(table, schema.InsertOp, "4", "", "new", a)
	rewritten.Only = true
	nameless := &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: table}, Resolved: deid.Resolved{Key: []string{"6"}}}
	nameless.Out.Reason = vault.BadValue
	g := grouped(done(table, schema.InsertOp, "1", "", "x", a), done(table, schema.DeleteOp, "", "2", "", a),
		done(table, schema.UpdateOp, "3", "", "", a), rewritten, failed(done(table, schema.UpdateOp, "5", "", "y", a), vault.Leak), nameless)
	list := queued(func(batch *pgx.Batch) { queueTable(batch, table, g.Order, true) })
	if len(list) != 4 {
		t.Fatalf("%d statements", len(list))
	}
	if list[0].SQL != table.SQL.Remove || !reflect.DeepEqual(list[0].Arguments, []any{[]string{"2", "5"}}) {
		t.Errorf("removed %v", list[0].Arguments)
	}
	if again := queued(func(batch *pgx.Batch) { queueTable(batch, table, g.Order, false) }); again[1].SQL != table.SQL.Upsert {
		t.Errorf("written where it may be there %s", again[1].SQL)
	}
	if list[1].SQL != table.SQL.Insert || len(list[1].Arguments) != 5 || *list[1].Arguments[3].([]*string)[0] != "x" {
		t.Errorf("written %s", list[1].SQL)
	}
	// A row that is only written where it is there is no insert, and a text that stays is not written.
	if list[2].SQL != table.SQL.Update([]int{0, 1, 2, 3}) || *list[2].Arguments[0].([]*string)[0] != "4" {
		t.Errorf("rewritten %s", list[2].SQL)
	}
	if list[3].SQL != table.SQL.Update([]int{0, 1, 2}) || len(list[3].Arguments) != 4 || *list[3].Arguments[0].([]*string)[0] != "3" {
		t.Errorf("updated %s", list[3].SQL)
	}
}

func TestArraysHaveOneValueForEachRow(t *testing.T) {
	t.Parallel()
	x, y := "x", "y"
	list := []*Version{{Key: []string{"1", "a"}, Values: []*string{&x, nil}}, {Key: []string{"2", "b"}, Values: []*string{nil, &y}}}
	if got := keyArrays(list); !reflect.DeepEqual(got, []any{[]string{"1", "2"}, []string{"a", "b"}}) {
		t.Errorf("keys %v", got)
	}
	if got := valueArrays(schematest.PlainTable(), list, []int{1, 0}); !reflect.DeepEqual(got, []any{[]*string{nil, &y}, []*string{&x, nil}}) {
		t.Errorf("values %v", got)
	}
	list[0].patient = "77"
	if got := valueArrays(schematest.NoteTable(), list, []int{0}); !reflect.DeepEqual(got, []any{[]*string{&x, nil}, []string{"77", ""}}) {
		t.Errorf("values with patients %v", got)
	}
	for keep, want := range map[string][]bool{"": nil, "0": {false}, "101": {true, false, true}} {
		if got := keepMask(want); got != keep {
			t.Errorf("%v: %s", want, got)
		}
	}
}

func TestProvenanceOfWhatIsWritten(t *testing.T) {
	t.Parallel()
	table, a := schematest.NoteTable(), someone("a")
	rewritten := done(table, schema.InsertOp, "4", "", "new", a)
	rewritten.Only = true
	null := done(table, schema.UpdateOp, "5", "", "x", a)
	null.Out.Values[3], null.Out.Texts[0].Null = nil, true
	nameless := &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: table}}
	nameless.Out.Reason = vault.BadValue
	written := done(table, schema.InsertOp, "1", "", "Quarkstein", a)
	written.Out.Texts[0] = deid.TextOutcome{HMAC: []byte("source"), Published: []byte("shown")}
	g := grouped(written, done(table, schema.DeleteOp, "", "2", "", a), done(table, schema.UpdateOp, "3", "", "", a),
		rewritten, null, failed(done(table, schema.UpdateOp, "6", "", "y", a), vault.Leak), nameless)
	s := testStore(t, config.Live)
	list := queued(func(batch *pgx.Batch) { s.queueProvenance(batch, table, g.Order, false) })
	if fresh := queued(func(batch *pgx.Batch) { s.queueProvenance(batch, table, g.Order, true) }); len(fresh) != 3 ||
		!strings.HasPrefix(list[0].SQL, fresh[0].SQL) || strings.Contains(fresh[0].SQL, "on conflict") {
		t.Errorf("new rows: %v", fresh)
	}
	if len(list) != 3 {
		t.Fatalf("%d statements", len(list))
	}
	for _, c := range []struct {
		begins string
		row    int // the argument with the rows' keys
		want   []string
	}{
		{"insert into deid.note_provenance", 4, []string{`["1"]`}},
		{"update deid.note_provenance", 4, []string{`["4"]`}},
		{"delete from deid.note_provenance", 2, []string{`["2"]`, `["5"]`, `["6"]`}},
	} {
		q := statement(t, list, c.begins)
		if q == nil || q.Arguments[0] != "ehr.note" || !slices.Equal(q.Arguments[c.row].([]string), c.want) {
			t.Errorf("%s: %v", c.begins, q)
		}
	}
	q := list[0]
	if q.Arguments[1] != "v1" ||
		!reflect.DeepEqual(q.Arguments[5:8], []any{[]string{"a"}, [][]byte{[]byte("source")}, [][]byte{[]byte("shown")}}) {
		t.Errorf("provenance %v", q.Arguments[1:8])
	}
	if strings.Contains(fmt.Sprintf("%s", q.Arguments), "Quarkstein") {
		t.Error("provenance holds a text")
	}
}

func TestQuarantineOfWhatIsSetAside(t *testing.T) {
	t.Parallel()
	table, a := schematest.NoteTable(), someone("a")
	aside := failed(done(table, schema.UpdateOp, "1", "", "Quarkstein", a), vault.Leak)
	aside.Key, aside.Lacks = []string{"source 1"}, "lacking"
	whole := done(table, schema.InsertOp, "2", "", "x", a)
	whole.Key = []string{"source 2"}
	rewritten := done(table, schema.InsertOp, "3", "", "x", a)
	rewritten.Key, rewritten.Only = []string{"source 3"}, true
	deleted := done(table, schema.DeleteOp, "", "4", "", a)

	s := testStore(t, config.Live)
	healthy := grouped(whole, rewritten, deleted)
	if list := queued(func(batch *pgx.Batch) { s.queueQuarantine(batch, healthy.Order) }); len(list) != 0 || s.AnyAside.Load() {
		t.Error("a quarantine that nobody is in is emptied")
	}
	g := grouped(aside, whole, rewritten, deleted)
	list := queued(func(batch *pgx.Batch) { s.queueQuarantine(batch, g.Order) })
	if len(list) != 2 || !s.AnyAside.Load() {
		t.Fatalf("%d statements", len(list))
	}
	add := statement(t, list, "insert into deid.quarantine")
	hash := s.seals.RowHash("ehr.note", []string{"source 1"})
	if add.Arguments[0] != "ehr.note" || !bytes.Equal(add.Arguments[1].([]byte), hash) || add.Arguments[3] != string(vault.Leak) ||
		string(add.Arguments[4].([]byte)) != "lacking" {
		t.Errorf("set aside: %v", add.Arguments)
	}
	for _, plain := range []string{"Quarkstein", "source 1"} {
		if strings.Contains(fmt.Sprintf("%s", add.Arguments), plain) {
			t.Errorf("the quarantine shows %s", plain)
		}
	}
	// What is written or deleted leaves the quarantine, what is written only where it is there was never in it.
	remove := statement(t, list, "delete from deid.quarantine")
	want := [][]byte{s.seals.RowHash("ehr.note", []string{"source 2"}), s.seals.RowHash("ehr.note", []string{"4"})}
	if !reflect.DeepEqual(remove.Arguments, []any{[]string{"ehr.note", "ehr.note"}, want}) {
		t.Errorf("taken out: %d rows", len(remove.Arguments[1].([][]byte)))
	}
	// From now on the quarantine may hold something, also while a group has nothing for it.
	if list := queued(func(batch *pgx.Batch) { s.queueQuarantine(batch, healthy.Order) }); len(list) != 1 {
		t.Errorf("%d statements", len(list))
	}
}

func TestWithheldValuesAreCountedByColumn(t *testing.T) {
	t.Parallel()
	note, ward := schematest.NoteTable(), schematest.PlainTable()
	if list := queued(func(batch *pgx.Batch) { queueWithheld(batch, []*Version{{Table: note}}) }); len(list) != 0 {
		t.Error("nothing is counted")
	}
	list := queued(func(batch *pgx.Batch) {
		queueWithheld(batch, []*Version{
			{Table: note, withheld: []int{1, 2}},
			{Table: note, withheld: []int{2}},
			{Table: ward, withheld: []int{0}},
		})
	})
	got := map[string]int64{}
	for i, table := range list[0].Arguments[0].([]string) {
		got[table+"."+list[0].Arguments[1].([]string)[i]] += list[0].Arguments[2].([]int64)[i]
	}
	if want := map[string]int64{"ehr.note.patient_id": 1, "ehr.note.status": 2, "ehr.ward.id": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestStatesOfRepairsAreWrittenTogether(t *testing.T) {
	t.Parallel()
	note := schematest.NoteTable()
	if list := queued(func(batch *pgx.Batch) { queueRepairs(batch, []*Version{{Table: note}}) }); len(list) != 0 {
		t.Error("a row without repairs asks the vault")
	}
	list := queued(func(batch *pgx.Batch) {
		queueRepairs(batch, []*Version{
			{Table: note, repairs: []review.RepairState{{ID: 3, Void: true}, {ID: 4}}}, {Table: note}, {Table: note, repairs: []review.RepairState{{ID: 9}}},
		})
	})
	if len(list) != 1 || !reflect.DeepEqual(list[0].Arguments, []any{[]int64{3, 4, 9}, []bool{true, false, false}}) {
		t.Errorf("%v", list)
	}
}

func TestWithheldColumnIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := &Writer{Store: testStore(t, config.Live)}
	w.Log = slog.New(slog.NewTextHandler(&log, nil))
	value := "Quarkstein"
	for range 3 {
		w.sayWithheld(&Version{Table: schematest.NoteTable(), withheld: []int{2}, Values: []*string{nil, nil, &value, nil}})
	}
	if n := strings.Count(log.String(), "ehr.note.status"); n != 1 || strings.Contains(log.String(), value) {
		t.Errorf("logged %d times: %s", n, log.String())
	}
}

func TestRequestsAreSealed(t *testing.T) {
	t.Parallel()
	s := testStore(t, config.Live)
	table := schematest.NoteTable()
	g := NewGroup()
	g.addRequeue(&deid.Requeue{Pseudonym: "p1", SourceKey: "4711-23", LSN: 0x1AB})
	g.addPath(patient.PathChange{Target: schema.Target{Table: table}, Value: "visit-77", Hash: "new", LSN: 2, Fresh: true})
	list := queued(func(batch *pgx.Batch) { s.queueRequeue(batch, g) })
	if len(list) != 1 {
		t.Fatalf("%d statements: a new row can lead nobody while nothing is set aside", len(list))
	}
	q := list[0]
	if !reflect.DeepEqual(q.Arguments[0], []string{"p1"}) || !reflect.DeepEqual(q.Arguments[2:], []any{[]string{"0/1AB"}, []bool{false}}) {
		t.Errorf("request %v", q.Arguments)
	}
	s.AnyAside.Store(true)
	g.addPath(patient.PathChange{Target: schema.Target{Table: table}, Value: "visit-78", Hash: "old", LSN: 3})
	list = queued(func(batch *pgx.Batch) { s.queueRequeue(batch, g) })
	if len(list) != 2 || len(list[1].Arguments[0].([][]byte)) != 2 {
		t.Fatalf("%d statements", len(list))
	}
	for _, q := range list {
		if text := fmt.Sprintf("%s", q.Arguments); strings.Contains(text, "4711") || strings.Contains(text, "visit-7") {
			t.Error("a key of the source is stored in the open")
		}
	}
	if list := queued(func(batch *pgx.Batch) { s.queueRequeue(batch, NewGroup()) }); len(list) != 0 {
		t.Error("an empty group asks for something")
	}
}

func TestVersionsThatWait(t *testing.T) {
	t.Parallel()
	table, a := releasedNotes(), someone("a")
	copied := done(table, schema.InsertOp, "1", "", "x", a)
	copied.Change.Read = true
	streamed := done(table, schema.UpdateOp, "2", "", "y", a)
	streamed.Change.LSN = 7
	rewritten := done(table, schema.InsertOp, "3", "", "z", a)
	rewritten.Change.Read, rewritten.Only = true, true
	nameless := &deid.Item{Change: &schema.Change{Op: schema.InsertOp, Table: table}, Resolved: deid.Resolved{Key: []string{"6"}}}
	nameless.Out.Reason = vault.BadValue
	g := grouped(copied, streamed, rewritten, done(table, schema.DeleteOp, "", "4", "", a), nameless,
		failed(done(table, schema.UpdateOp, "5", "", "Quarkstein", a), vault.Leak))
	s := testStore(t, config.Batches)
	got := map[string]string{} // keys by statement
	for _, q := range queued(func(batch *pgx.Batch) { s.queueRelease(batch, table, g.Order) }) {
		got[q.SQL] = strings.Join(q.Arguments[0].([]string), " ")
		if len(q.Arguments) == 4 && !reflect.DeepEqual(q.Arguments[2], []string{"a"}) {
			t.Errorf("%s: of %v", q.SQL, q.Arguments[2])
		}
	}
	if want := map[string]string{"withdraw": "4 5", "wait": "2", "copy": "1", "remake": "3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	table.SQL.Release = nil
	if list := queued(func(batch *pgx.Batch) { s.queueRelease(batch, table, g.Order) }); len(list) != 0 {
		t.Error("versions wait though rows are visible as they are written")
	}
}

// releasedNotes is a table with versions, whose statements are their names.
func releasedNotes() *schema.Table {
	table := schematest.NoteTable()
	table.SQL.Release = &schema.ReleaseStatements{
		Withdraw: []string{"withdraw"}, Wait: []string{"wait"}, Copy: []string{"copy"}, Remake: []string{"remake"},
	}
	return table
}

func TestPrintsNameTheTextOfTheSource(t *testing.T) {
	t.Parallel()
	s, table, a := testStore(t, config.Batches), schematest.NoteTable(), someone("a")
	version := func(body string) *Version {
		return grouped(done(table, schema.InsertOp, "1", "", body, a)).Order[0]
	}
	x := s.print(version("x"))
	null, unsent, empty := version("x"), version("x"), version("x")
	null.Item.Change.Row[3] = schema.Value{State: schema.Null}
	unsent.Item.Change.Row[3] = schema.Value{State: schema.Unchanged}
	empty.Item.Change.Row[3] = schema.Value{State: schema.Present}
	if len(x) != 16 || !bytes.Equal(x, s.print(version("x"))) || bytes.Equal(x, s.print(version("y"))) {
		t.Error("prints do not name texts")
	}
	if bytes.Equal(s.print(null), s.print(empty)) || s.print(unsent) != nil {
		t.Error("a null, an empty text and one that was not sent are not told apart")
	}
	if got := s.print(&Version{Table: schematest.PlainTable()}); got == nil || len(got) != 0 {
		t.Errorf("a row without texts has the print %x", got)
	}
}

func TestDueOfEveryMode(t *testing.T) {
	t.Parallel()
	streamed := &deid.Item{Change: &schema.Change{LSN: 1}}
	for _, c := range []struct {
		name, patient string
		mode          config.ReleaseMode
		shift         int
		marked        bool
	}{
		{"batches", "1", config.Batches, 40, false},
		{"dates moved ahead", "1", config.Delayed, 40, true},
		{"dates moved back", "1", config.Delayed, -40, false}, // the day has come already
		{"a row of nobody", "", config.Delayed, 40, false},
	} {
		s := testStore(t, c.mode)
		got := s.due(&Version{Table: schematest.NoteTable(), patient: c.patient, shift: c.shift, Item: streamed})
		if got == nil || (len(got) > 0) != c.marked {
			t.Errorf("%s: %x", c.name, got)
		}
	}
}

func TestRowsOfTheFirstCopy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		v    Version
		want bool
	}{
		{"of the copy", Version{Item: &deid.Item{Change: &schema.Change{Read: true}}}, true},
		{"of the stream", Version{Item: &deid.Item{Change: &schema.Change{LSN: 1}}}, false},
		{"read for a change", Version{Item: &deid.Item{Change: &schema.Change{Read: true, LSN: 1}}}, false},
		{"read for a person", Version{Item: &deid.Item{Change: &schema.Change{Read: true}, Request: deid.Request{Fresh: true}}}, false},
		{"made anew", Version{Item: &deid.Item{Change: &schema.Change{Read: true}}, only: true}, false},
	} {
		if got := c.v.copied(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestWhatIsCounted(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]*Version{
		metrics.OpAside: {aside: &Aside{}, Remove: true}, metrics.OpDelete: {Remove: true}, metrics.OpRewrite: {only: true}, metrics.OpWrite: {},
	} {
		if got := v.what(); got != want {
			t.Errorf("%s is counted as %s", want, got)
		}
	}
}
