package admin

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/acceptance"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/report"
	"github.com/pgdeid/pgdeid/internal/review/store"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// ReadRound returns what the vault has of a round of review and its notes.
func ReadRound(ctx context.Context, cfg *config.Config, key *surrogate.Key, name string) (*report.Input, error) {
	in := &report.Input{}
	err := withVault(ctx, cfg, func(conn *pgx.Conn) error {
		rounds := store.New(conn, key)
		id, err := rounds.Named(ctx, name)
		if err != nil {
			return err
		}
		if in.Round, err = rounds.Round(ctx, id); err != nil {
			return err
		}
		if err := rounds.Items(ctx, id, func(it review.Item) error { in.Items = append(in.Items, it); return nil }); err != nil {
			return err
		}
		if in.Readings, err = rounds.Readings(ctx, id); err != nil {
			return err
		}
		in.Made, err = MadeOf(ctx, vault.NewReader(conn, key), in.Items)
		return err
	})
	return in, err
}

// ReadPhrases returns the phrases of the site that count, and their version; 0: there never were any.
func ReadPhrases(ctx context.Context, cfg *config.Config, key *surrogate.Key) (list []review.Phrase, version int, err error) {
	err = withVault(ctx, cfg, func(conn *pgx.Conn) error {
		list, version, err = store.New(conn, key).Phrases(ctx)
		return err
	})
	return list, version, err
}

// ChangePhrases changes the phrases of the site. Programs that run use them from their next start on.
func ChangePhrases(ctx context.Context, cfg *config.Config, key *surrogate.Key, c store.PhraseChange) (res store.PhraseResult, err error) {
	err = withVault(ctx, cfg, func(conn *pgx.Conn) error {
		res, err = store.New(conn, key).ChangePhrases(ctx, c)
		return err
	})
	return res, err
}

// PublishedTexts passes how published texts were made; [vault.Reader] has it.
type PublishedTexts interface {
	Texts(ctx context.Context, of vault.Filter, each func(vault.MadeText) error) error
	Sample(ctx context.Context, n int, each func(vault.MadeText) error) error
}

// MadeOf returns how the published texts of a round's notes were made, by their places in it.
func MadeOf(ctx context.Context, v PublishedTexts, items []review.Item) (map[int]report.Made, error) {
	made := map[int]report.Made{}
	for _, it := range items {
		of := vault.Filter{Patient: it.Patient, Table: it.Note.Table, Key: it.Note.Row}
		err := v.Texts(ctx, of, func(t vault.MadeText) error {
			if t.Column == it.Note.Column {
				made[it.Place] = report.Made{Version: t.Version, Config: t.Config, At: t.At}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return made, nil
}

// IdentifiersPerNote returns how many identifiers of some types the published texts of a table's column have: mean and spread, of
// those among about as many texts as asked for, chosen at random, and of how many.
func IdentifiersPerNote(
	ctx context.Context, v PublishedTexts, of review.Note, in acceptance.Types, sample int,
) (mean, spread float64, texts int, err error) {
	var counts []int
	err = v.Sample(ctx, sample, func(t vault.MadeText) error {
		if t.Table != of.Table || t.Column != of.Column {
			return nil
		}
		n := 0
		for _, s := range t.Spans {
			typ, err := phi.ParseType(s.Type)
			if err != nil {
				return err
			}
			if in(typ) {
				n++
			}
		}
		counts = append(counts, n)
		return nil
	})
	mean, spread = acceptance.PerNote(counts)
	return mean, spread, len(counts), err
}
