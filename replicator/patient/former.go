package patient

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

// readFormer fills in what patients have taken over, also at second hand, and likewise what is known of ids that stand for them.
func (l *Lookups) readFormer(ctx context.Context, pseudonyms []string, into map[string]*Patient) error {
	patients, ids, err := l.standingFor(into)
	if err != nil {
		return err
	}
	const op = "read whose rows a patient has taken over"
	rows, _ := l.Replica.Query(ctx, `
		with recursive f (patient, former) as (
			(select patient, former from deid.patient_former where patient = any($1)
			union
			select * from unnest($3::text[], $4::text[]))
			union
			select f.patient, p.former from f join deid.patient_former p on p.patient = f.former)
		select f.patient, f.former, s.original_hmac from f left join deid.surrogate s on s.patient = f.former and s.kind = $2
		where f.former <> f.patient order by 1, 2`, pseudonyms, vault.RecordKind, patients, ids)
	var name, was string
	var hash []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &was, &hash}, func() error {
		if into[name].takeOver(was) { // the first of this one
			for _, e := range l.Cache.fresh(was) {
				into[name].addFormer(string(e.Hash))
			}
		}
		if hash != nil {
			into[name].addFormer(string(hash))
		}
		return nil
	})
	return fault.New(op, connect.Lost(l.Replica, err), "run 'pgdeid migrate up'")
}

// standingFor returns the pseudonyms of ids that stand for patients, with those of the patients.
func (l *Lookups) standingFor(into map[string]*Patient) (patients, ids []string, err error) {
	patients, ids = []string{}, []string{}
	for name, p := range into {
		for _, id := range l.Merges.Members(p.Key) {
			if id == p.Key {
				continue
			}
			other, err := l.PseudonymOf(id)
			if err != nil {
				return nil, nil, fault.New("name a patient", err, "check patient_key of the mapping")
			}
			patients, ids = append(patients, name), append(ids, other)
		}
	}
	return patients, ids, nil
}

// takeOver notes that p has taken over rows of another patient, and reports whether that
// is new.
func (p *Patient) takeOver(was string) bool {
	if n := len(p.formers); n > 0 && p.formers[n-1].pseudonym == was {
		return false
	}
	p.formers = append(p.formers, former{pseudonym: was, words: map[string]bool{}})
	return true
}

// addFormer adds the hash of a word to those of the last patient taken over.
func (p *Patient) addFormer(hash string) { p.formers[len(p.formers)-1].words[hash] = true }

// tookOver reports whether a word is one of those that the patient has taken over.
func (r *Register) tookOver(p *Patient, word string) bool {
	return slices.ContainsFunc(p.formers, func(f former) bool { return f.words[string(r.recordEntry(f.pseudonym, word).Hash)] })
}

// takenOver lists the hashes that p has taken over, for a hash of all that is known.
func (p *Patient) takenOver() []string {
	var list []string
	for _, f := range p.formers {
		list = append(append(list, f.pseudonym), slices.Sorted(maps.Keys(f.words))...)
	}
	return list
}
