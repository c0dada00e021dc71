package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

// Settle takes a note in hand that two people have read and decided differently, for somebody who was none of them: one
// that the person has begun, or else the first that nobody settles. The error is [ErrDone] where there is none.
func (s *Store) Settle(ctx context.Context, round int64, reader string) (place int, err error) {
	return s.take(ctx, round, func(tx pgx.Tx) (place int, err error) {
		err = tx.QueryRow(ctx, `
		select place from deid.review_reading
		where round = $1 and reader = $2 and part = 'adjudicator' and finished_at is null order by place limit 1`, round, reader).Scan(&place)
		if errors.Is(err, pgx.ErrNoRows) {
			if place, err = s.firstDifference(ctx, tx, round, reader); err == nil {
				err = s.begin(ctx, tx, round, place, reader, review.Adjudicator)
			}
		}
		return place, fault.New(takeOp, err, upHint)
	})
}

// firstDifference finds the first note that two people decided differently and nobody settles.
func (s *Store) firstDifference(ctx context.Context, tx pgx.Tx, round int64, reader string) (int, error) {
	within := &Store{tx, s.key}
	list, err := within.readings(ctx, `
		g.round = $1 and g.part = 'reviewer' and g.finished_at is not null and not exists (
			select from deid.review_reading o where o.round = g.round and o.place = g.place and (o.part = 'adjudicator' or o.reader = $2))
		and exists (select from deid.review_round r where r.id = g.round and r.closed_at is null)`, round, reader)
	if err != nil {
		return 0, err
	}
	for i := 1; i < len(list); i++ {
		if list[i].Place == list[i-1].Place && len(review.Differences(list[i-1].Marks, list[i].Marks)) > 0 {
			return list[i].Place, nil
		}
	}
	return 0, ErrDone
}

// Reviews returns what reviewers decided about a note, of those who finished it, for who settles it.
func (s *Store) Reviews(ctx context.Context, round int64, place int) ([]review.Reading, error) {
	return s.readings(ctx, "g.round = $1 and g.place = $2 and g.part = 'reviewer' and g.finished_at is not null", round, place)
}
