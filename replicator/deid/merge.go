package deid

import (
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

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
