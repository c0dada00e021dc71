package deid

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/guard"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// ResolveEach resolves a batch. Where that breaks, it does so item by item, and what
// breaks alone is set aside.
func (r *Resolver) ResolveEach(ctx context.Context, batch []*Item) error {
	err := ensemble.Guarded("the lookup of rows", func() error { return r.Resolve(ctx, batch) })
	if !guard.Report(r.Log, err) {
		return err
	}
	for _, it := range batch {
		r.startOver(it)
	}
	if len(batch) > 1 {
		for i := range batch {
			if err := r.ResolveEach(ctx, batch[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	it := batch[0]
	if it.Change == nil {
		return err
	}
	// What its row says of a patient is not known, so nothing that was read is used.
	r.ForgetAll()
	r.Log.Error("a row could not be looked up and is set aside", "table", it.Change.Table.ID)
	it.Reason = vault.Broken
	return nil
}

// Resolver finds out, for a batch of changes at a time, what the rows alone do not
// tell: whose they are, what is known of those patients, what was not sent.
type Resolver struct {
	phi.Redacted

	*patient.Lookups
	Deid *Deidentifier
	Log  *slog.Logger
	// Compare asks for what is published already, so that texts that did not change
	// are not de-identified again.
	Compare bool

	tx        uint32          // the last transaction that changed records
	forgotten map[string]bool // the patients whose records it has changed; "" is all of them
	siteTx    uint32          // the last transaction that changed the directory
	gathered  gathering       // notes of many rows that were read
}

// Resolve prepares a batch. Patients are pinned until release.
func (r *Resolver) Resolve(ctx context.Context, batch []*Item) error {
	if err := r.await(ctx, batch); err != nil {
		return err
	}
	if err := r.forget(ctx, batch); err != nil {
		return err
	}
	if err := r.reread(ctx, batch); err != nil {
		return err
	}
	keys, err := r.patientsOf(ctx, batch)
	if err != nil {
		return err
	}
	if r.Compare {
		if err := r.inherit(ctx, batch, keys); err != nil {
			return err
		}
	}
	if err := r.attach(ctx, batch, keys); err != nil {
		return err
	}
	if err := r.findLacking(ctx, batch); err != nil {
		return err
	}
	if r.Compare {
		return r.readKnown(ctx, batch)
	}
	return nil
}

// forget drops from the caches what the batch's changes make stale. It comes
// before anything is loaded.
func (r *Resolver) forget(ctx context.Context, batch []*Item) error {
	site := r.siteTx
	for _, it := range batch {
		c := it.Change
		if c == nil || c.Read {
			continue
		}
		if c.Table.TellsSite() {
			site = c.XID
		}
		if c.Op == schema.TruncateOp && (len(c.Table.Lookups) > 0 || c.Table.TellsPatient()) {
			r.ForgetAll()
			continue
		}
		r.ForgetPath(c)
	}
	if site == r.siteTx {
		return nil
	}
	err := r.RefreshDirectory(ctx)
	if err == nil {
		r.siteTx = site // what was read has all of it
	}
	return err
}

// patientsOf finds the source key of each item's patient, and drops from the cache
// the patients of whom the batch has something new.
func (r *Resolver) patientsOf(ctx context.Context, batch []*Item) ([]string, error) {
	tables, rows := make([]*schema.Table, len(batch)), make([][]schema.Value, len(batch))
	for i, it := range batch {
		if it.Change != nil && it.Change.Op != schema.TruncateOp {
			tables[i], rows[i] = it.Change.Table, it.Change.Row
			if rows[i] == nil {
				rows[i] = it.Change.Old
			}
		}
	}
	keys, several, err := r.PatientIDs(ctx, tables, rows)
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(keys)
	r.FollowMerges(keys, several)
	excluded, err := r.Excluded(ctx, r.Replica, keys)
	if err != nil {
		return nil, connect.Lost(r.Replica, err)
	}
	for i, it := range batch {
		if it.Change == nil || it.Change.Op == schema.TruncateOp {
			continue
		}
		if err := r.own(it, keys[i], excluded); err != nil {
			return nil, err
		}
		if len(several[i]) > 0 && it.Change.Table.NeedsPatient(it.Change.Op) && it.Change.Op != schema.DeleteOp {
			it.Reason = vault.SeveralPatients
		}
		if err := r.keepWords(it, cmp.Or(ids[i], keys[i])); err != nil {
			return nil, err
		}
		if it.Change.Read {
			continue
		}
		whose := several[i] // an address that is shared is in the record of each
		if len(whose) == 0 {
			whose = keys[i : i+1]
		}
		if err := r.note(it, whose); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// own says whose a row is, and whether that patient stays out of the replica. What is
// known of that here may be older than the row: the committer has the last word, and a patient who
// comes back is read again as a whole.
func (r *Resolver) own(it *Item, key string, excluded map[string]bool) (err error) {
	if key == "" {
		return nil
	}
	it.OwnerKey = key
	it.LeftOut = excluded[key] && len(it.Change.Table.Filters) == 0 // it may say itself that it is not
	it.Owner, err = r.PseudonymOf(key)
	return fault.New("name a patient", err, "check patient_key of the mapping")
}

// keepWords keeps the words of the record that a row itself has: also one of the first
// copy, since records are read as they are now and not as they were in its snapshot. They are those of
// the row's own patient id, whomever that stands for now or later.
func (r *Resolver) keepWords(it *Item, id string) error {
	if id == "" || !it.Change.Table.TellsPatient() || it.Change.Row == nil {
		return nil
	}
	name, err := r.PseudonymOf(id)
	if err != nil {
		return fault.New("name a patient", err, "check patient_key of the mapping")
	}
	if it.Words = r.RowEntries(it.Change, name); len(it.Words) > 0 {
		it.Whose, it.WhoseKey = name, id
		// Those of the first copy are in the vault before the next table is copied. A patient who is left out may be back before
		// the row is committed.
		if !it.Change.Read {
			it.HeldWords = r.Cache.AddWords(id, name, it.Words)
		}
	}
	return nil
}

// note notes what a change of the stream means for other notes of its patients: keys
// holds one key, "" where the patient is not known, or several.
func (r *Resolver) note(it *Item, keys []string) error {
	c := it.Change
	it.Leads = r.Leads(c)
	if c.Table.TellsPatient() && (c.Op != schema.InsertOp || c.FillsRecord()) {
		for _, key := range keys {
			r.forgetRecord(c.XID, key)
		}
	}
	if keys[0] == "" || !c.RewritesNotes() {
		return nil
	}
	for _, key := range keys {
		name, err := r.PseudonymOf(key)
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		it.Requests = append(it.Requests, &Requeue{Pseudonym: name, SourceKey: key, LSN: c.LSN})
	}
	return nil
}

// forgetRecord makes the next use load a patient anew, or all of them where the deletion
// of a row does not name one: once in a transaction, since what is loaded has all of it.
func (r *Resolver) forgetRecord(tx uint32, key string) {
	if r.tx != tx || r.forgotten == nil {
		r.tx, r.forgotten = tx, map[string]bool{}
	}
	if r.forgotten[key] || r.forgotten[""] {
		return
	}
	r.forgotten[key] = true
	if key == "" {
		r.Cache.ForgetAll()
	} else {
		r.Cache.Forget(key)
	}
}

// attach loads and pins the patients of the items that need one.
func (r *Resolver) attach(ctx context.Context, batch []*Item, keys []string) error {
	var wanted []string
	for i, it := range batch {
		switch {
		case it.Change == nil || it.LeftOut || !it.Change.Table.NeedsPatient(it.Change.Op):
		case keys[i] != "":
			wanted = append(wanted, keys[i])
		case it.Change.Op != schema.DeleteOp && it.Reason == "":
			it.Reason = vault.NoPatient
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := r.Load(ctx, wanted)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for i, it := range batch {
		p := found[keys[i]]
		if p == nil || it.Change == nil || it.LeftOut || !it.Change.Table.NeedsPatient(it.Change.Op) {
			continue
		}
		if used[p.Key] { // load pinned it once
			r.Cache.Hold(p)
		}
		used[p.Key], it.Patient = true, p
	}
	return nil
}

// readKnown notes what provenance has of the texts of rows.
func (r *Resolver) readKnown(ctx context.Context, batch []*Item) error {
	wanted, keys := map[*schema.Table]map[string]*Item{}, map[*schema.Table][][]string{}
	for _, it := range batch {
		c := it.Change
		if c == nil || it.LeftOut || it.Fresh || !c.Table.IsNote() || c.Row == nil {
			continue
		}
		key, err := r.Deid.publishedKey(it, c.Row)
		if err != nil {
			continue // it goes to quarantine later on
		}
		if wanted[c.Table] == nil {
			wanted[c.Table] = map[string]*Item{}
		}
		wanted[c.Table][schema.RowKey(key)] = it
		keys[c.Table] = append(keys[c.Table], key)
	}
	for t, items := range wanted {
		if err := r.readKnownTexts(ctx, t, items); err != nil {
			return err
		}
		if err := r.forgetChanged(ctx, t, items, keys[t]); err != nil {
			return err
		}
	}
	return nil
}

func (r *Resolver) readKnownTexts(ctx context.Context, t *schema.Table, items map[string]*Item) error {
	rowKeys := make([]string, 0, len(items))
	for k, it := range items {
		rowKeys = append(rowKeys, k)
		it.known = make([]known, len(t.Texts))
	}
	rows, err := r.Replica.Query(ctx, "select column_name, row_key, patient, text_hmac, published_hmac, config_hash || '/' || version"+
		vault.OfRows, t.ID, t.TextNames(), rowKeys)
	if err != nil {
		return fault.New("read what is published", connect.Lost(r.Replica, err), "")
	}
	defer rows.Close()
	for rows.Next() {
		var column, row, patient string
		var k known
		if err := rows.Scan(&column, &row, &patient, &k.hmac, &k.published, &k.config); err != nil {
			return fault.New("read what is published", err, "")
		}
		for i, c := range t.Texts {
			if it := items[row]; t.Columns[c].Name == column && it.Patient != nil && it.Patient.Pseudonym == patient {
				it.known[i] = k
			}
		}
	}
	return fault.New("read what is published", connect.Lost(r.Replica, rows.Err()), "")
}
