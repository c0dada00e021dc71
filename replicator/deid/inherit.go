package deid

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// inherit finds rows that were published or set aside as another patient's, and links the two. It
// comes before the patients are loaded.
func (r *Resolver) inherit(ctx context.Context, batch []*Item, keys []string) error {
	published, err := r.publishedBefore(ctx, batch)
	if err != nil {
		return err
	}
	aside, err := r.asideBefore(ctx, published)
	if err != nil {
		return err
	}
	var patients, formers, changed []string
	for i, it := range batch {
		was, asked := published[it]
		it.Absent = asked && was == "" && it.Only && it.Background && (!it.Refiled || it.Change.HasText())
		if was == "" {
			was = aside[it]
		}
		if was == "" || keys[i] == "" || it.LeftOut {
			continue
		}
		name, err := r.PseudonymOf(keys[i])
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		if name == was {
			continue
		}
		patients, formers, changed = append(patients, name), append(formers, was), append(changed, keys[i])
		it.Requests = []*Requeue{{Pseudonym: name, SourceKey: keys[i], LSN: it.Change.LSN, Noted: true}}
	}
	stayTogether(batch)
	if len(patients) == 0 {
		return nil
	}
	_, err = r.Replica.Exec(ctx, `insert into deid.patient_former (patient, former)
		select distinct * from unnest($1::text[], $2::text[]) on conflict do nothing`, patients, formers)
	if err != nil {
		return fault.New("store whose rows a patient has taken over", connect.Lost(r.Replica, err), "run 'pgdeid migrate up'")
	}
	for _, key := range changed { // what is loaded from now on has it
		r.Cache.Forget(key)
	}
	return nil
}

// publishedBefore returns under which patients rows of notes that were read again are
// published, "" of those that are not.
func (r *Resolver) publishedBefore(ctx context.Context, batch []*Item) (map[*Item]string, error) {
	byTable, found := map[*schema.Table]map[string]*Item{}, map[*Item]string{}
	for _, it := range batch {
		c := it.Change
		if c == nil || !c.Read || c.Row == nil || !c.Table.IsNote() || !c.Table.HasPatient() {
			continue
		}
		key, err := r.Deid.publishedKey(it, c.Row)
		if err != nil {
			continue // a key with the patient's shift in it is another one's key
		}
		if byTable[c.Table] == nil {
			byTable[c.Table] = map[string]*Item{}
		}
		byTable[c.Table][schema.RowKey(key)], found[it] = it, ""
	}
	for t, items := range byTable {
		rows, _ := r.Replica.Query(ctx, "select row_key, patient"+vault.OfRows, t.ID, t.TextNames(), slices.Collect(maps.Keys(items)))
		var row, patient string
		_, err := pgx.ForEachRow(rows, []any{&row, &patient}, func() error {
			found[items[row]] = patient
			return nil
		})
		if err != nil {
			return nil, fault.New("read what is published", connect.Lost(r.Replica, err), "")
		}
	}
	return found, nil
}
