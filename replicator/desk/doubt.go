package desk

import (
	"context"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/text"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/cluster"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// unsure is the probability below which a span counts as found without much certainty.
const unsure = .9

// Doubts measures notes of the source with the rights of pgdeid, in their order: what one member alone found, what was
// found without much certainty, and what was proposed and not taken. Notes that can't be read or searched are left out.
func (d *Desk) Doubts(ctx context.Context, table, column string, keys [][]string) ([]review.Doubts, error) {
	return ofEach(ctx, d, table, column, keys, func(ctx context.Context, u *unit, p *patient.Patient, by *deid.Deidentifier) *review.Doubts {
		site := by.Reg.Site.Load()
		m, err := measure(ctx, by.Detector, &ensemble.Note{Text: u.text, Patient: by.Reg.GazetteerFor(p, site, u.text), Directory: site.Gazetteer})
		if err != nil {
			return nil
		}
		m.Key, m.Layout = u.key, layout(u.text)
		return m
	})
}

// Sketches makes sketches of the sentences of notes, with the rights of pgdeid and in their order. Notes that can't be read or
// searched are left out.
func (d *Desk) Sketches(ctx context.Context, table, column string, keys [][]string) ([]cluster.Note, error) {
	return ofEach(ctx, d, table, column, keys, func(ctx context.Context, u *unit, p *patient.Patient, by *deid.Deidentifier) *cluster.Note {
		spans, why := by.Search(ctx, p, by.Reg.Site.Load(), u.text)
		if why != "" {
			return nil
		}
		return &cluster.Note{Key: u.key, Sentences: cluster.Sketches(u.text, spans, review.Hashes{Key: d.opts.Key}.Sketch)}
	})
}

// ofEach makes something of each note; those that can't be read, or of which do returns nil, are left out.
func ofEach[T any](
	ctx context.Context, d *Desk, table, column string, keys [][]string,
	do func(context.Context, *unit, *patient.Patient, *deid.Deidentifier) *T,
) ([]T, error) {
	made := make([]*T, len(keys))
	err := d.each(ctx, len(keys), func(ctx context.Context, i int) {
		u, p, by, err := d.look(ctx, table, column, keys[i])
		if err == nil && p != nil {
			made[i] = do(ctx, u, p, by)
		}
	})
	if err != nil {
		return nil, err
	}
	var list []T
	for _, m := range made {
		if m != nil {
			list = append(list, *m)
		}
	}
	return list, nil
}

// look reads a note with the rights of pgdeid, and its patient; nil where it can't be read or is of no patient.
func (d *Desk) look(ctx context.Context, table, column string, key []string) (u *unit, p *patient.Patient, by *deid.Deidentifier, err error) {
	err = d.with(ctx, func(c *connections) (err error) {
		by = c.of.Deid
		if u, err = findText(c.look.Plan, review.Note{Table: table, Column: column}, key); err != nil {
			return err
		}
		if err := u.read(ctx, c.look); err != nil || len(u.rows) == 0 {
			return err
		}
		if err := u.know(ctx, c.look); err != nil || u.whose == "" {
			return err
		}
		p, err = onePatient(ctx, c.look, u.whose)
		return err
	})
	return u, p, by, err
}

// measure counts what a look at a note leaves open.
func measure(ctx context.Context, d deid.Detector, note *ensemble.Note) (*review.Doubts, error) {
	if err := text.Check(note.Text); err != nil {
		return nil, err
	}
	e, votes := d.(*ensemble.Ensemble)
	if !votes {
		spans, err := d.Detect(ctx, note)
		return count(spans, nil), err
	}
	ballot, err := e.Vote(ctx, note)
	if err != nil {
		return nil, err
	}
	spans, err := ballot.Spans(ctx, e.Members())
	if err != nil {
		return nil, err
	}
	var proposed []phi.Span
	for _, name := range e.Names(e.Members()) {
		proposed = append(proposed, ballot.VotesOf(name)...)
	}
	return count(spans, proposed), nil
}

func count(spans, proposed []phi.Span) *review.Doubts {
	m := &review.Doubts{}
	for _, s := range spans {
		if s.By.Count() == 1 && !s.Sure {
			m.Alone++
		}
		if s.Score > 0 && s.Score < unsure {
			m.Unsure++
		}
	}
	seen := map[phi.Range]bool{}
	for _, s := range proposed {
		at := phi.Range{Start: s.Start, End: s.End}
		if !seen[at] && !overlapsAny(s, spans) {
			m.Nearly++
		}
		seen[at] = true
	}
	return m
}

func overlapsAny(s phi.Span, spans []phi.Span) bool {
	for _, o := range spans {
		if s.Overlaps(o) {
			return true
		}
	}
	return false
}

// SetAside returns the notes that are set aside, oldest first. Those whose row the source does not have any more, or
// that lead to no patient, are left out.
func (d *Desk) SetAside(ctx context.Context) (list []review.Item, err error) {
	err = d.with(ctx, func(c *connections) error {
		list = nil
		var aside []vault.Quarantined
		err := vault.NewReader(c.look.Replica, c.look.Key).Quarantine(ctx, vault.Filter{}, func(q vault.Quarantined) error {
			aside = append(aside, q)
			return nil
		})
		if err != nil {
			return err
		}
		seen := map[review.Note]bool{}
		for _, q := range aside {
			items, err := c.asideTexts(ctx, q)
			if err != nil {
				return err
			}
			for _, it := range items {
				if !seen[it.Note] {
					seen[it.Note] = true
					list = append(list, it)
				}
			}
		}
		return nil
	})
	return list, err
}

// asideTexts finds the texts of a row that is set aside.
func (c *connections) asideTexts(ctx context.Context, q vault.Quarantined) (list []review.Item, err error) {
	for _, t := range c.look.Plan.Tables {
		if t.ID != q.Table || len(q.Key) != len(t.Key) {
			continue
		}
		for _, col := range t.Texts {
			u := &unit{table: t, column: col, key: q.Key}
			if u.ofLines() {
				u.key = t.NoteOf(q.Key)
			}
			it, err := c.locate(ctx, u, true)
			if err != nil {
				return nil, err
			}
			if it != nil {
				list = append(list, *it)
			}
		}
	}
	return list, nil
}
