package replicator

import (
	"context"
	"log/slog"
	"slices"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
)

// resolver finds out, for a batch of changes at a time, what the rows alone do not
// tell: whose they are, what is known of those patients, what was not sent.
type resolver struct {
	*lookups
	deid *deidentifier
	log  *slog.Logger
	// compare asks for what is published already, so that texts that did not change
	// are not de-identified again.
	compare bool

	tx        uint32          // the last transaction that changed records
	forgotten map[string]bool // the patients whose records it has changed; "" is all of them
	siteTx    uint32          // the last transaction that changed the directory
}

// resolve prepares a batch. Patients are pinned until release.
func (r *resolver) resolve(ctx context.Context, batch []*item) error {
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
	if r.compare {
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
	if r.compare {
		return r.readKnown(ctx, batch)
	}
	return nil
}

// forget drops from the caches what the batch's changes make stale. It comes
// before anything is loaded.
func (r *resolver) forget(ctx context.Context, batch []*item) error {
	site := r.siteTx
	for _, it := range batch {
		c := it.change
		if c == nil || c.read {
			continue
		}
		if c.table.tellsSite() {
			site = c.xid
		}
		if c.op == truncateOp && (len(c.table.lookups) > 0 || c.table.tellsPatient()) {
			r.forgetAll()
			continue
		}
		r.forgetPath(c)
	}
	if site == r.siteTx {
		return nil
	}
	err := r.refreshDirectory(ctx)
	if err == nil {
		r.siteTx = site // what was read has all of it
	}
	return err
}

// forgetAll drops everything that was read of patients and of what leads to them.
func (l *lookups) forgetAll() {
	l.pathGen.Add(1)
	l.paths.Purge()
	l.cache.forgetAll()
}

// patientsOf finds the source key of each item's patient, and drops from the cache
// the patients of whom the batch tells something new.
func (r *resolver) patientsOf(ctx context.Context, batch []*item) ([]string, error) {
	tables, rows := make([]*table, len(batch)), make([][]value, len(batch))
	for i, it := range batch {
		if it.change != nil && it.change.op != truncateOp {
			tables[i], rows[i] = it.change.table, it.change.row
			if rows[i] == nil {
				rows[i] = it.change.old
			}
		}
	}
	keys, several, err := r.patientKeys(ctx, tables, rows)
	if err != nil {
		return nil, err
	}
	for i, it := range batch {
		if it.change == nil || it.change.op == truncateOp {
			continue
		}
		if len(several[i]) > 0 && it.change.table.needsPatient(it.change.op) && it.change.op != deleteOp {
			it.reason = severalPatients
		}
		if err := r.keepWords(it, keys[i]); err != nil {
			return nil, err
		}
		if it.change.read {
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

// keepWords keeps the words of the record that a row itself has.
func (r *resolver) keepWords(it *item, key string) error {
	if key == "" || it.change.read || !it.change.table.tellsPatient() || it.change.row == nil {
		return nil
	}
	name, err := r.pseudonymOf(key)
	if err != nil {
		return fault.New("name a patient", err, "check patient_key of the mapping")
	}
	if it.words = r.rowEntries(it.change, name); len(it.words) > 0 {
		it.whose = name
		r.cache.tell(key, it.words)
	}
	return nil
}

// note notes what a change of the stream means for other notes of its patients: keys
// holds one key, "" where the patient is not known, or several.
func (r *resolver) note(it *item, keys []string) error {
	c := it.change
	if c.table.tellsPatient() {
		for _, key := range keys {
			r.forgetRecord(c.xid, key)
		}
		if keys[0] == "" {
			return nil
		}
	}
	it.leads = r.leads(c)
	if keys[0] == "" || !c.rewritesNotes() {
		return nil
	}
	for _, key := range keys {
		name, err := r.pseudonymOf(key)
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		it.tells = append(it.tells, &requeue{pseudonym: name, sourceKey: key, lsn: c.lsn})
	}
	return nil
}

// forgetRecord makes the next use load a patient anew, or all of them where the deletion
// of a row does not name one: once in a transaction, since what is loaded has all of it.
func (r *resolver) forgetRecord(tx uint32, key string) {
	if r.tx != tx || r.forgotten == nil {
		r.tx, r.forgotten = tx, map[string]bool{}
	}
	if r.forgotten[key] || r.forgotten[""] {
		return
	}
	r.forgotten[key] = true
	if key == "" {
		r.cache.forgetAll()
	} else {
		r.cache.forget(key)
	}
}

// rewritesNotes reports whether notes that are published already may look
// different after c, since a patient's record changed. The author of a note, in the
// note's own row, is no such change.
func (c *change) rewritesNotes() bool {
	t := c.table
	if !t.tellsPatient() || c.op == deleteOp { // to know less is no reason to read again
		return false
	}
	if !t.isNote() {
		return true
	}
	for _, i := range t.telling {
		switch t.columns[i].Tells {
		case "provider.name", "facility", "username":
		default:
			return true
		}
	}
	return false
}

// attach loads and pins the patients of the items that need one.
func (r *resolver) attach(ctx context.Context, batch []*item, keys []string) error {
	var wanted []string
	for i, it := range batch {
		switch {
		case it.change == nil || !it.change.table.needsPatient(it.change.op):
		case keys[i] != "":
			wanted = append(wanted, keys[i])
		case it.change.op != deleteOp && it.reason == "":
			it.reason = noPatient
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	found, err := r.load(ctx, wanted)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for i, it := range batch {
		p := found[keys[i]]
		if p == nil || it.change == nil || !it.change.table.needsPatient(it.change.op) {
			continue
		}
		if used[p.key] { // load pinned it once
			r.cache.hold(p)
		}
		used[p.key], it.patient = true, p
	}
	return nil
}

// needsPatient reports whether rows of t can't be published, or deleted, without
// knowing the patient.
func (t *table) needsPatient(o op) bool {
	if o != deleteOp {
		return t.personal && o != truncateOp
	}
	// A deletion only has to find the published key.
	return t.HasPatient() && slices.ContainsFunc(t.key, func(i int) bool {
		col := &t.columns[i]
		return col.Publish == config.Text || col.Publish == config.Surrogate || col.moves
	})
}

// release gives back what an item holds in the cache.
func (it *item) release(r *register) {
	if it.patient != nil {
		r.cache.unpin(it.patient)
		it.patient = nil
	}
}

// readKnown notes what provenance tells of the texts of rows.
func (r *resolver) readKnown(ctx context.Context, batch []*item) error {
	wanted, keys := map[*table]map[string]*item{}, map[*table][][]string{}
	for _, it := range batch {
		c := it.change
		if c == nil || it.fresh || !c.table.isNote() || c.row == nil {
			continue
		}
		key, err := r.deid.publishedKey(it, c.row)
		if err != nil {
			continue // it goes to quarantine later on
		}
		if wanted[c.table] == nil {
			wanted[c.table] = map[string]*item{}
		}
		wanted[c.table][rowKey(key)] = it
		keys[c.table] = append(keys[c.table], key)
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

func (r *resolver) readKnownTexts(ctx context.Context, t *table, items map[string]*item) error {
	rowKeys := make([]string, 0, len(items))
	for k, it := range items {
		rowKeys = append(rowKeys, k)
		it.known = make([]known, len(t.texts))
	}
	rows, err := r.replica.Query(ctx, `
		select column_name, row_key, patient, text_hmac, published_hmac, config_hash || '/' || version from deid.note_provenance
		where table_name = $1 and row_key = any($2)`, t.id, rowKeys)
	if err != nil {
		return fault.New("read what is published", connect.Lost(r.replica, err), "")
	}
	defer rows.Close()
	for rows.Next() {
		var column, row, patient string
		var k known
		if err := rows.Scan(&column, &row, &patient, &k.hmac, &k.published, &k.config); err != nil {
			return fault.New("read what is published", err, "")
		}
		for i, c := range t.texts {
			if it := items[row]; t.columns[c].Name == column && it.patient != nil && it.patient.pseudonym == patient {
				it.known[i] = k
			}
		}
	}
	return fault.New("read what is published", connect.Lost(r.replica, rows.Err()), "")
}
