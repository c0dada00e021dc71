package deid

import (
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// merge takes in what the changes of a batch say of ids that stand for others, once. Rows of the
// same batch are looked up with all of it.
func (r *Resolver) merge(batch []*Item) {
	for _, it := range batch {
		c := it.Change
		if c == nil || it.merged || len(c.Table.Filters) == 0 || !it.says() {
			continue
		}
		it.merged = true
		for _, f := range c.Table.Filters {
			if f.Merges() {
				it.Moves = append(it.Moves, r.mergeRow(f, c)...)
			}
		}
		for _, m := range it.Moves {
			for _, id := range []string{m.ID, m.Was, m.Now} {
				r.Cache.Forget(id)
			}
		}
	}
}

// says reports whether an item is a change of the stream or a row of the first copy: rows that are
// read again say nothing that the stream does not.
func (it *Item) says() bool {
	c := it.Change
	if !c.Read {
		return !c.Covered
	}
	return c.Op == schema.InsertOp && c.LSN == 0 && !it.Only && !it.Background && !it.Fresh
}

func (r *Resolver) mergeRow(f *schema.Filter, c *schema.Change) []patient.Move {
	if c.Op == schema.TruncateOp {
		var moves []patient.Move
		for _, row := range r.Merges.Rows(f.ID) {
			moves = append(moves, r.Merges.Set(f.ID, row, patient.Merge{})...)
		}
		return moves
	}
	var moves []patient.Move
	if old, ok := c.Table.KeyTexts(c.Old); ok {
		moves = r.Merges.Set(f.ID, string(r.Seals.FilterHash(f.ID, old)), patient.Merge{})
	}
	if key, ok := c.Table.KeyTexts(c.Row); ok {
		moves = append(moves, r.Merges.Set(f.ID, string(r.Seals.FilterHash(f.ID, key)), r.MergeRow(f, c.Row))...)
	}
	return moves
}

// merged puts the patient for whom an id stands in its place, in a column of patient keys. Those of a
// primary key stay, since they tell the rows of the table apart.
func (d *Deidentifier) merged(t *schema.Table, row []schema.Value, col int) string {
	c, text := &t.Columns[col], row[col].Text
	switch {
	case !d.config.Merging():
		return text
	case t.Patient.Table == "" && len(t.Patient.More) > 0:
		return d.mergedPart(t, row, col)
	case c.Publish != config.Pseudonym || c.Domain != config.PatientDomain || slices.Contains(t.Key, col):
		return text
	}
	return d.Reg.Merges.Survivor(patient.CanonicalKey(d.config.PatientKey, text))
}

// mergedPart is [Deidentifier.merged] for a patient key of several columns. They name a patient together, so either all of
// them are the survivor's, or none: one site's number beside another site would be somebody else's.
func (d *Deidentifier) mergedPart(t *schema.Table, row []schema.Value, col int) string {
	id, parts := row[t.Via], t.Columns[t.Via].Parts
	at := slices.Index(parts, col)
	if at < 0 || id.State != schema.Present {
		return row[col].Text
	}
	own, _ := t.Leads().Split(id.Text)
	survivor, ok := t.Leads().Split(d.Reg.Merges.Survivor(patient.CanonicalKey(d.config.PatientKey, id.Text)))
	if !ok || survivor[at] == own[at] {
		return row[col].Text
	}
	for n, part := range parts {
		if survivor[n] != own[n] && slices.Contains(t.Key, part) {
			return row[col].Text
		}
	}
	return survivor[at]
}
