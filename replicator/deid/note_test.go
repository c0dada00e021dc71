package deid

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// linesOf returns items for a note of quarkstein's, one for each text and the end; "NULL" is none.
func linesOf(t *schema.Table, request Request, lines ...string) []*Item {
	rows := schema.NoteRows{Key: []string{"7"}}
	for i, text := range lines {
		row := present("7", fmt.Sprint(i+1), "9", text)
		if text == "NULL" {
			row[3] = schema.Value{State: schema.Null}
		}
		rows.Rows = append(rows.Rows, row)
	}
	items := NewNote(rows, schema.Change{Op: schema.InsertOp, Table: t, Read: true}, request)
	for _, it := range items[:len(lines)] {
		it.Patient = quarkstein()
	}
	return items
}

// bodies returns the published texts of lines.
func bodies(items []*Item) []string {
	var list []string
	for _, it := range items {
		switch {
		case it.Ends != nil:
		case it.Out.Reason != "":
			list = append(list, string(it.Out.Reason))
		case it.Out.Keep[0]:
			list = append(list, "kept")
		case it.Out.Values[3] == nil:
			list = append(list, "NULL")
		default:
			list = append(list, *it.Out.Values[3])
		}
	}
	return list
}

func TestLinesAreSearchedAsOneNote(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	searched := 0
	d.Detector = detectFunc(func(_ context.Context, n *ensemble.Note) ([]phi.Span, error) {
		searched++
		at := strings.Index(n.Text, "Zwylla\nQuarkstein")
		return []phi.Span{{Start: at, End: at + len("Zwylla\nQuarkstein"), Type: phi.Patient}}, nil
	})
	items := linesOf(schematest.LineTable(), Request{}, "Mrs. Zwylla", "NULL", "Quarkstein ate", "")
	for _, it := range slices.Backward(items) { // whichever comes first
		d.Deidentify(t.Context(), it)
	}
	got := bodies(items)
	if searched != 1 || len(got) != 4 || !strings.HasPrefix(got[0], "Mrs. ") || got[1] != "NULL" || !strings.HasSuffix(got[2], " ate") || got[3] != "" ||
		strings.Contains(strings.Join(got, ""), "Zwylla") || strings.Contains(strings.Join(got, ""), "Quarkstein") {
		t.Errorf("searched %d times: %q", searched, got)
	}
	end := items[4]
	if end.Ends != items[0].Note() || end.Note() != nil || !slices.Equal(end.Out.Key, []string{"7"}) || end.Out.Values != nil {
		t.Errorf("the end is of %v, key %v", end.Ends, end.Out.Key)
	}
	if keys := end.Ends.Keys(); fmt.Sprint(keys) != "[[7 1] [7 2] [7 3] [7 4]]" {
		t.Errorf("the keys of the lines are %v", keys)
	}
	stored := 0
	for _, it := range items {
		stored += len(it.Out.Entries)
	}
	if stored == 0 || len(items[0].Out.Texts[0].Spans) != 1 || string(items[0].Out.Texts[0].HMAC) == string(items[2].Out.Texts[0].HMAC) {
		t.Errorf("%d surrogates are stored; texts are %+v", stored, items[0].Out.Texts)
	}
}

// The rows of a note can make up a document, which they do afterwards.
func TestRowsOfADocument(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	table := schematest.LineTable()
	table.Lines.Form.Format = document.HTML
	publish := func(lines ...string) []*Item {
		items := linesOf(table, Request{}, lines...)
		for _, it := range items {
			d.Deidentify(t.Context(), it)
		}
		return items
	}
	items := publish("<p>Mrs. Quark<b>stein</b>", "NULL", "ate<!-- Quarkstein", "slept -->.</p>")
	got := bodies(items)
	if len(got) != 4 || !strings.HasPrefix(got[0], "<p>Mrs. ") || !strings.HasSuffix(got[0], "<b></b>") || got[1] != "NULL" || got[2] != "ate.</p>" || got[3] != "NULL" ||
		strings.Contains(got[0], "Quark") {
		t.Errorf("published %q", got)
	}
	if out := items[3].Out; !out.Texts[0].Null || out.Reason != "" {
		t.Errorf("a row that is left without a part: %+v", out.Texts)
	}
	table.Lines.Form.Format = document.RTF
	if got := bodies(publish("<p>Mrs.", "Quarkstein</p>")); !slices.Equal(got, slices.Repeat([]string{string(vault.BadFormat)}, 2)) {
		t.Errorf("what is no RTF is published as %q", got)
	}
}

// A note of which a line can't be published is set aside as a whole.
func TestNotesFailAsAWhole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(d *Deidentifier, items []*Item)
		want  vault.Reason
	}{
		"detector": {func(d *Deidentifier, _ []*Item) {
			d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) { return nil, errors.New("no mood") })
		}, vault.DetectorFail},
		"a patient who is not known": {func(_ *Deidentifier, items []*Item) { items[1].Patient, items[1].Reason = nil, vault.NoPatient }, vault.NoPatient},
		"no patient of the last":     {func(_ *Deidentifier, items []*Item) { items[2].Patient = nil }, vault.NoPatient},
		"no patient":                 {func(_ *Deidentifier, items []*Item) { items[1].Patient = nil }, vault.NoPatient},
		"two patients": {func(_ *Deidentifier, items []*Item) {
			items[1].Patient = &patient.Patient{Key: "8", Pseudonym: "p8", Ledger: &patient.Ledger{}}
		}, vault.SeveralPatients},
		"no text":   {func(_ *Deidentifier, items []*Item) { items[0].Note().texts[1] = "a\x00" }, vault.BadText},
		"too large": {func(_ *Deidentifier, items []*Item) { items[0].Note().tooLarge = true }, vault.TooLarge},
		"a key":     {func(_ *Deidentifier, items []*Item) { items[1].Change.Row[1].State = schema.Null }, vault.BadValue},
		"a fault": {func(_ *Deidentifier, items []*Item) {
			items[0].Change.Table.Lines.Join = "x"
			items[0].Note().texts = nil
		}, vault.Broken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := testDeidentifier(t)
			d.Detector = finds("Quarkstein")
			items := linesOf(schematest.LineTable(), Request{}, "Mrs. Quarkstein", "ate", "NULL")
			c.spoil(d, items)
			for _, it := range slices.Backward(items) {
				d.Deidentify(t.Context(), it)
			}
			if got := bodies(items); !slices.Equal(got, slices.Repeat([]string{string(c.want)}, 3)) {
				t.Errorf("published %q", got)
			}
			if keys := items[3].Ends.Keys(); keys != nil {
				t.Errorf("the replica keeps %v", keys)
			}
		})
	}
}

// What is published of a line stays only if that of all others does.
func TestNotesThatArePublishedStay(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	first := linesOf(schematest.LineTable(), Request{}, "Mrs. Quarkstein", "NULL", "ate")
	for _, it := range first {
		d.Deidentify(t.Context(), it)
	}
	again := func(change func(items []*Item), lines ...string) []string {
		items := linesOf(schematest.LineTable(), Request{}, lines...)
		for i, it := range items[:len(lines)] {
			it.known = make([]known, 1)
			if it.line.at >= 0 && i < 3 {
				it.known[0] = known{hmac: first[i].Out.Texts[0].HMAC, config: d.Made + "/" + d.version}
			}
		}
		change(items)
		for _, it := range items {
			d.Deidentify(t.Context(), it)
		}
		return bodies(items)
	}
	none := func([]*Item) {}
	if got := again(none, "Mrs. Quarkstein", "NULL", "ate"); !slices.Equal(got, []string{"kept", "NULL", "kept"}) {
		t.Errorf("the same: %q", got)
	}
	for name, got := range map[string][]string{
		"another text":  again(none, "Mrs. Quarkstein", "NULL", "slept"),
		"a line more":   again(none, "Mrs. Quarkstein", "NULL", "ate", "well"),
		"another place": again(none, "Mrs. Quarkstein", "ate", "NULL"),
		"other borders": again(none, "Mrs.", "NULL", "Quarkstein\nate"),
		"another configuration": again(func(items []*Item) {
			items[2].known[0].config = "x"
		}, "Mrs. Quarkstein", "NULL", "ate"),
		"a line that was changed in the replica": again(func(items []*Item) { items[2].known[0] = known{} }, "Mrs. Quarkstein", "NULL", "ate"),
	} {
		if slices.Contains(got, "kept") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A line that comes out as it is published stays, also where another line of its note does not.
func TestLinesThatComeOutTheSameStay(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	first := linesOf(schematest.LineTable(), Request{}, "Mrs. Quarkstein", "ate")
	for _, it := range first {
		d.Deidentify(t.Context(), it)
	}
	again := linesOf(schematest.LineTable(), Request{}, "Mrs. Quarkstein", "slept")
	for i, it := range again[:2] {
		made := first[i].Out.Texts[0]
		it.known = []known{{hmac: made.HMAC, published: made.Published, config: "older"}}
	}
	for _, it := range again {
		d.Deidentify(t.Context(), it)
	}
	if got := bodies(again); !slices.Equal(got, []string{"kept", "slept"}) || again[0].Out.Texts[0].HMAC == nil {
		t.Errorf("published %q", got)
	}
}

func TestNotesStayTogether(t *testing.T) {
	t.Parallel()
	table := schematest.LineTable()
	some, none := linesOf(table, Request{}, "a", "NULL"), linesOf(table, Request{}, "b", "c")
	row := RowItem(&schema.Change{Table: schematest.NoteTable()})
	some[1].Absent, none[0].Absent, none[1].Absent, row.Absent = true, true, true, true
	batch := append(append(some, none...), row)
	stayTogether(batch)
	var absent []bool
	for _, it := range batch {
		absent = append(absent, it.Absent)
	}
	if fmt.Sprint(absent) != "[false false false true true false true]" {
		t.Errorf("absent: %v", absent)
	}
}

// A note of which the replica has no line is not made, and its lines have no keys; one without lines is one that is gone.
func TestNotesThatTheReplicaDoesNotHave(t *testing.T) {
	t.Parallel()
	items := linesOf(schematest.LineTable(), Request{}, "a", "b")
	n := items[0].Note()
	items[0].Absent = true
	items[1].Out.Key = []string{"7", "2"}
	if n.Absent() || fmt.Sprint(n.Keys()) != "[[7 2]]" {
		t.Errorf("absent: %v, keys %v", n.Absent(), n.Keys())
	}
	items[1].Absent, items[1].Out.Key = true, nil
	if !n.Absent() || len(n.Keys()) != 0 {
		t.Errorf("absent: %v, keys %v", n.Absent(), n.Keys())
	}
	if (&Note{}).Absent() {
		t.Error("a note that is gone is taken for one that has not come")
	}
}

func TestCarriersHoldTheRoomOfTheirLines(t *testing.T) {
	t.Parallel()
	items := linesOf(schematest.LineTable(), Request{}, "a", strings.Repeat("b", 1000))
	sum := int64(0)
	for _, it := range items {
		sum += it.Held
	}
	c := Carrier(items)
	if c.Held != sum || items[0].Held != 0 || items[1].Held != 0 || c != items[2] || len(c.Brings) != 2 {
		t.Errorf("it holds %d of %d", c.Held, sum)
	}
}

func TestNotesPrintThemselvesRedacted(t *testing.T) {
	t.Parallel()
	items := linesOf(schematest.LineTable(), Request{}, "Quarkstein")
	n := items[0].Note()
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "note", n, "item", items[0], "end", items[1])
	text := log.String() + fmt.Sprintf("%v %+v %#v %v %#v %+v", n, n, n, items[0].line, items[0].line, items[1])
	if strings.Contains(text, "Quark") {
		t.Errorf("printed %s", text)
	}
}

// Of a patient who stays out, no line is searched, and none is set aside.
func TestLinesOfAPatientWhoStaysOutAreLeftOut(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) {
		t.Error("a note of a patient who stays out is searched")
		return nil, nil
	})
	items := linesOf(schematest.LineTable(), Request{}, "Quark", "stein ate.")
	for _, it := range items[:2] {
		it.Patient, it.LeftOut = nil, true
	}
	items[1].LeftOut = false // the other line stays out with it
	for _, it := range items {
		d.Deidentify(t.Context(), it)
	}
	for _, it := range items[:2] {
		if !it.LeftOut || it.Out.Reason != "" || it.Out.Values != nil || len(it.Out.Key) == 0 {
			t.Errorf("left out %t, reason %q, %d values, %d parts of the key", it.LeftOut, it.Out.Reason, len(it.Out.Values), len(it.Out.Key))
		}
	}
}

// A row that a document has left without a part of it is no reason to make it anew.
func TestRowsWithoutAPartStay(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	table := schematest.LineTable()
	table.Lines.Form.Format = document.HTML
	lines := []string{"<p>Mrs. Quarkstein<!--", "-->ate</p>"}
	first := linesOf(table, Request{}, lines...)
	for _, it := range first {
		d.Deidentify(t.Context(), it)
	}
	if got := bodies(first); got[1] != "NULL" {
		t.Fatalf("published %q", got)
	}
	made := first[0].Out.Texts[0]
	there := known{hmac: made.HMAC, published: made.Published, config: d.Made + "/" + d.version}
	for name, c := range map[string]struct {
		known [2]known
		stays bool
	}{
		"as it was":              {[2]known{there, {null: true}}, true},
		"the row is gone":        {[2]known{there, {}}, false},
		"nothing is known":       {[2]known{{null: true}, {null: true}}, false},
		"the row has some other": {[2]known{there, {hmac: []byte("x")}}, false},
	} {
		searched := false
		d.Detector = detectFunc(func(context.Context, *ensemble.Note) ([]phi.Span, error) {
			searched = true
			return nil, nil
		})
		again := linesOf(table, Request{}, lines...)
		for i, it := range again[:2] {
			it.known = []known{c.known[i]}
		}
		d.Deidentify(t.Context(), again[0])
		if got := bodies(again); searched == c.stays || got[1] != "NULL" || c.stays && got[0] != "kept" {
			t.Errorf("%s: %q, searched: %v", name, got, searched)
		}
	}
}
