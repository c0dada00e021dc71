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
	list, err := within.readings(ctx, "g.round = $2 and "+unsettled, reader, round)
	if err != nil {
		return 0, err
	}
	if notes := differing(list); len(notes) > 0 {
		return notes[0].place, nil
	}
	return 0, ErrDone
}

// unsettled is the condition of readings that are finished in a round that is open, of notes that nobody settles or has settled and that the
// reader $1 has not read.
const unsettled = `g.part = 'reviewer' and g.finished_at is not null
	and not exists (
		select from deid.review_reading o where o.round = g.round and o.place = g.place and (o.part = 'adjudicator' or o.reader = $1))
	and exists (select from deid.review_round r where r.id = g.round and r.closed_at is null)`

// toSettle counts, by round, the notes that two people decided differently and that the reader may settle, or has begun to.
func (s *Store) toSettle(ctx context.Context, reader string) (map[int64]int, error) {
	begun, err := s.readings(ctx, "g.reader = $1 and g.part = 'adjudicator' and g.finished_at is null", reader)
	if err != nil {
		return nil, err
	}
	list, err := s.readings(ctx, unsettled+` and exists (
		select from deid.review_reading o
		where o.round = g.round and o.place = g.place and o.reader <> g.reader and o.part = 'reviewer' and o.finished_at is not null)`, reader)
	if err != nil {
		return nil, err
	}
	count := map[int64]int{}
	for i := range begun {
		count[begun[i].Round]++
	}
	for _, note := range differing(list) {
		count[note.round]++
	}
	return count, nil
}

// noteOf is a note of a round.
type noteOf struct {
	round int64
	place int
}

// differing returns the notes about which readings, in the order of rounds and places, say different things.
func differing(list []review.Reading) (notes []noteOf) {
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		at := noteOf{b.Round, b.Place}
		known := len(notes) > 0 && notes[len(notes)-1] == at
		if !known && a.Round == b.Round && a.Place == b.Place && len(review.Differences(a.Marks, b.Marks)) > 0 {
			notes = append(notes, at)
		}
	}
	return notes
}

// Reviews returns what reviewers decided about a note, of those who finished it, for who settles it.
func (s *Store) Reviews(ctx context.Context, round int64, place int) ([]review.Reading, error) {
	return s.readings(ctx, "g.round = $1 and g.place = $2 and g.part = 'reviewer' and g.finished_at is not null", round, place)
}
