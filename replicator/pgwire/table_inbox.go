package pgwire

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/replicator"
)

func inboxTable() *table {
	return &table{
		name:    "inbox",
		comment: "Notes to de-identify in bulk: INSERT them here, then SELECT from outbox in the same transaction; or INSERT … RETURNING deid_note",
		columns: []column{
			{colJob, oidText, true, "any name; outbox is asked by it"},
			{colItem, oidInt8, true, "any number, to know the note by"},
			patientColumn, noteColumn, textColumn, reasonColumn,
		},
		needs: []string{},
		rows:  1,
		open: func(*query) (source, *failure) {
			return nil, failf(stateUnsupported, "inbox can't be read").hinted("SELECT … FROM outbox WHERE job = …")
		},
	}
}

func outboxTable() *table {
	return &table{
		name:    "outbox",
		comment: "What became of the notes that this transaction put into inbox: SELECT item, deid_note FROM outbox WHERE job = …",
		columns: []column{
			{colJob, oidText, true, "as in inbox"},
			{colItem, oidInt8, false, "as in inbox"},
			{colPatient, oidText, false, "as in inbox"},
			textColumn, reasonColumn,
		},
		needs: []string{colJob},
		how:   "say WHERE job = …",
		rows:  1000,
		open:  openOutbox,
	}
}

// posted is a row of inbox.
type posted struct {
	job, item, patient, note datum
}

// clone copies the texts: the message that they are part of must not stay.
func (p *posted) clone() posted {
	c := *p
	for _, d := range []*datum{&c.job, &c.item, &c.patient, &c.note} {
		d.text = strings.Clone(d.text)
	}
	return c
}

func (p *posted) size() int64 {
	return p.job.size() + p.item.size() + p.patient.size() + p.note.size()
}

// inbox holds the notes that a session put in. What is there when a savepoint is
// set is not changed afterwards, only replaced, so that going back is an assignment.
type inbox struct {
	rows []posted
	held int64
}

// add takes in rows, which hold so much of the budget.
func (in *inbox) add(rows []posted, held int64) {
	in.rows, in.held = append(in.rows, rows...), in.held+held
}

// remove takes out the rows of these jobs, or all of them for nil.
func (in *inbox) remove(jobs []datum, all bool) int {
	kept := make([]posted, 0, len(in.rows))
	for _, r := range in.rows {
		if !all && !slices.ContainsFunc(jobs, func(d datum) bool { return !r.job.null && d.text == r.job.text }) {
			kept = append(kept, r)
		}
	}
	n := len(in.rows) - len(kept)
	in.rows = kept
	return n
}

// settle gives back the room of rows that nothing can bring back any more.
func (in *inbox) settle(b *sessionBudget) {
	var size int64
	for i := range in.rows {
		size += in.rows[i].size()
	}
	b.giveBack(in.held - size)
	in.held = size
}

// clear empties the inbox and gives back its room.
func (in *inbox) clear(b *sessionBudget) {
	b.giveBack(in.held)
	*in = inbox{}
}

// outbox answers the rows of inbox in their order.
type outbox struct {
	*query
	jobs []datum
	rows []posted
}

func openOutbox(q *query) (source, *failure) {
	return &outbox{query: q, jobs: q.input(colJob), rows: q.inbox.rows}, nil
}

func (o *outbox) next(ctx context.Context, want int) ([]row, error) {
	var chunk []posted
	bytes := 0
	for len(o.rows) > 0 && len(chunk) < min(max(want, 1), chunkNotes) && bytes < chunkBytes {
		r := o.rows[0]
		o.rows = o.rows[1:]
		if slices.ContainsFunc(o.jobs, func(d datum) bool { return !r.job.null && d.text == r.job.text }) {
			chunk, bytes = append(chunk, r), bytes+len(r.note.text)
		}
	}
	answered, err := o.answerPosted(ctx, o.table, chunk, o.wanted(colReason))
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(chunk))
	for i, r := range chunk {
		rows[i] = row{r.job, r.item, r.patient, answered[i][0], answered[i][1]}
	}
	if len(o.rows) == 0 {
		return rows, io.EOF
	}
	return rows, nil
}

// answerPosted returns text and reason for each row; a NULL note has a NULL text.
func (e *env) answerPosted(ctx context.Context, t *table, rows []posted, reasons bool) ([][2]datum, error) {
	out := make([][2]datum, len(rows))
	var asked []replicator.Question
	var index []int
	for i, r := range rows {
		out[i] = [2]datum{{null: true}, {null: true}}
		if !r.note.null {
			asked, index = append(asked, replicator.Question{Patient: r.patient.text, Text: r.note.text}), append(index, i)
		}
	}
	answers, err := e.ask(ctx, t, asked)
	if err != nil {
		return nil, err
	}
	for i, a := range answers {
		if a.Reason != "" && !reasons {
			return nil, noteFailure(a.Reason)
		}
		out[index[i]][0], out[index[i]][1] = answerOf(a)
	}
	return out, nil
}
