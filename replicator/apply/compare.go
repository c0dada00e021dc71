package apply

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Rows can be compared with what the replica has before they are written: what a copy would write, value by
// value, and for texts the keyed hashes of what they were made of and of what was published. So a row is
// found to differ whatever changed: the source, the patient's record, or the replica by hand.

// Differences counts the rows of a table in which the replica differs from the source.
type Differences struct {
	Added   int64 `json:"added"`   // the replica does not have them
	Changed int64 `json:"changed"` // the replica has other ones
	Removed int64 `json:"removed"` // the source does not have them
	Aside   int64 `json:"aside"`   // they could not be published so far, or can't be: counted where nothing is written
}

// Any reports whether there is a difference.
func (d *Differences) Any() bool { return d.Added+d.Changed+d.Removed > 0 }

// found says what the replica has under the key of a version.
type found uint8

const (
	nothing found = iota
	another
	theSame
)

// passOver takes the versions out of a group that the replica has as they are, and counts the others.
func (w *Writer) passOver(ctx context.Context, tx pgx.Tx, g *Group) error {
	if w.Compared == nil {
		return nil
	}
	there, err := w.lookUp(ctx, tx, g)
	if err != nil {
		return err
	}
	var confirmed []*Version
	kept := g.Order[:0]
	for _, v := range g.Order {
		w.Compared.count(v, there[v])
		switch {
		case v.Remove || there[v] != theSame:
			kept = append(kept, v)
		case v.cameOutTheSame():
			confirmed = append(confirmed, v)
		}
	}
	g.Order = kept
	if len(confirmed) == 0 {
		return nil
	}
	return w.Confirm(ctx, tx, confirmed)
}

// cameOutTheSame reports whether a text of v was made anew, and came out as it is published.
func (v *Version) cameOutTheSame() bool {
	for n, keep := range v.Keep {
		if keep && v.texts[n].HMAC != nil {
			return true
		}
	}
	return false
}

// count counts a version that is to be written where the replica has what was found.
func (d *Differences) count(v *Version, there found) {
	switch {
	case v.aside != nil:
		d.Aside++
	case v.Remove && v.Item != nil && v.Item.Ends != nil: // a line that its note does not have any more
		d.Removed++
	case v.Remove || there == theSame:
	case there == another:
		d.Changed++
	default:
		d.Added++
	}
}

// isAside reports whether the quarantine has v's row.
func (w *Writer) isAside(ctx context.Context, tx pgx.Tx, v *Version) (aside bool, err error) {
	err = tx.QueryRow(ctx, "select exists (select from deid.quarantine where table_name = $1 and key_hmac = $2)",
		v.Table.ID, w.seals.RowHash(v.Table.ID, v.Source)).Scan(&aside)
	return aside, fault.New("read the quarantine", connect.Lost(w.Conn, err), "")
}

// lookUp compares the rows of a group that are to be written with those that are there.
func (w *Writer) lookUp(ctx context.Context, tx pgx.Tx, g *Group) (map[*Version]found, error) {
	byTable := map[*schema.Table][]*Version{}
	for _, v := range g.Order {
		if !v.Remove && v.Set {
			byTable[v.Table] = append(byTable[v.Table], v)
		}
	}
	there := map[*Version]found{}
	for t, list := range byTable {
		if err := w.lookUpRows(ctx, tx, t, list, there); err != nil {
			return nil, err
		}
	}
	return there, nil
}

func (w *Writer) lookUpRows(ctx context.Context, tx pgx.Tx, t *schema.Table, list []*Version, there map[*Version]found) error {
	op := "compare rows of table " + t.ID + " with the replica's"
	if _, err := tx.Exec(ctx, "savepoint compared"); err != nil {
		return fault.New(op, connect.Lost(w.Conn, err), "")
	}
	rows, err := tx.Query(ctx, t.SQL.Compare(), comparedArrays(t, list)...)
	if err == nil {
		var place int64
		var same bool
		_, err = pgx.ForEachRow(rows, []any{&place, &same}, func() error {
			v := list[place-1]
			there[v] = another
			if same && !v.remade() {
				there[v] = theSame
			}
			return nil
		})
	}
	if err == nil {
		_, err = tx.Exec(ctx, "release savepoint compared")
	}
	if !fault.SmallerMayDo(err) {
		return fault.New(op, connect.Lost(w.Conn, err), WriteHint(err))
	}
	// A value that the replica refuses: who writes the rows finds out which, and sets it aside.
	for _, v := range list {
		there[v] = another
	}
	return backTo(ctx, tx, "compared")
}

// remade reports whether a text of v is another one than is published.
func (v *Version) remade() bool {
	for n, keep := range v.Keep {
		if !keep && !v.texts[n].Null {
			return true
		}
	}
	return false
}

// comparedArrays returns the values that [schema.Statements.Compare] takes. A text that is there is "".
func comparedArrays(t *schema.Table, list []*Version) []any {
	args := valueArrays(t, list, t.SQL.All())
	for n := range t.Texts {
		column := make([]*string, len(list))
		for i, v := range list {
			if !v.texts[n].Null || v.Keep[n] {
				column[i] = new(string)
			}
		}
		args[t.TextIndex(n)] = column
	}
	return args
}

// storeDifferences adds what was found since the last cursor to what is known of a table, in tx.
func (c *Committer) storeDifferences(ctx context.Context, tx pgx.Tx, table string) error {
	if c.Compared == nil {
		return nil
	}
	d := *c.Compared
	*c.Compared = Differences{}
	_, err := tx.Exec(ctx, `update deid.snapshot set added = added + $3, changed = changed + $4, removed = removed + $5
		where slot = $1 and table_name = $2`, c.Slot, table, d.Added, d.Changed, d.Removed)
	return fault.New("store what the comparison found", connect.Lost(c.Conn, err), "run 'pgdeid migrate up'")
}
