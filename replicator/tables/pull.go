package tables

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

func pullTable() table {
	return table{pgwire.Table{
		Name: "note_deid", Rows: 100, Hint: "say WHERE note_id = … or note_id = ANY (…); for a local list of keys: = ANY (ARRAY(SELECT …))",
		Columns: []pgwire.Column{
			{Name: "note_id", Type: value.Text, Role: pgwire.Needed},
			{Name: "source_table", Type: value.Text, Role: pgwire.Optional},
			{Name: "source_column", Type: value.Text, Role: pgwire.Optional},
			textColumn, reasonColumn,
		},
	}, pullRows}
}

// pullRows reads notes by their keys, those of one table and column at once.
func pullRows(ctx context.Context, c *call) ([]value.Row, error) {
	var groups []desk.NoteKeys
	for _, r := range c.Inputs {
		i := slices.IndexFunc(groups, func(g desk.NoteKeys) bool { return g.Table == r[1].Text && g.Column == r[2].Text })
		if i < 0 {
			i, groups = len(groups), append(groups, desk.NoteKeys{Table: r[1].Text, Column: r[2].Text})
		}
		groups[i].Keys = append(groups[i].Keys, r[0].Text)
	}
	if err := c.take(len(c.Inputs), nil); err != nil {
		return nil, err
	}
	var rows []value.Row
	for _, g := range groups {
		more, err := c.pull(ctx, g)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

func (c *call) pull(ctx context.Context, from desk.NoteKeys) ([]value.Row, error) {
	answers, err := c.engine.Pull(ctx, from)
	if err != nil {
		c.counts.Refused += int64(len(from.Keys))
		return nil, err
	}
	var patients []string
	for i := range answers {
		if p := answers[i].Patient; !slices.Contains(patients, p) {
			patients = append(patients, p)
		}
	}
	if err := c.take(0, patients); err != nil { // whose the notes are is known only now
		c.counts.OverLimit += int64(len(from.Keys))
		return nil, err
	}
	c.counts.Patients = append(c.counts.Patients, patients...)
	return c.pulled(from.Keys, answers)
}

// pulled puts answers into the order of the keys.
func (c *call) pulled(keys []string, answers []desk.NoteAnswer) ([]value.Row, error) {
	order := make(map[string]int, len(keys))
	for i, k := range keys {
		order[k] = i
	}
	slices.SortStableFunc(answers, func(a, b desk.NoteAnswer) int { return order[a.Key] - order[b.Key] })
	rows := make([]value.Row, 0, len(answers))
	failed := ""
	for _, a := range answers {
		answer, reason := values(a.Answer)
		if a.Null {
			answer = value.Null
		}
		if a.Reason != "" {
			failed = a.Reason
			c.counts.Refused++
		} else {
			c.counts.Notes++
			c.counts.Bytes += int64(a.Bytes)
		}
		rows = append(rows, value.Row{text(a.Key), text(a.Table), text(a.Column), answer, reason})
	}
	if failed != "" && !c.wants(colReason) {
		return nil, noteError(failed)
	}
	return rows, nil
}
