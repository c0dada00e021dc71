package store

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

// ErrFinished means that a reading was finished before, which nothing changes any more.
var ErrFinished = errors.New("the note was finished before")

// ErrDone means that nothing of a round is left for a reader.
var ErrDone = errors.New("nothing is left to read")

// roundLock is the advisory lock of who takes a note of a round in hand.
const roundLock = 0x70676472

const takeOp = "take a note in hand"

// take has choose take a note of a round in hand while nobody else takes one of it: two readers must not get the same place
// of a note that one of them is to read.
func (s *Store) take(ctx context.Context, round int64, choose func(tx pgx.Tx) (place int, err error)) (place int, err error) {
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return 0, fault.New(takeOp, err, "")
	}
	defer rollback(tx)
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1, $2::int)", roundLock, int32(round&0x7fffffff)); err != nil {
		return 0, fault.New(takeOp, err, "")
	}
	place, err = choose(tx)
	if err != nil {
		return 0, err
	}
	return place, fault.New(takeOp, tx.Commit(ctx), "")
}

// Next takes the next note of a round in hand for a reader: one that the reader has begun, or else the first that
// fewer people have read than should, or have in hand. The error is [ErrDone] where there is none.
func (s *Store) Next(ctx context.Context, round int64, reader string) (place int, err error) {
	return s.take(ctx, round, func(tx pgx.Tx) (place int, err error) {
		err = tx.QueryRow(ctx, `
		select i.place from deid.review_item i join deid.review_round r on r.id = i.round
		left join deid.review_reading own on own.round = i.round and own.place = i.place and own.reader = $2
		where i.round = $1 and r.closed_at is null and own.finished_at is null and (own.reader is not null or (
			select count(*) from deid.review_reading g where g.round = i.round and g.place = i.place and g.part = 'reviewer'
				and (g.finished_at is not null or `+inHand+`)) < r.readers)
		order by own.reader is null, i.place limit 1`, round, reader).Scan(&place)
		if errors.Is(err, pgx.ErrNoRows) {
			return 0, ErrDone
		}
		if err != nil {
			return 0, fault.New(takeOp, err, upHint)
		}
		return place, s.begin(ctx, tx, round, place, reader, review.Reviewer)
	})
}

// begin stores a reading without marks, unless the reader has begun it before.
func (s *Store) begin(ctx context.Context, tx pgx.Tx, round int64, place int, reader string, part review.Part) error {
	_, err := tx.Exec(ctx, `
		insert into deid.review_reading (round, place, reader, part, sealed) values ($1, $2, $3, $4, $5)
		on conflict (round, place, reader) do update set saved_at = now() where deid.review_reading.finished_at is null`,
		round, place, reader, string(part), s.seal([]review.Mark(nil), readingPurpose, readingRow(round, place, reader)...))
	return fault.New(takeOp, err, upHint)
}

const readingPurpose = "review reading"

func readingRow(round int64, place int, reader string) []string {
	return []string{strconv.FormatInt(round, 10), strconv.Itoa(place), reader}
}

// Save stores what a reader has decided so far, of a note that was taken in hand, and whether the reader is done with it.
// The error is [ErrFinished] where that was so before, and [ErrNone] where the reader does not have the note in hand.
func (s *Store) Save(ctx context.Context, r review.Reading, finished bool) error {
	const op = "store what was decided"
	tag, err := s.db.Exec(ctx, `
		update deid.review_reading g set saved_at = now(), finished_at = case when $6 then now() end, text_hmac = $4, sealed = $5
		from deid.review_round r
		where g.round = $1 and g.place = $2 and g.reader = $3 and g.finished_at is null and r.id = g.round and r.closed_at is null`,
		r.Round, r.Place, r.Reader, r.Text, s.seal(r.Marks, readingPurpose, readingRow(r.Round, r.Place, r.Reader)...), finished)
	if err != nil {
		return fault.New(op, err, upHint)
	}
	if tag.RowsAffected() == 1 {
		return nil
	}
	was, err := s.Reading(ctx, r.Round, r.Place, r.Reader)
	if err == nil && !was.FinishedAt.IsZero() {
		err = ErrFinished
	} else if err == nil {
		err = ErrDone // the round is closed
	}
	return fault.New(op, err, "go on with the next note")
}

// Reading returns what one reader has decided about a note.
func (s *Store) Reading(ctx context.Context, round int64, place int, reader string) (review.Reading, error) {
	list, err := s.readings(ctx, "g.round = $1 and g.place = $2 and g.reader = $3", round, place, reader)
	if err == nil && len(list) == 0 {
		err = fault.New("read what was decided", ErrNone, "open the note from its round")
	}
	if err != nil {
		return review.Reading{}, err
	}
	return list[0], nil
}

// Readings returns what was decided about the notes of a round, in the order of their places and readers, of readings that
// are finished.
func (s *Store) Readings(ctx context.Context, round int64) ([]review.Reading, error) {
	return s.readings(ctx, "g.round = $1 and g.finished_at is not null", round)
}

func (s *Store) readings(ctx context.Context, where string, args ...any) ([]review.Reading, error) {
	const op = "read what was decided"
	rows, err := s.db.Query(ctx, `
		select g.round, g.place, g.reader, g.part, g.opened_at, g.saved_at, coalesce(g.finished_at, '0001-01-01'), g.text_hmac, g.sealed
		from deid.review_reading g where `+where+` order by g.round, g.place, g.part desc, g.reader`, args...)
	if err != nil {
		return nil, fault.New(op, err, upHint)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r review.Reading, err error) {
		var part string
		var sealed []byte
		if err := row.Scan(&r.Round, &r.Place, &r.Reader, &part, &r.OpenedAt, &r.SavedAt, &r.FinishedAt, &r.Text, &sealed); err != nil {
			return r, err
		}
		r.Part, r.FinishedAt = review.Part(part), zeroed(r.FinishedAt)
		return r, s.open(sealed, &r.Marks, readingPurpose, readingRow(r.Round, r.Place, r.Reader)...)
	})
	return list, fault.New(op, err, sealedHint)
}
