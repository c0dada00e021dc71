package deid

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/note"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Where the rows of a table are lines of notes, a line is never de-identified by itself: a
// name may begin in one and end in the next. The items of a note's lines share a Note, which
// is searched when the first of them comes to a worker. If one line can't be published, none
// is. Behind them comes an item that ends the note: what else the replica has of it goes with
// it, so that the replica shows the note as it was at one moment, or nothing of it.

// Note is a note whose lines are rows. It holds PHI and prints itself redacted.
type Note struct {
	phi.Redacted

	lines    []*Item
	texts    []string // of the lines that have one
	tooLarge bool

	once  sync.Once
	print []byte         // a keyed hash of the texts
	hmac  []byte         // of these, with what is known of the patient
	why   vault.Reason   // why nothing is published
	keep  bool           // what is published stays
	made  []note.Written // by index of texts
}

// line is an item's place in a note.
type line struct {
	phi.Redacted

	note *Note
	at   int // index of texts; -1 if the line has no text
}

// NewNote returns items for the rows of a note, which are as like says, and one behind them that
// ends the note.
func NewNote(rows schema.NoteRows, like schema.Change, asked Request) []*Item {
	n := &Note{tooLarge: rows.TooLarge}
	for _, row := range rows.Rows {
		c := like
		c.Row = row
		it := RowItem(&c)
		it.Request = asked
		n.add(it)
	}
	like.Op, like.Old = schema.DeleteOp, like.Table.NoteRow(rows.Key)
	end := RowItem(&like)
	end.Request, end.Ends = asked, n
	return append(slices.Clone(n.lines), end)
}

// Keys returns the published keys of the lines, none of a note that is not published. Lines that the replica does not have, and
// that are not made, have none.
func (n *Note) Keys() [][]string {
	var keys [][]string
	for _, l := range n.lines {
		if l.Out.Reason == "" && len(l.Out.Key) > 0 {
			keys = append(keys, l.Out.Key)
		}
	}
	return keys
}

// Absent reports whether the note has lines, and the replica none of them, so that none is made.
func (n *Note) Absent() bool {
	return len(n.lines) > 0 && !slices.ContainsFunc(n.lines, func(l *Item) bool { return !l.Absent })
}

func (n *Note) add(it *Item) {
	at := -1
	if v := it.Change.Row[it.Change.Table.Lines.Text]; v.State == schema.Present {
		at = len(n.texts)
		n.texts = append(n.texts, v.Text)
	}
	it.line = line{note: n, at: at}
	n.lines = append(n.lines, it)
}

// Note returns the note of which the item's row is a line, or nil.
func (it *Item) Note() *Note { return it.line.note }

// Lines returns the items of the note's lines.
func (n *Note) Lines() []*Item { return n.lines }

// Print returns a keyed hash of the note's texts, once it was de-identified.
func (n *Note) Print() []byte { return n.print }

// deidentifyLines makes the outcomes of all lines of a note. Surrogates that are new are
// stored with the row of the one that it is called for.
func (d *Deidentifier) deidentifyLines(ctx context.Context, it *Item) {
	n := it.line.note
	if n.leaveOut() {
		for _, l := range n.lines {
			d.deidentifyRow(ctx, l)
		}
		return
	}
	d.searchLines(ctx, n, it)
	why := n.why
	for _, l := range n.lines {
		d.deidentifyRow(ctx, l)
		if why == "" {
			why = l.Out.Reason
		}
	}
	if why == "" {
		return
	}
	for _, l := range n.lines {
		l.Out.Values, l.Out.Reason = nil, why
	}
}

// leaveOut reports whether the patient of a line stays out of the replica. Then the whole note does.
func (n *Note) leaveOut() bool {
	if !slices.ContainsFunc(n.lines, func(l *Item) bool { return l.LeftOut }) {
		return false
	}
	for _, l := range n.lines {
		l.LeftOut = true
	}
	return true
}

// searchLines makes the texts of a note's lines.
func (d *Deidentifier) searchLines(ctx context.Context, n *Note, first *Item) {
	search := func() error {
		d.replaceLines(ctx, n, first)
		return nil
	}
	if guard.Report(d.Log, ensemble.Guarded("a note of table "+first.Change.Table.ID, search)) {
		n.why = vault.Broken
	}
}

func (d *Deidentifier) replaceLines(ctx context.Context, n *Note, first *Item) {
	if n.why = n.refused(); n.why != "" || len(n.texts) == 0 {
		return
	}
	site := d.Reg.Site.Load()
	n.print = d.key.HMAC("note lines", n.texts...)
	table := first.Change.Table
	repairs := d.repairsOf(first.Patient, table, table.Lines.Text, first.Change.Row)
	n.hmac = d.hashText(first.Patient, site, string(n.print), repairs)
	n.keep = n.published(d)
	switch {
	case n.keep:
		return
	case first.Compared == ForCount:
		n.made = make([]note.Written, len(n.texts))
		return
	}
	lines, err := table.Lines.Open(n.texts)
	if err != nil {
		n.why = vault.BadFormat
		return
	}
	res, why := d.replaceText(ctx, first, site, lines.Text(), repairs)
	if n.why = why; why != "" {
		return
	}
	if n.made, err = lines.Write(res); err != nil {
		n.why = vault.BadFormat
	}
}

// refused says why a note is not searched.
func (n *Note) refused() vault.Reason {
	if n.tooLarge {
		return vault.TooLarge
	}
	for _, l := range n.lines {
		switch {
		case l.Reason != "":
			return l.Reason
		case l.Patient == nil:
			return vault.NoPatient
		case l.Patient.Pseudonym != n.lines[0].Patient.Pseudonym:
			return vault.SeveralPatients
		}
	}
	return ""
}

// published reports whether all lines are published as they would be made now.
func (n *Note) published(d *Deidentifier) bool {
	t := n.lines[0].Change.Table
	nth := slices.Index(t.Texts, t.Lines.Text)
	some := false
	for _, l := range n.lines {
		switch {
		case l.line.at < 0:
		case l.known == nil || l.Anew:
			return false
		case d.same(l.known[nth], n.hash(d, l), l.Compared):
			some = true
		case !l.known[nth].null: // a part of a document that is in the row before
			return false
		}
	}
	return some
}

// publishLine publishes the text of a line, the nth one of its table.
func (d *Deidentifier) publishLine(it *Item, nth int) (*string, vault.Reason) {
	n, out, table := it.line.note, &it.Out, it.Change.Table
	switch {
	case n.why != "":
		return nil, n.why
	case it.line.at < 0, n.keep && it.known[nth].null:
		out.Texts[nth].Null = true
		return nil, ""
	case n.keep:
		out.Keep[nth] = true
		return nil, ""
	}
	w := &n.made[it.line.at]
	if w.Null {
		out.Texts[nth].Null = true
		return nil, ""
	}
	return it.publish(nth, w.Value, TextOutcome{
		HMAC: n.hash(d, it), Published: hashPublished(d.key, table, table.Lines.Text, out.RowKey, w.Value), Spans: w.Spans,
	}), ""
}

// hash returns a hash of all that decides the output of a line: its note's, and its place.
func (n *Note) hash(d *Deidentifier, it *Item) []byte {
	return d.key.HMAC("note line", string(n.hmac), strconv.Itoa(it.line.at))
}

// stayTogether has all lines of a note written where the replica has one of them.
func stayTogether(batch []*Item) {
	there := map[*Note]bool{}
	for _, it := range batch {
		there[it.Note()] = there[it.Note()] || !it.Absent
	}
	for _, it := range batch {
		it.Absent = it.Absent && (it.Note() == nil || !there[it.Note()])
	}
}

// publishNoteKey makes the outcome of an item that ends a note: the note's published key, or none
// if it can't be published.
func (d *Deidentifier) publishNoteKey(it *Item) {
	c := it.Change
	key := make([]string, len(c.Table.Lines.Key))
	for i, k := range c.Table.Lines.Key {
		v, err := d.convert(it, &c.Table.Columns[k], c.Old[k].Text, surrogate.Address{})
		if err != nil {
			it.Out.Reason = vault.BadValue // no line has a key that is published
			return
		}
		key[i] = v
	}
	it.Out.Key = key
}
