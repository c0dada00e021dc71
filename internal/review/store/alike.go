package store

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

const alikePurpose = "review member"

// sentence is what is sealed of a sentence of a cluster. It prints itself redacted.
type sentence struct {
	phi.Redacted

	Key   []string `json:"k"`
	Start int      `json:"s"`
	End   int      `json:"e"`
	Words []byte   `json:"w"`
}

func alikeRow(it *review.Item) []string { return append(itemRow(it), strconv.Itoa(it.Member)) }

// insertAlike stores the sentences of clusters.
func (s *Store) insertAlike(ctx context.Context, tx pgx.Tx, items []review.Item) error {
	var rows [][]any
	for i := range items {
		for n, a := range items[i].Alike {
			it := a.Item
			it.Round, it.Place, it.Member = items[i].Round, items[i].Place, n
			rows = append(rows, []any{
				it.Round, it.Place, it.Member, it.Note.Table, it.Note.Column, it.Note.Row, it.Patient,
				s.seal(sentence{Key: it.Key, Start: a.Start, End: a.End, Words: a.Words}, alikePurpose, alikeRow(&it)...),
			})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	columns := []string{"round", "place", "member", "table_name", "column_name", "row_key", "patient", "sealed"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"deid", "review_member"}, columns, pgx.CopyFromRows(rows))
	return err
}

// Alike returns the sentences of the cluster that a note leads, its own first; none where it leads none.
func (s *Store) Alike(ctx context.Context, round int64, place int) ([]review.Alike, error) {
	const op = "read the sentences of a cluster"
	rows, err := s.db.Query(ctx, `
		select member, table_name, column_name, row_key, patient, sealed from deid.review_member
		where round = $1 and place = $2 order by member`, round, place)
	if err != nil {
		return nil, fault.New(op, err, upHint)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a review.Alike, err error) {
		it := &a.Item
		it.Round, it.Place = round, place
		var sealed []byte
		if err := row.Scan(&it.Member, &it.Note.Table, &it.Note.Column, &it.Note.Row, &it.Patient, &sealed); err != nil {
			return a, err
		}
		var one sentence
		err = s.open(sealed, &one, alikePurpose, alikeRow(it)...)
		it.Key, a.Start, a.End, a.Words = one.Key, one.Start, one.End, one.Words
		return a, err
	})
	return list, fault.New(op, err, sealedHint)
}

// AlikeRepaired returns in how many notes with sentences of a cluster a reader has repaired something that counts.
func (s *Store) AlikeRepaired(ctx context.Context, round int64, place int, reader string) (notes int, err error) {
	err = s.db.QueryRow(ctx, `
		select count(*) from (select distinct table_name, column_name, row_key from deid.review_member where round = $1 and place = $2) m
		where exists (select from deid.review_repair r where r.table_name = m.table_name and r.column_name = m.column_name
			and r.row_key = m.row_key and r.scope = 'here' and r.made_by = $3 and r.taken_by is null)`, round, place, reader).Scan(&notes)
	return notes, fault.New("count the repairs of a cluster", err, upHint)
}

// SentenceHash returns the keyed hash of a sentence of a cluster.
func (s *Store) SentenceHash(words string) []byte { return review.Hashes{Key: s.key}.Sentence(words) }
