package store

import (
	"context"

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
		insert into deid.review_view (reader, round, place, outcome) values ($1, $2, $3, $4) returning id`,
		reader, it.Round, it.Place, string(o)).Scan(&id)
	return id, fault.New("note who is shown a note", err, upHint)
}

// StillViewed notes that a reader's browser still shows what an entry is about.
func (s *Store) StillViewed(ctx context.Context, reader string, id int64) error {
	_, err := s.db.Exec(ctx, `
		update deid.review_view set left_at = now() where id = $1 and reader = $2 and left_at > now() - interval '1 hour'`, id, reader)
	return fault.New("note for how long a note was shown", err, upHint)
}
