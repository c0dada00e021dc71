package apply

import (
	"context"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// A row can't always be written as it was made, which shows only when its turn to be written has come:
//
//   - a text that the stream did not send is not in the replica, or is another patient's there;
//   - the row is another patient's in the replica: the record of that one knows words that it was not searched for;
//   - the vault has lost what the row was made with, since its patient was taken away.
//
// The process that writes does not detect. Such a row is set aside as outdated: what the replica has of it goes, and its
// patient is requested to be read again, all in the transaction that would have written it. The rewriter reads
// the row from the source, and the worker of its patient makes it.

// outdated are the rows of a group that are set aside to be made anew.
type outdated struct {
	phi.Redacted

	rows []*Version
	// notes has the patients, by pseudonym, whose notes are requested.
	notes map[string]*deid.Requeue
	// whole has the source keys of patients of whom all rows are requested, not only notes.
	whole []string
	// patients have taken over rows of formers, by pseudonym and index.
	patients, formers []string
	grown             []string // source keys of patients
}

// setOutdatedAside sets the rows of a group aside that have to be made anew.
func (w *Writer) setOutdatedAside(ctx context.Context, tx pgx.Tx, g *Group) error {
	o := outdated{notes: map[string]*deid.Requeue{}}
	for _, t := range w.plan.Tables {
		list := g.uncertain(t, w.CopiedUntil)
		if len(list) == 0 {
			continue
		}
		there, err := w.published(ctx, tx, t, list)
		if err != nil {
			return err
		}
		aside, err := w.aside(ctx, tx, t, list)
		if err != nil {
			return err
		}
		for i, v := range list {
			was := v.takenFrom(there)
			if was == "" {
				was = owners{patient: aside[i]}.otherThan(v.patient)
			}
			if v.reread || was != "" || !v.allThere(there) {
				o.add(v, was)
			}
		}
	}
	if len(o.rows) == 0 {
		return nil
	}
	g.setAside(o.rows)
	for _, r := range o.notes {
		g.addRequeue(r)
	}
	w.grown = append(w.grown, o.grown...)
	if err := w.AskFor(ctx, tx, distinct(o.whole)); err != nil {
		return err
	}
	return w.storeFormers(ctx, tx, o.patients, o.formers)
}

// uncertain returns the versions of t's rows that may be outdated.
func (g *Group) uncertain(t *schema.Table, copied pglogrepl.LSN) []*Version {
	var list []*Version
	for _, v := range g.Order {
		if v.Table == t && !v.only && (v.reread || v.keeps() || v.mayMove(copied)) {
			list = append(list, v)
		}
	}
	return list
}

// add takes in a version, and notes what is to be requested. was is the patient whose row it was before, or "".
func (o *outdated) add(v *Version, was string) {
	it := v.Item
	switch {
	case it.OwnerKey == "":
	case it.Patient != nil && it.Patient.Void():
		o.whole = append(o.whole, it.OwnerKey)
	default:
		o.notes[v.patient] = &deid.Requeue{Pseudonym: v.patient, SourceKey: it.OwnerKey, Noted: true}
	}
	if was != "" && it.OwnerKey != "" {
		o.patients, o.formers, o.grown = append(o.patients, v.patient), append(o.formers, was), append(o.grown, it.OwnerKey)
	}
	o.rows = append(o.rows, v)
}

// setAside sets versions aside as outdated, and with a line of a note all others of it: a note is published whole or
// not at all.
func (g *Group) setAside(list []*Version) {
	notes := map[*deid.Note]bool{}
	for _, v := range list {
		if n := v.Item.Note(); n != nil {
			notes[n] = true
		}
		v.quarantine(v.Item, vault.Outdated)
	}
	for _, v := range g.Order {
		if v.Values != nil && notes[v.Item.Note()] {
			v.quarantine(v.Item, vault.Outdated)
		}
	}
}

// storeFormers stores whose rows patients have taken over, by pseudonym.
func (w *Writer) storeFormers(ctx context.Context, tx pgx.Tx, patients, formers []string) error {
	if len(patients) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `insert into deid.patient_former (patient, former)
		select distinct * from unnest($1::text[], $2::text[]) on conflict do nothing`, patients, formers)
	return fault.New("store whose rows a patient has taken over", connect.Lost(w.Conn, err), "run 'pgdeid migrate up'")
}

// aside returns whose rows those of a list are that are set aside, by its indexes.
func (w *Writer) aside(ctx context.Context, tx pgx.Tx, t *schema.Table, list []*Version) ([]string, error) {
	if !w.AnyAside.Load() {
		return make([]string, len(list)), nil
	}
	var keys [][]string
	for _, v := range list {
		keys = append(keys, v.Source)
	}
	whose, err := w.quarantine.Whose(ctx, tx, t.ID, keys)
	return whose, connect.Lost(w.Conn, err)
}

// published returns the patients of the texts that the replica has of these rows,
// by row key and column, as tx sees them.
func (w *Writer) published(ctx context.Context, tx pgx.Tx, t *schema.Table, list []*Version) (map[[2]string]string, error) {
	var keys []string
	for _, v := range list {
		keys = append(keys, v.RowKey)
		if v.Item.Out.OldRow != "" {
			keys = append(keys, v.Item.Out.OldRow)
		}
	}
	rows, _ := tx.Query(ctx, "select row_key, column_name, patient"+vault.OfRows, t.ID, t.TextNames(), keys)
	there := map[[2]string]string{}
	var row, column, patient string
	_, err := pgx.ForEachRow(rows, []any{&row, &column, &patient}, func() error {
		there[[2]string{row, column}] = patient
		return nil
	})
	return there, fault.New("read what is published", connect.Lost(w.Conn, err), "")
}

// mayMove reports whether v's row may have been another patient's before. That of an insert
// may only where a copy had the row already.
func (v *Version) mayMove(copied pglogrepl.LSN) bool {
	if v.Remove || v.anew || v.patient == "" || !v.Table.IsNote() {
		return false
	}
	c := v.Item.Change
	return c.Op == schema.UpdateOp || c.Op == schema.InsertOp && !c.Read && c.LSN <= copied
}

// takenFrom returns the patient whose row v's was, or "" if that is none or the same.
func (v *Version) takenFrom(there map[[2]string]string) string {
	if v.was != "" || v.patient == "" {
		return v.was
	}
	for _, row := range []string{v.RowKey, v.Item.Out.OldRow} {
		for _, c := range v.Table.Texts {
			if was := there[[2]string{row, v.Table.Columns[c].Name}]; was != "" && was != v.patient {
				return was
			}
		}
	}
	return ""
}

func (v *Version) allThere(there map[[2]string]string) bool {
	for n, keep := range v.Keep {
		column := v.Table.Columns[v.Table.Texts[n]].Name
		if keep && there[[2]string{v.RowKey, column}] != v.patient {
			return false
		}
	}
	return true
}
