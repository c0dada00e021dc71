package deid

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/schema/schematest"
)

const repairRead = "Seen: Quarkstein, with Grizzlewood."

// repairOf returns a repair of a word in the text of a row.
func repairOf(d *Deidentifier, id int64, t *schema.Table, row []schema.Value, word string, v review.Verdict) review.Repair {
	h := review.Hashes{Key: d.key}
	start := strings.Index(repairRead, word)
	m := review.Mark{Start: start, End: start + len(word), Type: "PATIENT", Verdict: v, Words: h.Words("p9", word)}
	if v != review.Missed {
		m.Found = &review.Span{Start: m.Start, End: m.End, Type: "PATIENT"}
	}
	return review.Repair{ID: id, Scope: review.Here, Patient: "p9", NoteID: d.NoteID(t, 1, row), Mark: m, Text: h.Text(repairRead)}
}

func TestRepairsHoldWhenATextIsMadeAnew(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.version, d.Made = "v1", "made"
	d.Detector = finds("Quarkstein")
	table := column(config.Column{Publish: config.Text}, "text", false)
	who := quarkstein()
	who.AddRepair(repairOf(d, 3, table, present("1", ""), "Grizzlewood", review.Missed))
	who.AddRepair(repairOf(d, 4, table, present("1", ""), "Seen", review.Wrong))
	for name, tt := range map[string]struct {
		row    []schema.Value
		has    bool
		states []review.RepairState
	}{
		"the text that was read": {present("1", repairRead), false, []review.RepairState{{ID: 3}, {ID: 4}}},
		"a line was added":       {present("1", repairRead+" Slept."), false, []review.RepairState{{ID: 3}, {ID: 4, Void: true}}},
		"the words moved":        {present("1", "New. "+repairRead), true, []review.RepairState{{ID: 3, Void: true}, {ID: 4, Void: true}}},
		"another note":           {present("2", repairRead), true, nil},
	} {
		it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: tt.row})
		it.Patient = who
		it.known = []known{{hmac: d.hashText(who, d.Reg.Site.Load(), tt.row[1].Text, nil), config: "made/v1"}} // before it was repaired
		d.Deidentify(t.Context(), it)
		if tt.states == nil {
			if !it.Out.Keep[0] || it.Out.Repairs != nil {
				t.Errorf("%s is made anew, or repaired: %v", name, it.Out.Repairs)
			}
			continue
		}
		got := *it.Out.Values[1]
		if strings.Contains(got, "Grizzlewood") != tt.has || strings.Contains(got, "Quarkstein") || !slices.Equal(it.Out.Repairs, tt.states) {
			t.Errorf("%s: %q, %v, %s", name, got, it.Out.Repairs, it.Out.Reason)
		}
	}
}

// What the patient's record has is not let through, whoever says that it is no PHI.
func TestRepairsDoNotPublishTheRecord(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	d.Detector = finds("Quarkstein")
	table := column(config.Column{Publish: config.Text}, "text", false)
	who := quarkstein()
	who.AddRepair(repairOf(d, 3, table, present("1", ""), "Quarkstein", review.Wrong))
	it := RowItem(&schema.Change{Op: schema.InsertOp, Table: table, Row: present("1", repairRead)})
	it.Patient = who
	d.Deidentify(t.Context(), it)
	if it.Out.Reason == "" && strings.Contains(*it.Out.Values[1], "Quarkstein") {
		t.Errorf("%q", *it.Out.Values[1])
	}
}

// A note of many rows is named by its own key, whichever line is at hand; one of a single row by the row's and the column.
func TestNoteID(t *testing.T) {
	t.Parallel()
	d := testDeidentifier(t)
	lines, note := schematest.LineTable(), schematest.NoteTable()
	row := func(t *schema.Table, values map[int]string) []schema.Value {
		list := make([]schema.Value, len(t.Columns))
		for i := range list {
			list[i] = schema.Value{Text: values[i], State: schema.Present}
		}
		return list
	}
	key := lines.Lines.Key[0]
	own := slices.IndexFunc(lines.Key, func(c int) bool { return c != key })
	a := d.NoteID(lines, lines.Lines.Text, row(lines, map[int]string{key: "7", lines.Key[own]: "1"}))
	b := d.NoteID(lines, lines.Lines.Text, row(lines, map[int]string{key: "7", lines.Key[own]: "2"}))
	c := d.NoteID(lines, lines.Lines.Text, row(lines, map[int]string{key: "8", lines.Key[own]: "1"}))
	if len(a) == 0 || string(a) != string(b) || string(a) == string(c) {
		t.Errorf("%x, %x, %x", a, b, c)
	}
	if string(d.NoteID(note, 1, row(note, nil))) == string(d.NoteID(note, 2, row(note, nil))) {
		t.Error("two columns of a row are one note")
	}
	var nobody *patient.Patient
	if nobody.HasRepairs() || nobody.Repairs(a) != nil || d.NoteID(note, 1, make([]schema.Value, len(note.Columns))) != nil {
		t.Error("nobody has repairs")
	}
}
