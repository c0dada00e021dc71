package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

// Outcome says what became of an attempt to look at a note.
type Outcome string

// The outcomes.
const (
	Shown   Outcome = "shown"
	Refused Outcome = "refused" // by the source, to the reader's role
	Gone    Outcome = "gone"    // the source does not have it, or does not let the role see it
	Failed  Outcome = "failed"
)

// Viewed notes who was shown which note, and returns the number of the entry. It comes before the note leaves the process.
func (s *Store) Viewed(ctx context.Context, reader string, it *review.Item, o Outcome) (id int64, err error) {
	err = s.db.QueryRow(ctx, `
		insert into deid.review_view (reader, round, place, member, outcome) values ($1, $2, $3, $4, $5) returning id`,
		reader, it.Round, it.Place, it.Member, string(o)).Scan(&id)
	return id, fault.New("note who is shown a note", err, upHint)
}

// StillViewed notes that a reader's browser still shows what an entry is about.
func (s *Store) StillViewed(ctx context.Context, reader string, id int64) error {
	_, err := s.db.Exec(ctx, `
		update deid.review_view set left_at = now() where id = $1 and reader = $2 and left_at > now() - interval '1 hour'`, id, reader)
	return fault.New("note for how long a note was shown", err, upHint)
}

// View is an entry of who was shown which note.
type View struct {
	Reader       string
	Round        string // its name
	Place        int
	Note         review.Note // zero: of a patient who is not in the replica any more
	Patient      string      // pseudonym; "" likewise
	Outcome      Outcome
	Opened, Left time.Time
}

// Views returns the latest entries, newest first.
func (s *Store) Views(ctx context.Context, most int) ([]View, error) {
	const op = "read who was shown which notes"
	rows, err := s.db.Query(ctx, `
		select v.reader, r.name, v.place, coalesce(i.table_name, ''), coalesce(i.column_name, ''), coalesce(i.row_key, ''),
			coalesce(i.patient, ''), v.outcome, v.opened_at, v.left_at
		from deid.review_view v join deid.review_round r on r.id = v.round
		left join lateral (
			select table_name, column_name, row_key, patient from deid.review_item o
			where o.round = v.round and o.place = v.place and v.member = 0
			union all
			select table_name, column_name, row_key, patient from deid.review_member m
			where m.round = v.round and m.place = v.place and m.member = v.member and v.member > 0) i on true
		order by v.id desc limit $1`, most)
	if err != nil {
		return nil, fault.New(op, err, upHint)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v View, err error) {
		var outcome string
		err = row.Scan(&v.Reader, &v.Round, &v.Place, &v.Note.Table, &v.Note.Column, &v.Note.Row, &v.Patient, &outcome, &v.Opened, &v.Left)
		v.Outcome = Outcome(outcome)
		return v, err
	})
	return list, fault.New(op, err, "")
}
