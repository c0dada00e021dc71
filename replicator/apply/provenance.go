package apply

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// queueProvenance queues how each text was made, and takes away what was said of
// texts that are gone.
func (s *Store) queueProvenance(batch *pgx.Batch, t *schema.Table, list []*Version, insert bool) {
	texts := vault.Texts{Table: t.ID}
	for _, v := range list {
		for n, c := range t.Texts {
			column := t.Columns[c].Name
			switch {
			case v.RowKey == "":
			case v.Remove || v.texts[n].Null && !v.Keep[n]:
				texts.Gone = append(texts.Gone, [2]string{column, v.RowKey})
			case v.Keep[n] && v.texts[n].HMAC != nil:
				texts.Kept = append(texts.Kept, v.madeText(column, n))
			case v.Keep[n]:
			case v.updates():
				texts.Updated = append(texts.Updated, v.madeText(column, n))
			case insert && v.isNew():
				texts.New = append(texts.New, v.madeText(column, n))
			default:
				texts.Written = append(texts.Written, v.madeText(column, n))
			}
		}
	}
	s.provenance.Queue(batch, &texts)
}

// Confirm notes that texts which were made anew came out as they are published, where that is still so.
// Rows are not written for it.
func (s *Store) Confirm(ctx context.Context, tx pgx.Tx, list []*Version) error {
	byTable := map[*schema.Table]*vault.Texts{}
	for _, v := range list {
		texts := byTable[v.Table]
		if texts == nil {
			texts = &vault.Texts{Table: v.Table.ID}
			byTable[v.Table] = texts
		}
		for n, c := range v.Table.Texts {
			if v.Keep[n] && v.texts[n].HMAC != nil {
				texts.Kept = append(texts.Kept, v.madeText(v.Table.Columns[c].Name, n))
			}
		}
	}
	batch := &pgx.Batch{}
	for _, texts := range byTable {
		s.provenance.Queue(batch, texts)
	}
	return fault.New("note which texts are up to date", tx.SendBatch(ctx, batch).Close(), "")
}

// madeText returns how the nth text of v, in column, was made.
func (v *Version) madeText(column string, n int) vault.Text {
	text := v.texts[n]
	return vault.Text{
		Column: column, Row: v.RowKey, Patient: v.patient, LSN: v.Item.Change.LSN,
		Source: text.HMAC, Published: text.Published, Spans: text.Spans,
	}
}

// queueQuarantine queues the rows that are set aside, and removes those from the
// quarantine that are not set aside any more.
func (s *Store) queueQuarantine(batch *pgx.Batch, list []*Version) {
	var written []vault.RowName
	for _, v := range list {
		if a := v.aside; a != nil {
			s.quarantine.QueueAdd(batch, &vault.SetAside{Origin: a.Origin, Table: v.Table.ID, Reason: string(a.reason), Lacks: a.lacks})
			s.AnyAside.Store(true)
			continue
		}
		if v.Source != nil && !v.updates() { // a row that is written only if the replica has it is not in the quarantine
			written = append(written, vault.RowName{Table: v.Table.ID, Key: v.Source})
		}
	}
	if s.AnyAside.Load() {
		s.quarantine.QueueRemove(batch, written)
	}
}
