package apply

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// A note whose lines are rows is written as a whole: what the replica has of it besides the
// lines that were read goes in the same transaction. The stream deletes those lines too, but
// may do so later: until then a line of an older state would be between those of a newer
// one, and the two could make up a name that is in neither.

// endNotes deletes the rows of the notes that a group ends which are none of their lines. Of a
// note that is in the group several times, the last one counts.
func (w *Writer) endNotes(ctx context.Context, g *Group) error {
	if len(g.ends) == 0 {
		return nil
	}
	last := map[*schema.Table]map[string]*deid.Item{}
	for _, it := range g.ends {
		if len(it.Out.Key) == 0 {
			continue // no row has a key that can't be published
		}
		t := it.Change.Table
		if last[t] == nil {
			last[t] = map[string]*deid.Item{}
		}
		last[t][schema.RowKey(it.Out.Key)] = it
	}
	for t, ends := range last {
		g.removeOthers(t, ends)
		if err := w.removeLeft(ctx, g, t, ends); err != nil {
			return err
		}
	}
	return nil
}

// removeOthers removes versions that the group has of other lines.
func (g *Group) removeOthers(t *schema.Table, ends map[string]*deid.Item) {
	lines := map[*deid.Item]map[string]bool{}
	for _, end := range ends {
		lines[end] = map[string]bool{}
		for _, l := range end.Ends.Lines() {
			lines[end][l.Out.RowKey] = true
		}
	}
	for _, v := range g.Order {
		if v.Table != t || v.Remove || len(v.Key) == 0 {
			continue
		}
		if end := ends[schema.RowKey(t.PublishedNote(v.Item.Out.Values))]; end != nil && !lines[end][v.RowKey] {
			v.removeWith(end)
		}
	}
}

// removeLeft removes the rows that the replica has of other lines.
func (w *Writer) removeLeft(ctx context.Context, g *Group, t *schema.Table, ends map[string]*deid.Item) error {
	var notes, of, keep [][]string
	for _, end := range ends {
		keys := end.Ends.Keys()
		notes, of, keep = append(notes, end.Out.Key), append(of, slices.Repeat([][]string{end.Out.Key}, len(keys))...), append(keep, keys...)
	}
	return t.ReadOtherLines(ctx, w.Conn, notes, of, keep, func(note, key []string) {
		if v := g.version(t, key, schema.RowKey(key)); !v.Remove {
			v.removeWith(ends[schema.RowKey(note)])
		}
	})
}

// removeWith has v's row deleted with the end of its note.
func (v *Version) removeWith(end *deid.Item) {
	*v = Version{Table: v.Table, Key: v.Key, RowKey: v.RowKey, Remove: true, Set: true, Item: end}
}
