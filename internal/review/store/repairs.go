package store

import (
	"context"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
)

const repairPurpose = "review repair"

// decision is what is sealed of a repair. It prints itself redacted.
type decision struct {
	phi.Redacted

	Mark      review.Mark `json:"m"`
	Text      []byte      `json:"x"`
	SourceKey string      `json:"k"`
	Words     [][]byte    `json:"w,omitempty"`
	Key       []string    `json:"n"`
	// Times are sealed, since they bound when the note came, and so by how much its dates are moved.
	At      time.Time `json:"t"`
	TakenAt time.Time `json:"b,omitzero"`
}

func repairRow(r *review.Repair) []string {
	return []string{string(r.Scope), r.Patient, hex.EncodeToString(r.NoteID), r.By}
}

func (s *Store) sealRepair(r *review.Repair) []byte {
	return s.seal(decision{Mark: r.Mark, Text: r.Text, SourceKey: r.SourceKey, Words: r.Words, Key: r.Key, At: r.At, TakenAt: r.TakenAt}, repairPurpose, repairRow(r)...)
}

// AddRepair stores a repair that is made now and returns its number.
func (s *Store) AddRepair(ctx context.Context, r *review.Repair) (id int64, err error) {
	r.At = time.Now().UTC().Truncate(time.Second)
	err = s.db.QueryRow(ctx, `
		insert into deid.review_repair (scope, table_name, column_name, row_key, note_hmac, patient, made_by, sealed)
		values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
		string(r.Scope), r.Note.Table, r.Note.Column, r.Note.Row, r.NoteID, r.Patient, r.By, s.sealRepair(r)).Scan(&id)
	return id, fault.New("store a repair", err, upHint)
}

// TakeBack has a repair that was read count no more. The error is [ErrNone] where it did not count.
func (s *Store) TakeBack(ctx context.Context, r *review.Repair, by string) error {
	const op = "take a repair back"
	taken := *r
	taken.TakenAt = time.Now().UTC().Truncate(time.Second)
	tag, err := s.db.Exec(ctx, "update deid.review_repair set taken_by = $2, sealed = $3 where id = $1 and taken_by is null", r.ID, by,
		s.sealRepair(&taken))
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrNone
	}
	return fault.New(op, err, upHint)
}

// Repair returns one repair.
func (s *Store) Repair(ctx context.Context, id int64) (review.Repair, error) {
	list, err := s.repairs(ctx, "id = $1", id)
	if err == nil && len(list) == 0 {
		err = fault.New("read a repair", ErrNone, "'pgdeid review repairs' lists them")
	}
	if err != nil {
		return review.Repair{}, err
	}
	return list[0], nil
}

// NoteRepairs returns the repairs that were made when a note was read and count, in the order in which they were made.
func (s *Store) NoteRepairs(ctx context.Context, of review.Note) ([]review.Repair, error) {
	return s.repairs(ctx, "table_name = $1 and column_name = $2 and row_key = $3 and taken_by is null", of.Table, of.Column, of.Row)
}

// RepairsOf returns the repairs of single places in patients' notes that count, in the order in which they were made.
func (s *Store) RepairsOf(ctx context.Context, patients []string) ([]review.Repair, error) {
	return s.repairs(ctx, "patient = any($1) and scope = 'here' and taken_by is null", patients)
}

// RememberedOf returns the repairs that made words known of a patient and count.
func (s *Store) RememberedOf(ctx context.Context, patient string) ([]review.Repair, error) {
	return s.repairs(ctx, "patient = $1 and scope = 'everywhere' and taken_by is null", patient)
}

// Repairs returns repairs, the last one first: all, or those that count.
func (s *Store) Repairs(ctx context.Context, all bool, most int) ([]review.Repair, error) {
	return s.repairs(ctx, "($1 or taken_by is null) order by id desc limit "+strconv.Itoa(most), all)
}

func (s *Store) repairs(ctx context.Context, where string, args ...any) ([]review.Repair, error) {
	const op = "read the repairs of notes"
	rows, err := s.db.Query(ctx, `
		select * from (select id, scope, table_name, column_name, row_key, note_hmac, patient, made_by, void,
			coalesce(taken_by, ''), sealed from deid.review_repair where `+where+`) r order by r.id`, args...)
	if err != nil {
		return nil, fault.New(op, err, upHint)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r review.Repair, err error) {
		var scope string
		var sealed []byte
		err = row.Scan(&r.ID, &scope, &r.Note.Table, &r.Note.Column, &r.Note.Row, &r.NoteID, &r.Patient, &r.By, &r.Void,
			&r.TakenBy, &sealed)
		if err != nil {
			return r, err
		}
		r.Scope = review.Scope(scope)
		var d decision
		err = s.open(sealed, &d, repairPurpose, repairRow(&r)...)
		r.Mark, r.Text, r.SourceKey, r.Words, r.Key, r.At, r.TakenAt = d.Mark, d.Text, d.SourceKey, d.Words, d.Key, d.At, d.TakenAt
		return r, err
	})
	return list, fault.New(op, err, sealedHint)
}
