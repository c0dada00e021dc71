package replicator

import (
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/replicator/vault"
)

// queueProvenance queues how each text was made, and takes away what was said of
// texts that are gone.
func (s *store) queueProvenance(batch *pgx.Batch, t *table, list []*version) {
	texts := vault.Texts{Table: t.id}
	for _, v := range list {
		for n, c := range t.texts {
			column := t.columns[c].Name
			switch {
			case v.rowKey == "":
			case v.remove || v.texts[n].null && !v.keep[n]:
				texts.Gone = append(texts.Gone, [2]string{column, v.rowKey})
			case v.keep[n]:
			case v.only:
				texts.Updated = append(texts.Updated, v.madeText(column, n))
			default:
				texts.Written = append(texts.Written, v.madeText(column, n))
			}
		}
	}
	s.provenance.Queue(batch, &texts)
}

// madeText returns how the nth text of v, in column, was made.
func (v *version) madeText(column string, n int) vault.Text {
	text := v.texts[n]
	return vault.Text{
		Column: column, Row: v.rowKey, Patient: v.patient, LSN: v.item.change.lsn,
		Source: text.hmac, Published: text.published, Spans: text.spans,
	}
}

// queueQuarantine queues the rows that are set aside, and removes those from the
// quarantine that are not set aside any more.
func (s *store) queueQuarantine(batch *pgx.Batch, list []*version) {
	var written []vault.RowName
	for _, v := range list {
		if a := v.aside; a != nil {
			s.quarantine.QueueAdd(batch, &vault.SetAside{Origin: a.Origin, Table: v.table.id, Reason: string(a.reason), Lacks: a.lacks})
			s.anyAside.Store(true)
			continue
		}
		if v.source != nil && !v.only { // a row that is written only if the replica has it is not in the quarantine
			written = append(written, vault.RowName{Table: v.table.id, Key: v.source})
		}
	}
	if s.anyAside.Load() {
		s.quarantine.QueueRemove(batch, written)
	}
}
