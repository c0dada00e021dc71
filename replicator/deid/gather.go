package deid

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/source"
)

// The stream brings lines of notes one by one, and what is published of a line depends on all
// lines of its note. So the row of such a change is not written. In its place goes the whole
// note, as the source has it now: read with one query, made by the worker of its patient, and
// written in the transaction of the change, less what else the replica has of it. So the
// replica always has a note as it was at one moment, which may be ahead of the stream.
//
// Changes of the note that were seen when it was read have no effect any more: also not a
// deletion of a line that was there again. They are known by their transactions, and need no
// memory that lasts: after a crash the stream brings them again, and the note is read again.

// gathering is what a resolver remembers of the notes that it has read.
type gathering struct {
	phi.Redacted

	notes map[*schema.Table]map[string]gatheredNote // by key
	lines int                                       // of all notes
}

// gatheredNote is a note that was read.
type gatheredNote struct {
	phi.Redacted

	seen  source.Snapshot // what the source showed at least
	lines map[string]bool // by their primary keys; nil if there are too many
}

// rememberedLines bounds the lines of notes that are remembered. Other notes are read again.
const rememberedLines = 200_000

// has reports whether a note was read when the source showed a transaction.
func (g *gathering) has(t *schema.Table, note []string, xid uint32) bool {
	n, ok := g.notes[t][schema.KeyString(note)]
	return ok && n.seen.Has(xid)
}

// keeps reports whether a note was read when the source showed a transaction, and had the line
// of a row.
func (g *gathering) keeps(t *schema.Table, row []schema.Value, xid uint32) bool {
	note := t.NoteKey(row)
	key, _ := t.KeyTexts(row)
	return g.has(t, note, xid) && g.notes[t][schema.KeyString(note)].lines[schema.KeyString(key)]
}

func (g *gathering) forget(t *schema.Table) {
	for _, n := range g.notes[t] {
		g.lines -= 1 + len(n.lines)
	}
	delete(g.notes, t)
}

func (g *gathering) add(t *schema.Table, rows schema.NoteRows, now source.Snapshot) {
	note := gatheredNote{seen: now, lines: map[string]bool{}}
	for _, row := range rows.Rows {
		key, _ := t.KeyTexts(row)
		note.lines[schema.KeyString(key)] = true
	}
	if rows.TooLarge {
		note.lines = nil
	}
	if g.lines > rememberedLines || g.notes == nil {
		g.notes, g.lines = map[*schema.Table]map[string]gatheredNote{}, 0
	}
	if g.notes[t] == nil {
		g.notes[t] = map[string]gatheredNote{}
	}
	name := schema.KeyString(rows.Key)
	if before, ok := g.notes[t][name]; ok {
		g.lines -= 1 + len(before.lines)
	}
	g.lines += 1 + len(note.lines)
	g.notes[t][name] = note
}

// wantedNote is a note to be read.
type wantedNote struct {
	phi.Redacted

	table *schema.Table
	key   []string
	at    int // index of its change in the batch
}

// choose returns the notes that a batch changes and that must be read, each with its first
// change that was not seen before.
func (g *gathering) choose(batch []*Item) []wantedNote {
	var list []wantedNote
	chosen, emptied := map[*schema.Table]map[string]bool{}, map[*schema.Table]bool{}
	for i, it := range batch {
		if !ofLines(it) {
			continue
		}
		c := it.Change
		t := c.Table
		if c.Op == schema.TruncateOp {
			chosen[t], emptied[t] = nil, true
			continue
		}
		for _, row := range [][]schema.Value{c.Old, c.Row} {
			key := t.NoteKey(row)
			name := schema.KeyString(key)
			if key == nil || chosen[t][name] || !emptied[t] && g.has(t, key, c.XID) {
				continue
			}
			if chosen[t] == nil {
				chosen[t] = map[string]bool{}
			}
			chosen[t][name] = true
			list = append(list, wantedNote{table: t, key: key, at: i})
		}
	}
	return list
}

// ofLines reports whether an item is a change of lines of notes that takes effect.
func ofLines(it *Item) bool {
	c := it.Change
	return c != nil && c.Table.Lines != nil && !c.Read && !c.Covered
}

// Gather puts whole notes in the place of changes of their lines, and passes a batch on in
// parts, in its order.
func (r *Resolver) Gather(ctx context.Context, batch []*Item, pass func([]*Item) error) error {
	p := parts{Resolver: r, batch: batch, pass: pass}
	if !slices.ContainsFunc(batch, ofLines) {
		return p.upTo(len(batch))
	}
	if err := r.await(ctx, batch); err != nil { // what is read has the whole batch
		return err
	}
	var err error
	if p.now, err = source.ReadSnapshot(ctx, r.Source); err != nil {
		return err
	}
	for list := r.gathered.choose(batch); len(list) > 0; {
		n := slices.IndexFunc(list, func(w wantedNote) bool { return w.table != list[0].table })
		if n < 0 {
			n = len(list)
		}
		if err := p.read(ctx, list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return p.upTo(len(batch))
}

// parts passes a batch on, and the notes that are read in between.
type parts struct {
	*Resolver

	batch []*Item
	pass  func([]*Item) error
	now   source.Snapshot // what notes show at least
	done  int             // items that were passed
}

// read reads notes of one table and passes them, each behind its change.
func (p *parts) read(ctx context.Context, list []wantedNote) error {
	t, keys := list[0].table, make([][]string, len(list))
	for i, w := range list {
		keys[i] = w.key
	}
	sizes, err := t.NoteSizes(ctx, p.Source, keys)
	if err != nil {
		return readFault(t, err)
	}
	next := 0
	err = t.ReadNotes(ctx, p.Source, sizes, func(rows schema.NoteRows) error {
		for schema.KeyString(list[next].key) != schema.KeyString(rows.Key) { // a large one comes in parts
			next++
		}
		return p.note(list[next].at, rows)
	})
	return readFault(t, err)
}

// note passes a note behind an item.
func (p *parts) note(at int, rows schema.NoteRows) error {
	if err := p.upTo(at + 1); err != nil {
		return err
	}
	of := p.batch[at].Change
	p.gathered.add(of.Table, rows, p.now)
	items := NewNote(rows, schema.Change{Op: schema.UpdateOp, Table: of.Table, LSN: of.LSN, XID: of.XID, Read: true}, Request{})
	for _, it := range items {
		it.Extra = true
	}
	return p.pass(items)
}

func readFault(t *schema.Table, err error) error {
	return fault.New("read notes of table "+t.ID, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

// upTo passes the items before the nth that were not passed yet.
func (p *parts) upTo(n int) error {
	if n <= p.done {
		return nil
	}
	list := make([]*Item, 0, n-p.done)
	for _, it := range p.batch[p.done:n] {
		list = append(append(list, it.Brings...), p.unlined(it)...)
	}
	p.done = n
	return p.pass(list)
}

// unlined returns what becomes of a change of a line: what it says of patients is taken in, and
// a row that is gone is deleted; the row itself comes with its note.
func (p *parts) unlined(it *Item) []*Item {
	if !ofLines(it) {
		return []*Item{it}
	}
	c := it.Change
	if c.Op == schema.TruncateOp {
		p.gathered.forget(c.Table)
		return []*Item{it}
	}
	kept := c.Old == nil || p.gathered.keeps(c.Table, c.Old, c.XID)
	if c.Op == schema.DeleteOp {
		c.Covered = kept
		return []*Item{it}
	}
	c.Covered = true
	if kept {
		return []*Item{it}
	}
	gone := RowItem(&schema.Change{Op: schema.DeleteOp, Table: c.Table, Old: c.Old, LSN: c.LSN, XID: c.XID, Read: true})
	gone.Extra = true
	return []*Item{it, gone}
}
