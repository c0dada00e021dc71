package deid

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// finds detects each occurrence of a name.
func finds(name string) detectFunc {
	return func(_ context.Context, n *ensemble.Note) ([]phi.Span, error) {
		i := strings.Index(n.Text, name)
		if i < 0 {
			return nil, nil
		}
		return []phi.Span{{Start: i, End: i + len(name), Type: phi.Patient}}, nil
	}
}

// quarkstein is a patient whose dates move by ten days back.
func quarkstein() *patient.Patient {
	gazetteer := record.NewGazetteer(record.Record{record.NameLast: {"Quarkstein"}})
	return &patient.Patient{Key: "9", Pseudonym: "p9", Shift: -10, Ledger: &patient.Ledger{}, Gazetteer: gazetteer}
}

func present(values ...string) []schema.Value {
	row := make([]schema.Value, len(values))
	for i, v := range values {
		row[i] = schema.Value{Text: v, State: schema.Present}
	}
	return row
}

// column is a table with a key and one column more.
func column(c config.Column, typ string, moves bool) *schema.Table {
	t := &schema.Table{
		Table: &config.Table{Schema: "ehr", Name: "x", Patient: config.Path{Column: "id"}}, ID: "ehr.x",
		Key: []int{0}, Publish: []int{0, 1},
	}
	c.Name = "value"
	t.Columns = []schema.Column{{Column: config.Column{Name: "id", Publish: config.Keep}, Typ: "text"}, {Column: c, Typ: typ, Moves: moves}}
	if c.Publish == config.Text {
		t.Texts = []int{1}
	}
	return t
}

func TestPoliciesOfEachKind(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.now = func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }
	d.Detector = finds("Quarkstein")
	const withheld = "-"
	for _, c := range []struct {
		name   string
		column config.Column
		typ    string
		moves  bool
		text   string
		nobody bool   // no patient is known
		want   string // "" where only what it is not is checked; withheld for NULL
	}{
		{"kept", config.Column{Publish: config.Keep}, "text", false, "ward 7", false, "ward 7"},
		{"kept without a patient", config.Column{Publish: config.Keep}, "text", false, "ward 7", true, "ward 7"},
		{"pseudonym", config.Column{Publish: config.Pseudonym, Domain: "visit"}, "integer", false, "17", false, ""},
		{"pseudonym of no number", config.Column{Publish: config.Pseudonym, Domain: "visit"}, "integer", false, "x", false, withheld},
		{"date", config.Column{Publish: config.ShiftDate}, "date", true, "2021-03-14", false, "2021-03-04"},
		{"date without a patient", config.Column{Publish: config.ShiftDate}, "date", true, "2021-03-14", true, withheld},
		{"date before Christ", config.Column{Publish: config.ShiftDate}, "date", true, "0044-03-15 BC", false, withheld},
		{"year as it is", config.Column{Publish: config.Year}, "date", false, "2021-01-04", false, "2021"},
		{"year moved", config.Column{Publish: config.Year}, "date", true, "2021-01-04", false, "2020"},
		{"year without a patient", config.Column{Publish: config.Year}, "date", true, "2021-01-04", true, withheld},
		{"year of birth", config.Column{Publish: config.Year, Tells: record.BirthDate}, "date", false, "1920-01-04", false, "1936"},
		{"area", config.Column{Publish: config.Zip3}, "text", false, "02139", false, "021"},
		{"age", config.Column{Publish: config.AgeCap}, "integer", false, "97", false, "90"},
		{"age that is none", config.Column{Publish: config.AgeCap}, "text", false, "Quarkstein", false, withheld},
		{"surrogate", config.Column{Publish: config.Surrogate, Tells: record.NameLast}, "text", false, "Quarkstein", false, ""},
		{
			"surrogate without a patient",
			config.Column{Publish: config.Surrogate, Tells: record.NameLast},
			"text", false,
			"Quarkstein", true, withheld,
		},
		{"text", config.Column{Publish: config.Text}, "text", false, "Mr. Quarkstein ate.", false, ""},
	} {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: column(c.column, c.typ, c.moves), Row: present("1", c.text)})
		if !c.nobody {
			it.Patient = quarkstein()
		}
		d.Deidentify(t.Context(), it)
		if it.Out.Reason != "" || len(it.Out.Values) != 2 || strings.Join(it.Out.Key, " ") != "1" || it.Out.RowKey != `["1"]` {
			t.Errorf("%s: reason %q, %d values, key %q", c.name, it.Out.Reason, len(it.Out.Values), it.Out.Key)
			continue
		}
		got := withheld
		if it.Out.Values[1] != nil {
			got = *it.Out.Values[1]
		}
		if c.want != "" && got != c.want || c.want == "" && (got == withheld || got == c.text || strings.Contains(got, "Quarkstein")) {
			t.Errorf("%s: %q", c.name, got)
		}
		if (len(it.Out.Withheld) == 1) != (got == withheld) {
			t.Errorf("%s: withheld %v", c.name, it.Out.Withheld)
		}
	}
}

func TestNullsArePublishedAsNulls(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	for _, publish := range []config.Policy{
		config.Keep, config.Pseudonym, config.ShiftDate, config.Year, config.AgeCap,
		config.Zip3, config.Text,
	} {
		row := []schema.Value{{Text: "1", State: schema.Present}, {State: schema.Null}}
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: column(config.Column{Publish: publish}, "text", true), Row: row})
		it.Patient = quarkstein()
		d.Deidentify(t.Context(), it)
		if it.Out.Reason != "" || it.Out.Values[1] != nil || len(it.Out.Withheld) != 0 {
			t.Errorf("%s: %+v", publish, it.Out)
		}
		if publish == config.Text && !it.Out.Texts[0].Null {
			t.Error("a null counts as a text")
		}
	}
}

// The surrogate of a structured column is the one that notes show, and is handed on to be
// stored once.
func TestSurrogatesOfColumnsAndNotesAgree(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	who := quarkstein()
	structured := RowItem(&schema.Change{
		Op: schema.InsertOp, Row: present("1", "Quarkstein"),
		Table: column(config.Column{Publish: config.Surrogate, Tells: record.NameLast}, "text", false),
	})
	text := RowItem(&schema.Change{
		Op: schema.InsertOp, Row: present("2", "Seen: Quarkstein."),
		Table: column(config.Column{Publish: config.Text}, "text", false),
	})
	structured.Patient, text.Patient = who, who
	d.Deidentify(t.Context(), structured)
	d.Deidentify(t.Context(), text)
	if got := *text.Out.Values[1]; !strings.Contains(got, *structured.Out.Values[1]) ||
		len(structured.Out.Entries) == 0 || len(text.Out.Entries) != 0 {
		t.Errorf("%q in %q, %d and %d entries", *structured.Out.Values[1], got, len(structured.Out.Entries), len(text.Out.Entries))
	}
	if made := text.Out.Texts[0]; len(made.Spans) != 1 || len(made.HMAC) == 0 || len(made.Published) == 0 || made.Null {
		t.Errorf("made with %d spans", len(made.Spans))
	}
}

func TestTextsThatDidNotChangeAreKept(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.version, d.Made = "v1", "made"
	searched := 0
	d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) {
		searched++
		return nil, nil
	})
	who := quarkstein()
	hash := d.hashText(who, d.Reg.Site.Load(), "as before", nil)
	for _, c := range []struct {
		name  string
		value schema.Value
		known []known
		keep  bool
		asked Comparing
	}{
		{"never published", schema.Value{Text: "as before", State: schema.Present}, nil, false, NotCompared},
		{"published", schema.Value{Text: "as before", State: schema.Present}, []known{{hmac: hash, config: "made/v1"}}, true, NotCompared},
		{"another text", schema.Value{Text: "changed", State: schema.Present}, []known{{hmac: hash, config: "made/v1"}}, false, NotCompared},
		{"by another version", schema.Value{Text: "as before", State: schema.Present}, []known{{hmac: hash, config: "made/v0"}}, false, NotCompared},
		{"with another mapping", schema.Value{Text: "as before", State: schema.Present}, []known{{hmac: hash, config: "else/v1"}}, false, NotCompared},
		{"not sent", schema.Value{State: schema.Unchanged}, nil, true, NotCompared},
		{"compared, of another version", schema.Value{Text: "as before", State: schema.Present}, []known{{hmac: hash, config: "made/v0"}}, true, ForRepair},
		{"compared, another text", schema.Value{Text: "changed", State: schema.Present}, []known{{hmac: hash, config: "made/v1"}}, false, ForRepair},
		{"counted", schema.Value{Text: "as before", State: schema.Present}, []known{{hmac: hash, config: "made/v0"}}, true, ForCount},
	} {
		searched = 0
		it := RowItem(&schema.Change{
			Op: schema.UpdateOp, Table: column(config.Column{Publish: config.Text}, "text", false),
			Row: []schema.Value{{Text: "1", State: schema.Present}, c.value},
		})
		it.Patient, it.known, it.Compared = who, c.known, c.asked
		d.Deidentify(t.Context(), it)
		if it.Out.Reason != "" || it.Out.Keep[0] != c.keep || (it.Out.Values[1] == nil) != c.keep || (searched == 0) != c.keep {
			t.Errorf("%s: reason %q, kept %v, searched %d times", c.name, it.Out.Reason, it.Out.Keep, searched)
		}
	}
}

// Of a row, its key and its pseudonyms are made without a patient, and nothing else.
func TestPseudonymsOfARow(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := schematest.NoteTable()
	table.Columns[0].Publish = config.Pseudonym
	table.Columns[0].Domain = "note_id"
	table.Columns[1].Publish = config.Pseudonym
	table.Columns[1].Domain = config.PatientDomain
	table.SQL = schema.NewStatements(table)
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present("7", "9", "s", "Quarkstein"), Read: true})
	columns, why := d.PublishPseudonyms(it)
	if why != "" || len(columns) == 0 || columns[0] != table.SQL.Keys[0] {
		t.Fatalf("columns %v, %s", columns, why)
	}
	for i, v := range it.Out.Values {
		if (v != nil) != slices.Contains(columns, i) {
			t.Errorf("column %d: made %t", i, v != nil)
		}
		if v != nil && (*v == "7" || *v == "9") {
			t.Errorf("column %d is as in the source", i)
		}
	}
	bad := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: append([]schema.Value{{State: schema.Null}}, present("9", "s", "x")...), Read: true})
	if _, why := d.PublishPseudonyms(bad); why == "" {
		t.Error("a key that is none is published")
	}
}

// A text that comes out as it is published stays, and how it was made is known all the same.
func TestTextsThatComeOutTheSameStay(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.version, d.Made = "v2", "made"
	d.Detector = finds("Quarkstein")
	who := quarkstein()
	made := func(text string, of []known, asked Request) *Item {
		it := RowItem(&schema.Change{
			Op: schema.InsertOp, Table: column(config.Column{Publish: config.Text}, "text", false),
			Row: []schema.Value{{Text: "1", State: schema.Present}, {Text: text, State: schema.Present}},
		})
		it.Patient, it.known, it.Request = who, of, asked
		d.Deidentify(t.Context(), it)
		return it
	}
	first := made("seen by Quarkstein", nil, Request{})
	before := known{hmac: first.Out.Texts[0].HMAC, published: first.Out.Texts[0].Published, config: "made/v1"}
	now := before
	now.config = "made/v2"
	for _, c := range []struct {
		name          string
		text          string
		known         known
		asked         Request
		keep, madeNew bool
	}{
		{"by the version before", "seen by Quarkstein", before, Request{}, true, true},
		{"by this version", "seen by Quarkstein", now, Request{}, true, false},
		{"by this version, asked for anew", "seen by Quarkstein", now, Request{Anew: true}, true, true},
		{"another text", "heard by Quarkstein", before, Request{}, false, true},
		{"a text that is not as it was published", "seen by Quarkstein", known{}, Request{}, false, true},
	} {
		out := made(c.text, []known{c.known}, c.asked).Out
		if out.Reason != "" || out.Keep[0] != c.keep || (out.Values[1] == nil) != c.keep || (out.Texts[0].HMAC != nil) != c.madeNew {
			t.Errorf("%s: reason %q, kept %v, made anew %v", c.name, out.Reason, out.Keep[0], out.Texts[0].HMAC != nil)
		}
		if c.madeNew && len(out.Texts[0].Spans) != 1 {
			t.Errorf("%s: %d spans", c.name, len(out.Texts[0].Spans))
		}
	}
}

// What is only counted is not searched, whether it stays or not.
func TestWhatIsCountedIsNotSearched(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) {
		t.Error("a text is searched")
		return nil, nil
	})
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: column(config.Column{Publish: config.Text}, "text", false), Row: present("1", "Quarkstein")})
	it.Patient, it.Compared = quarkstein(), ForCount
	d.Deidentify(t.Context(), it)
	if it.Out.Reason != "" || it.Out.Keep[0] || it.Out.Values[1] != nil || it.Out.Texts[0].Null {
		t.Errorf("reason %q, kept %v", it.Out.Reason, it.Out.Keep)
	}
}

func TestHashOfATextCoversWhatDecidesItsOutput(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	site := d.Reg.Site.Load()
	base := string(d.hashText(quarkstein(), site, "text", nil))
	other, wider := quarkstein(), quarkstein()
	other.Pseudonym = "p8"
	wider.Ledger.Add(d.Reg.RowEntries(&schema.Change{
		Table: &schema.Table{
			Table: &config.Table{Patient: config.Path{Column: "id"}}, Telling: []int{0},
			Columns: []schema.Column{{Column: config.Column{Tells: record.NameLast}}},
		}, Row: present("Wampfler"),
	}, "p9"))
	for name, hash := range map[string][]byte{
		"another text":       d.hashText(quarkstein(), site, "texts", nil),
		"another patient":    d.hashText(other, site, "text", nil),
		"another site":       d.hashText(quarkstein(), &patient.Directory{Label: "more"}, "text", nil),
		"a name of the past": d.hashText(wider, site, "text", nil),
	} {
		if string(hash) == base {
			t.Errorf("%s: the same hash", name)
		}
	}
	if string(d.hashText(quarkstein(), site, "text", nil)) != base {
		t.Error("a text has two hashes")
	}
}

func TestLongTextsHaveMoreTime(t *testing.T) {
	t.Parallel()
	d := &Deidentifier{timeout: time.Minute}
	for bytes, want := range map[int]time.Duration{
		0: time.Minute, 1<<20 - 1: time.Minute, 1 << 20: 2 * time.Minute, 2<<20 - 1: 2 * time.Minute, 10 << 20: 11 * time.Minute,
	} {
		if got := d.timeFor(bytes); got != want {
			t.Errorf("%d bytes: %v", bytes, got)
		}
	}
}

func TestRowsThatAreNotPublished(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) {
		t.Error("a row that is not published is searched")
		return nil, nil
	})
	note := schematest.NoteTable()
	hidden := *note
	hidden.Publish = nil
	row := present("1", "9", "s", "Quarkstein")
	for name, c := range map[string]*schema.Change{
		"a truncation":         {Op: schema.TruncateOp, Table: note},
		"a table of no column": {Op: schema.InsertOp, Table: &hidden, Row: row},
		"a covered row":        {Op: schema.InsertOp, Table: note, Row: row, Covered: true},
	} {
		it := &Item{Change: c}
		d.Deidentify(t.Context(), it)
		if it.Out.Reason != "" || it.Out.Values != nil || it.Out.Key != nil {
			t.Errorf("%s: %d values", name, len(it.Out.Values))
		}
	}
	deleted := &Item{Change: &schema.Change{Op: schema.DeleteOp, Table: note, Old: row}}
	set := &Item{Change: &schema.Change{Op: schema.InsertOp, Table: note, Row: row}, Resolved: Resolved{Reason: vault.NoPatient}}
	d.Deidentify(t.Context(), deleted)
	d.Deidentify(t.Context(), set)
	if deleted.Out.OldRow != `["1"]` || deleted.Out.Values != nil || strings.Join(deleted.Key, "") != "1" {
		t.Errorf("deleted: %+v", deleted.Out.OldRow)
	}
	if set.Out.Reason != vault.NoPatient || set.Out.RowKey != `["1"]` || set.Out.Values != nil {
		t.Errorf("set aside: %q", set.Out.Reason)
	}
}

// A row whose new key can't be published is not left under its old one.
func TestKeysBeforeAndAfter(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := column(config.Column{Publish: config.Keep}, "text", false)
	table.Columns[0] = schema.Column{Column: config.Column{Name: "day", Publish: config.ShiftDate}, Typ: "date", Moves: true}
	const good, bad, shifted = "2021-03-14", "0044-03-15 BC", "2021-03-04"
	for _, c := range []struct {
		name, old, row    string
		oldKey, key, want string
	}{
		{"both", good, "2021-03-15", shifted, "2021-03-05", ""},
		{"only the one before", good, bad, shifted, "", string(vault.BadValue)},
		{"only the one after", bad, good, "", shifted, string(vault.BadValue)},
		{"neither", bad, bad, "", "", string(vault.BadValue)},
		{"a deletion", good, "", shifted, "", ""},
		{"an insert", "", good, "", shifted, ""},
	} {
		change := &schema.Change{Op: schema.UpdateOp, Table: table}
		if c.old != "" {
			change.Old = present(c.old, "x")
		}
		if c.row != "" {
			change.Row = present(c.row, "x")
		}
		it := &Item{Change: change, Resolved: Resolved{Patient: quarkstein()}}
		why := d.PublishKeys(it)
		got := [3]string{strings.Join(it.Out.OldKey, ""), strings.Join(it.Out.Key, ""), string(why)}
		if got != [3]string{c.oldKey, c.key, c.want} {
			t.Errorf("%s: %q", c.name, got)
		}
		source := c.row
		if source == "" {
			source = c.old
		}
		if strings.Join(it.Key, "") != source {
			t.Errorf("%s: the source's key is %q", c.name, it.Key)
		}
	}
}

func TestABrokenRowIsSetAsideByItsKey(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	d := testDeidentifier(t)
	d.Log = slog.New(slog.NewTextHandler(&log, nil))
	table := schematest.NoteTable()
	it := &Item{Change: &schema.Change{Op: schema.InsertOp, Table: table, Row: present("1", "9", "s", "Quarkstein")}} // no patient
	d.Deidentify(t.Context(), it)
	if it.Out.Reason != vault.Broken || it.Out.Values != nil || it.Out.RowKey != `["1"]` {
		t.Errorf("reason %q, %d values", it.Out.Reason, len(it.Out.Values))
	}
	if strings.Contains(log.String(), "Quarkstein") || !strings.Contains(log.String(), "ehr.note") {
		t.Errorf("log %s", log.String())
	}
}

func TestItemsPrintNothingOfTheirRows(t *testing.T) {
	t.Parallel()
	r := Requeue{Pseudonym: "p9", SourceKey: "4711-23"}
	if text := fmt.Sprintf("%v %+v %#v", r, r, r); strings.Contains(text, "4711") || !strings.Contains(text, "[redacted]") {
		t.Errorf("printed %s", text)
	}
}

// A key of which what is published tells no rows apart: the date moves, and the row is found by a hash of what it was.
func TestKeysThatAreHashed(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	table := column(config.Column{Publish: config.Keep}, "text", false)
	table.Columns[0] = schema.Column{Column: config.Column{Name: "day", Publish: config.ShiftDate}, Typ: "date", Moves: true}
	table.Hashed = true
	change := func(op schema.Op, old, row []schema.Value) *Item {
		it := RowItem(&schema.Change{Op: op, Table: table, Old: old, Row: row})
		if row != nil {
			it.Patient = quarkstein()
		}
		d.Deidentify(t.Context(), it)
		return it
	}
	inserted := change(schema.InsertOp, nil, present("2021-03-14", "a"))
	if len(inserted.Out.Values) != 3 || *inserted.Out.Values[0] != "2021-03-04" || *inserted.Out.Values[2] != inserted.Out.Key[0] {
		t.Fatalf("inserted: %d values, key %q", len(inserted.Out.Values), inserted.Out.Key)
	}
	if n := len(inserted.Out.Key[0]); n != 36 || strings.Contains(inserted.Out.RowKey, "2021") {
		t.Errorf("the key is %q", inserted.Out.RowKey)
	}
	moved := change(schema.UpdateOp, present("2021-03-14", ""), present("2021-03-15", "a"))
	if moved.Out.OldRow != inserted.Out.RowKey || moved.Out.RowKey == inserted.Out.RowKey {
		t.Errorf("moved from %q to %q", moved.Out.OldRow, moved.Out.RowKey)
	}
	if deleted := change(schema.DeleteOp, present("2021-03-14", ""), nil); deleted.Out.OldRow != inserted.Out.RowKey {
		t.Errorf("deleted %q", deleted.Out.OldRow)
	}
	odd := change(schema.InsertOp, nil, present("0044-03-15 BC", "a"))
	if odd.Out.Reason != "" || odd.Out.Values[0] != nil || len(odd.Out.Withheld) != 1 {
		t.Errorf("a date that is none: reason %q, withheld %v", odd.Out.Reason, odd.Out.Withheld)
	}
}
