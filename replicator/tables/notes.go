package tables

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
)

var (
	neededPatient = pgwire.Column{Name: colPatient, Type: value.Text, Role: pgwire.Needed}
	neededNote    = pgwire.Column{Name: colNote, Type: value.Text, Role: pgwire.Needed}
	textColumn    = pgwire.Column{Name: colText, Type: value.Text}
	reasonColumn  = pgwire.Column{Name: colReason, Type: value.Text}
)

func deidentifyTable() table {
	return table{pgwire.Table{
		Name: "deidentify", Columns: []pgwire.Column{neededPatient, neededNote, textColumn, reasonColumn}, Rows: 1,
		Hint: "say WHERE patient_id = … AND note = …, both as text; from a table, call deid.deidentify(patient_id, note) for each row",
	}, noteRows(0, 1, func(r value.Row, text, reason value.Datum) value.Row { return value.Row{r[0], r[1], text, reason} })}
}

// noteRows answers rows that have a patient and a note in these columns; show makes the row that is shown.
// An INSERT that returns neither text nor reason asks nothing.
func noteRows(patient, note int, show func(r value.Row, text, reason value.Datum) value.Row) func(context.Context, *call) ([]value.Row, error) {
	return func(ctx context.Context, c *call) ([]value.Row, error) {
		texts, reasons := make([]value.Datum, len(c.Inputs)), make([]value.Datum, len(c.Inputs))
		if c.table.Kind != pgwire.Inbox || c.wants(colText) || c.wants(colReason) {
			var err error
			if texts, reasons, err = c.answers(ctx, c.Inputs, patient, note, c.wants(colReason)); err != nil {
				return nil, err
			}
		}
		rows := make([]value.Row, len(c.Inputs))
		for i, r := range c.Inputs {
			rows[i] = show(r, texts[i], reasons[i])
		}
		return rows, nil
	}
}

func detectTable() table {
	return table{pgwire.Table{
		Name: "detect", Rows: 20, Hint: "say WHERE patient_id = … AND note = …, both as text",
		Columns: []pgwire.Column{
			neededPatient, neededNote,
			{Name: "span_start", Type: value.Int4},
			{Name: "span_end", Type: value.Int4},
			{Name: "phi_type", Type: value.Text},
			{Name: "detectors", Type: value.TextList},
		},
	}, detectRows}
}

func detectRows(ctx context.Context, c *call) ([]value.Row, error) {
	asked := make([]desk.Question, len(c.Inputs))
	for i, r := range c.Inputs {
		asked[i] = desk.Question{Patient: r[0].Text, Text: r[1].Text, SpansOnly: true, TextAlone: !c.Who.Steward}
	}
	answers, err := c.ask(ctx, asked, false)
	if err != nil {
		return nil, err
	}
	var rows []value.Row
	for i, a := range answers {
		if err := c.Room(int64(len(a.Spans)) * spanBytes); err != nil {
			return nil, err
		}
		for _, s := range a.Spans {
			rows = append(rows, append(value.Row{c.Inputs[i][0], c.Inputs[i][1]}, spanValues(s.Start, s.End, s.Type, s.By)...))
		}
	}
	return rows, nil
}

// spanValues are the last columns of detect and vault_span.
func spanValues(start, end int, typ string, by []string) value.Row {
	detectors := make([]value.Datum, len(by))
	for i, name := range by {
		detectors[i] = text(name)
	}
	return value.Row{number(start), number(end), text(typ), {List: detectors}}
}

// spanBytes is about what the row of a span takes.
const spanBytes = 1 << 10

func number(n int) value.Datum { return text(strconv.Itoa(n)) }

func batchTable() table {
	list := func(name string, role pgwire.Role) pgwire.Column {
		return pgwire.Column{Name: name, Type: value.TextList, Role: role}
	}
	return table{pgwire.Table{
		Name: "deidentify_batch", Rows: 1, Hint: "say WHERE patient_ids = … AND notes = …, both text[] of one length",
		Columns: []pgwire.Column{
			list("patient_ids", pgwire.Needed), list("notes", pgwire.Needed), list("deid_notes", pgwire.Output), list(colReasons, pgwire.Output),
		},
	}, batchRows}
}

func batchRows(ctx context.Context, c *call) ([]value.Row, error) {
	var rows []value.Row
	for _, r := range c.Inputs {
		patients, notes := r[0].List, r[1].List
		if len(patients) != len(notes) {
			return nil, &pgwire.Error{
				State: stateArrayMismatch, Message: fmt.Sprintf("patient_ids has %d elements, notes has %d", len(patients), len(notes)),
				Hint: "aggregate both in the same order: array_agg(x ORDER BY id)",
			}
		}
		posted := make([]value.Row, len(notes))
		for i := range notes {
			posted[i] = value.Row{patients[i], notes[i]}
		}
		texts, reasons, err := c.answers(ctx, posted, 0, 1, c.wants(colReasons))
		if err != nil {
			return nil, err
		}
		rows = append(rows, value.Row{r[0], r[1], {List: texts}, {List: reasons}})
	}
	return rows, nil
}

// answers returns a text and a reason for each row, whose columns have a patient and a note; a NULL note has a NULL text.
func (c *call) answers(ctx context.Context, rows []value.Row, patient, note int, wanted bool) (texts, reasons []value.Datum, err error) {
	texts, reasons = make([]value.Datum, len(rows)), make([]value.Datum, len(rows))
	for at := 0; at < len(rows); {
		var asked []desk.Question
		var index []int
		for bytes := 0; at < len(rows) && len(asked) < chunkNotes && bytes < chunkBytes; at++ {
			texts[at], reasons[at] = value.Null, value.Null
			if r := rows[at]; !r[note].Null {
				asked = append(asked, desk.Question{Patient: r[patient].Text, Text: r[note].Text})
				index, bytes = append(index, at), bytes+len(r[note].Text)
			}
		}
		answers, err := c.ask(ctx, asked, wanted)
		if err != nil {
			return nil, nil, err
		}
		for i, a := range answers {
			texts[index[i]], reasons[index[i]] = values(a)
		}
	}
	return texts, reasons, nil
}

func inboxTable() table {
	optional := func(name string, typ value.Type) pgwire.Column {
		return pgwire.Column{Name: name, Type: typ, Role: pgwire.Optional}
	}
	return table{pgwire.Table{
		Name: "inbox", Kind: pgwire.Inbox, Rows: 1, Hint: "INSERT into it, then SELECT … FROM outbox WHERE job = …",
		Columns: []pgwire.Column{
			optional(colJob, value.Text), optional(colItem, value.Int8), optional(colPatient, value.Text), optional(colNote, value.Text),
			textColumn, reasonColumn,
		},
	}, noteRows(2, 3, func(r value.Row, text, reason value.Datum) value.Row {
		return append(slices.Clone(r[:4]), text, reason)
	})}
}

func outboxTable() table {
	return table{pgwire.Table{
		Name: "outbox", Kind: pgwire.Outbox, Rows: 1000, Hint: "say WHERE job = …",
		Columns: []pgwire.Column{
			{Name: colJob, Type: value.Text, Role: pgwire.Needed},
			{Name: colItem, Type: value.Int8},
			{Name: colPatient, Type: value.Text},
			textColumn, reasonColumn,
		},
	}, noteRows(2, 3, func(r value.Row, text, reason value.Datum) value.Row {
		return value.Row{r[0], r[1], r[2], text, reason}
	})}
}
