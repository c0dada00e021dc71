package store

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/site"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

const phrasePurpose = "site phrase"

// phrasesLock is the advisory lock of who changes the site's phrases.
const phrasesLock = 0x7067646570

// phraseID returns the keyed hash of a phrase's words: one phrase is listed once, whatever its case and marks.
func (s *Store) phraseID(phrase string) []byte {
	return s.key.HMAC(phrasePurpose, strings.Join(site.Words(phrase), " "))[:16]
}

// Phrases returns the phrases of the site that count, in the order of their words, and their version; 0: there never were any.
func (s *Store) Phrases(ctx context.Context) (list []review.Phrase, version int, err error) {
	const op = "read the phrases of the site"
	if err := s.db.QueryRow(ctx, "select coalesce(max(version), 0) from deid.site_version").Scan(&version); err != nil {
		return nil, 0, fault.New(op, err, upHint)
	}
	rows, err := s.db.Query(ctx, "select id, sealed from deid.site_phrase where retired is null order by id")
	if err != nil {
		return nil, 0, fault.New(op, err, upHint)
	}
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (p review.Phrase, err error) {
		var id, sealed []byte
		if err := row.Scan(&id, &sealed); err != nil {
			return p, err
		}
		return p, s.open(sealed, &p, phrasePurpose, hex.EncodeToString(id))
	})
	return list, version, fault.New(op, err, sealedHint)
}

// PhraseChange is what is done to the phrases of the site.
type PhraseChange struct {
	Add    []review.Phrase // one that is listed already takes the place of the former
	Retire []string        // phrases
	By     string
}

// PhraseResult says what a change did. Version is that of the phrases after it.
type PhraseResult struct {
	Version int `json:"version"`
	Added   int `json:"added"`
	Retired int `json:"retired"`
}

// ErrNoPhrase means that a phrase to be taken off is not listed.
var ErrNoPhrase = errors.New("a phrase that is to be taken off is not listed")

// ChangePhrases changes the phrases of the site in one transaction.
func (s *Store) ChangePhrases(ctx context.Context, c PhraseChange) (res PhraseResult, err error) {
	const op = "change the phrases of the site"
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return res, fault.New(op, err, "")
	}
	defer rollback(tx)
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(phrasesLock)); err != nil {
		return res, fault.New(op, err, "")
	}
	if err := tx.QueryRow(ctx, "select coalesce(max(version), 0) + 1 from deid.site_version").Scan(&res.Version); err != nil {
		return res, fault.New(op, err, upHint)
	}
	_, err = tx.Exec(ctx, "insert into deid.site_version (version, made_by, added, retired) values ($1, $2, $3, $4)",
		res.Version, c.By, len(c.Add), len(c.Retire))
	if err != nil {
		return res, fault.New(op, err, upHint)
	}
	if err := s.retire(ctx, tx, c.Retire, res.Version); err != nil {
		return res, fault.New(op, err, "'pgdeid review phrases show' lists them")
	}
	for i := range c.Add {
		if err := s.add(ctx, tx, &c.Add[i], res.Version); err != nil {
			return res, fault.New(op, err, upHint)
		}
	}
	res.Added, res.Retired = len(c.Add), len(c.Retire)
	return res, fault.New(op, tx.Commit(ctx), "")
}

func (s *Store) retire(ctx context.Context, tx pgx.Tx, phrases []string, version int) error {
	for _, p := range phrases {
		tag, err := tx.Exec(ctx, "update deid.site_phrase set retired = $1 where id = $2 and retired is null", version, s.phraseID(p))
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNoPhrase
		}
	}
	return nil
}

func (s *Store) add(ctx context.Context, tx pgx.Tx, p *review.Phrase, version int) error {
	id := s.phraseID(p.Text)
	if _, err := tx.Exec(ctx, "update deid.site_phrase set retired = $1 where id = $2 and retired is null", version, id); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "insert into deid.site_phrase (id, added, sealed) values ($1, $2, $3)",
		id, version, s.seal(p, phrasePurpose, hex.EncodeToString(id)))
	return err
}
