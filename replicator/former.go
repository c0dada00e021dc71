package replicator

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// Two patients are merged, or a note is filed anew: the row is another patient's now, and
// what only the record of the former one knows would not be found in it any more. So
// the patient who takes over a row takes over the words of the other one's record, as the vault
// has them: for all notes, since after a merge any of them may have the other names. They
// are hashes bound to the former pseudonym, so it is a link that is stored.

// former is what a patient has taken over from another one.
type former struct {
	pseudonym string
	words     map[string]bool // hashes, as in recordEntry
}

// inherit finds rows that were published as another patient's, and links the two. It
// comes before the patients are loaded.
func (r *resolver) inherit(ctx context.Context, batch []*item, keys []string) error {
	published, err := r.publishedBefore(ctx, batch)
	if err != nil {
		return err
	}
	var patients, formers []string
	for i, it := range batch {
		was, asked := published[it]
		it.absent = asked && was == "" && it.only && it.background && (!it.refiled || it.change.hasText())
		if it.was != "" {
			was = it.was
		}
		if was == "" || keys[i] == "" {
			continue
		}
		name, err := r.pseudonymOf(keys[i])
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		if name == was {
			continue
		}
		patients, formers = append(patients, name), append(formers, was)
		r.cache.forget(keys[i])
		it.tells = []*requeue{{pseudonym: name, sourceKey: keys[i], lsn: it.change.lsn}}
	}
	if len(patients) == 0 {
		return nil
	}
	_, err = r.replica.Exec(ctx, `insert into deid.patient_former (patient, former)
		select distinct * from unnest($1::text[], $2::text[]) on conflict do nothing`, patients, formers)
	return fault.New("store whose rows a patient has taken over", connect.Lost(r.replica, err), "run 'pgdeid migrate up'")
}

// hasText reports whether a row has a text, and thus provenance where it is published.
func (c *change) hasText() bool {
	return slices.ContainsFunc(c.table.texts, func(i int) bool { return c.row[i].state != null })
}

// publishedBefore returns under which patients rows of notes that were read again are
// published, "" of those that are not.
func (r *resolver) publishedBefore(ctx context.Context, batch []*item) (map[*item]string, error) {
	byTable, found := map[*table]map[string]*item{}, map[*item]string{}
	for _, it := range batch {
		c := it.change
		if c == nil || !c.read || c.row == nil || !c.table.isNote() || !c.table.HasPatient() {
			continue
		}
		key, err := r.deid.publishedKey(it, c.row)
		if err != nil {
			continue // a key with the patient's shift in it is another one's key
		}
		if byTable[c.table] == nil {
			byTable[c.table] = map[string]*item{}
		}
		byTable[c.table][rowKey(key)], found[it] = it, ""
	}
	for t, items := range byTable {
		rows, err := r.replica.Query(ctx, `select row_key, patient from deid.note_provenance where table_name = $1 and row_key = any($2)`,
			t.id, slices.Collect(maps.Keys(items)))
		if err != nil {
			return nil, fault.New("read what is published", connect.Lost(r.replica, err), "")
		}
		var row, patient string
		_, err = pgx.ForEachRow(rows, []any{&row, &patient}, func() error {
			found[items[row]] = patient
			return nil
		})
		if err != nil {
			return nil, fault.New("read what is published", connect.Lost(r.replica, err), "")
		}
	}
	return found, nil
}

// readFormer fills in what patients have taken over, also at second hand.
func (l *lookups) readFormer(ctx context.Context, pseudonyms []string, into map[string]*patient) error {
	const op = "read whose rows a patient has taken over"
	rows, err := l.replica.Query(ctx, `
		with recursive f (patient, former) as (
			select patient, former from deid.patient_former where patient = any($1)
			union
			select f.patient, p.former from f join deid.patient_former p on p.patient = f.former)
		select f.patient, f.former, s.original_hmac from f join deid.surrogate s on s.patient = f.former and s.kind = $2
		where f.former <> f.patient order by 1, 2`, pseudonyms, vault.RecordKind)
	if err != nil {
		return fault.New(op, connect.Lost(l.replica, err), "run 'pgdeid migrate up'")
	}
	var name, was string
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &was, &hash}, func() error {
		into[name].takeOver(was, string(hash))
		return nil
	})
	return fault.New(op, connect.Lost(l.replica, err), "")
}

func (p *patient) takeOver(was, hash string) {
	if n := len(p.formers); n == 0 || p.formers[n-1].pseudonym != was {
		p.formers = append(p.formers, former{pseudonym: was, words: map[string]bool{}})
	}
	p.formers[len(p.formers)-1].words[hash] = true
}

// tookOver reports whether a word is one of those that the patient has taken over.
func (r *register) tookOver(p *patient, word string) bool {
	return slices.ContainsFunc(p.formers, func(f former) bool { return f.words[string(r.recordEntry(f.pseudonym, word).Hash)] })
}

// takenOver lists the hashes that p has taken over, for a hash of all that is known.
func (p *patient) takenOver() []string {
	var list []string
	for _, f := range p.formers {
		list = append(append(list, f.pseudonym), slices.Sorted(maps.Keys(f.words))...)
	}
	return list
}
