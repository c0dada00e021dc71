package deid

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/repair"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// NoteID returns the keyed hash by which people's decisions name a text of the source: that of a column in a row, or of
// the note whose line the row is. It is nil for a row without a key.
func (d *Deidentifier) NoteID(t *schema.Table, col int, row []schema.Value) []byte {
	key, ok := t.KeyTexts(row)
	if t.Lines != nil && t.Lines.Text == col {
		key = key[:0:0]
		for _, k := range t.Lines.Key {
			key = append(key, row[k].Text)
		}
	}
	if !ok {
		return nil
	}
	return review.Hashes{Key: d.key}.Note(t.ID, t.Columns[col].Name, key)
}

// repairsOf returns what people decided about places of a text.
func (d *Deidentifier) repairsOf(p *patient.Patient, t *schema.Table, col int, row []schema.Value) repair.List {
	if !p.HasRepairs() {
		return nil
	}
	return p.Repairs(d.NoteID(t, col, row))
}

// repairText puts repairs into what was found in a text, and notes with the item which of them had an effect.
func (d *Deidentifier) repairText(it *Item, text string, spans []phi.Span, list repair.List) []phi.Span {
	if len(list) == 0 {
		return spans
	}
	made := d.Repaired(text, spans, list)
	for _, state := range list.States(&made) {
		if state.Void {
			d.metrics.VoidRepairs.Inc()
		}
		it.Out.Repairs = append(it.Out.Repairs, state)
	}
	return made.Spans
}

// Repaired puts repairs into what was found in a text.
func (d *Deidentifier) Repaired(text string, spans []phi.Span, list repair.List) repair.Made {
	return list.Apply(text, spans, review.Hashes{Key: d.key})
}
