package patient

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/lexicon"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Words that left a record, or the directory, are known as hashes of a key alone (recall.go). Another key can't
// make its hashes of these. But while the key is changed all notes are read once more, with both keys at hand: a word of
// a note that the key before knows is searched for as if it still were in the record, and its hash under the next
// key is stored with the note. What no note has is forgotten, as if the replica had been made with the next
// key. A word of the directory is kept for the patient in whose note it was.

// Before is what the key of the epoch before knows. It is safe for concurrent use; nil knows nothing.
type Before struct {
	phi.Redacted

	key  *surrogate.Key
	site map[string]bool // hashes of words that ever were in the directory
}

// NewBefore returns what a key knows, before anything was read.
func NewBefore(key *surrogate.Key) *Before { return &Before{key: key, site: map[string]bool{}} }

const beforeHint = "run 'pgdeid migrate up'"

// ReadSite reads the words of the directory.
func (b *Before) ReadSite(ctx context.Context, replica *pgx.Conn) error {
	const op = "read what the key before knows of the directory"
	rows, _ := replica.Query(ctx, "select hash from deid.rotation_word where kind = 'directory'")
	var hash []byte
	_, err := pgx.ForEachRow(rows, []any{&hash}, func() error {
		b.site[string(hash)] = true
		return nil
	})
	return fault.New(op, connect.Lost(replica, err), beforeHint)
}

// PseudonymOf returns the key of a patient as it was published before.
func (b *Before) PseudonymOf(cfg *config.Config, key string) (string, error) {
	return Pseudonym(b.key, cfg.PatientKey, config.PatientDomain, key)
}

// readBefore fills in what the key before knows of patients.
func (l *Lookups) readBefore(ctx context.Context, list []*Patient) error {
	const op = "read what the key before knows of patients"
	if l.Before == nil || len(list) == 0 {
		return nil
	}
	names, byName := make([]string, len(list)), map[string]*Patient{}
	for i, p := range list {
		name, err := l.Before.PseudonymOf(l.Plan.Config, p.Key)
		if err != nil {
			return fault.New("name a patient", err, "check patient_key of the mapping")
		}
		names[i], byName[name] = name, p
	}
	rows, _ := l.Replica.Query(ctx, `
		with recursive f (patient, former) as (
			select n, n from unnest($1::text[]) n
			union
			select f.patient, p.former from f join deid.rotation_former p on p.patient = f.former)
		select f.patient, f.former, w.hash from f join deid.rotation_word w on w.kind = 'record' and w.patient = f.former
		order by 1, 2`, names)
	var name, was string
	var hash []byte
	_, err := pgx.ForEachRow(rows, []any{&name, &was, &hash}, func() error {
		p := byName[name]
		if n := len(p.before); n == 0 || p.before[n-1].pseudonym != was {
			p.before = append(p.before, former{pseudonym: was, words: map[string]bool{}})
		}
		p.before[len(p.before)-1].words[string(hash)] = true
		return nil
	})
	return fault.New(op, connect.Lost(l.Replica, err), beforeHint)
}

// knows reports whether the key before knows words that may be in a text of a patient.
func (b *Before) knows(p *Patient) bool { return b != nil && (len(p.before) > 0 || len(b.site) > 0) }

// met reports whether the key before knows a word that neither the patient's record nor the directory has now.
func (b *Before) met(r *Register, p *Patient, site *Directory, word string) bool {
	if !b.knows(p) || p.Remember(r).now[string(r.recordEntry(p.Pseudonym, word).Hash)] {
		return false
	}
	for _, f := range p.before {
		if f.words[string(wordHash(b.key, f.pseudonym, word))] {
			return true
		}
	}
	return len(b.site) > 0 && b.site[siteWord(b.key, word)] && !site.words[siteWord(r.Key, word)]
}

// carryOver keeps a word under the next key, stored with the row at hand.
func (r *Register) carryOver(p *Patient, word string) {
	p.Ledger.Add([]surrogate.Entry{r.recordEntry(p.Pseudonym, word)})
}

// wordHash returns the hash under which a key keeps a word of a patient's record.
func wordHash(key *surrogate.Key, pseudonym, word string) []byte {
	return key.HMAC("record word", pseudonym, lexicon.Fold(word))[:16]
}
