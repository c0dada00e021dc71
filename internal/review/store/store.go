// Package store keeps rounds of review, and what readers decide, in the vault. Everything that could
// lead to what is left in a text is sealed with the key: the draw, the notes' keys in the source, and
// the decisions, of which "missed" with its range would point to a name in the published note.
package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/surrogate"
)

// DB is a connection to the replica, or a pool of them.
type DB interface {
	Begin(ctx context.Context) (pgx.Tx, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Store reads and writes rounds and readings. It is safe for concurrent use if its DB is.
type Store struct {
	db  DB
	key *surrogate.Key
}

// New returns a store in the vault of the replica that db leads to.
func New(db DB, key *surrogate.Key) *Store { return &Store{db, key} }

const (
	upHint     = "run 'pgdeid migrate up'"
	sealedHint = "name the key that the replica was written with: key_file"
)

// ErrName means that there is a round of that name already.
var ErrName = errors.New("there is a round of that name")

// Draw stores a round with its items, whose round and places it fills in, and returns the round's number.
func (s *Store) Draw(ctx context.Context, r review.Round, items []review.Item) (id int64, err error) {
	const op = "store a round of review"
	tx, err := s.db.Begin(ctx)
	if err != nil {
		return 0, fault.New(op, err, "")
	}
	defer rollback(tx)
	err = tx.QueryRow(ctx, `insert into deid.review_round (name, kind, readers, sealed, drawn_by) values ($1, $2, $3, $4, $5) returning id`,
		r.Name, string(r.Kind), max(r.Readers, 1), s.seal(r.Design, "review round", r.Name), r.DrawnBy).Scan(&id)
	if fault.State(err) == "23505" {
		return 0, fault.New(op, ErrName, "choose another name")
	}
	if err != nil {
		return 0, fault.New(op, err, upHint)
	}
	for i := range items {
		items[i].Round, items[i].Place = id, i+1
	}
	if err := s.insertItems(ctx, tx, items); err != nil {
		return 0, fault.New(op, err, upHint)
	}
	if err := s.insertAlike(ctx, tx, items); err != nil {
		return 0, fault.New(op, err, upHint)
	}
	return id, fault.New(op, tx.Commit(ctx), "")
}

func (s *Store) insertItems(ctx context.Context, tx pgx.Tx, items []review.Item) error {
	rows := make([][]any, len(items))
	for i := range items {
		it := &items[i]
		rows[i] = []any{
			it.Round, it.Place, it.Note.Table, it.Note.Column, it.Note.Row, it.Patient,
			s.seal(origin{Key: it.Key, Stratum: it.Stratum}, itemPurpose, itemRow(it)...),
		}
	}
	columns := []string{"round", "place", "table_name", "column_name", "row_key", "patient", "sealed"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"deid", "review_item"}, columns, pgx.CopyFromRows(rows))
	return err
}

// origin is what is sealed of an item. It prints itself redacted.
type origin struct {
	phi.Redacted

	Key     []string `json:"k"`
	Stratum int      `json:"s"`
}

const itemPurpose = "review item"

// openItem opens what is sealed of an item.
func (s *Store) openItem(it *review.Item, sealed []byte) error {
	var o origin
	err := s.open(sealed, &o, itemPurpose, itemRow(it)...)
	it.Key, it.Stratum = o.Key, o.Stratum
	return err
}

func itemRow(it *review.Item) []string {
	return []string{strconv.FormatInt(it.Round, 10), strconv.Itoa(it.Place), it.Note.Table, it.Note.Column, it.Note.Row}
}

// Close closes a round: nothing of it is handed out any more.
func (s *Store) Close(ctx context.Context, round int64) error {
	_, err := s.db.Exec(ctx, "update deid.review_round set closed_at = now() where id = $1 and closed_at is null", round)
	return fault.New("close a round of review", err, upHint)
}

// roundColumns are what scanRound reads.
const roundColumns = "r.id, r.name, r.kind, r.readers, r.sealed, r.drawn_by, r.drawn_at, coalesce(r.closed_at, '0001-01-01')"

func (s *Store) scanRound(row pgx.CollectableRow, more ...any) (r review.Round, err error) {
	var kind string
	var sealed []byte
	into := []any{&r.ID, &r.Name, &kind, &r.Readers, &sealed, &r.DrawnBy, &r.DrawnAt, &r.ClosedAt}
	if err := row.Scan(append(into, more...)...); err != nil {
		return r, err
	}
	r.Kind, r.ClosedAt = review.Kind(kind), zeroed(r.ClosedAt)
	return r, s.open(sealed, &r.Design, "review round", r.Name)
}

// zeroed returns t, or the zero time for the year 1, as which the database writes none.
func zeroed(t time.Time) time.Time {
	if t.Year() <= 1 {
		return time.Time{}
	}
	return t
}

// ErrNone means that there is no such round, item or reading.
var ErrNone = errors.New("there is no such note in the rounds of review")

// ErrNoRound means that no round has a name.
var ErrNoRound = errors.New("there is no round of that name")

// Round returns a round.
func (s *Store) Round(ctx context.Context, id int64) (review.Round, error) {
	rows, err := s.db.Query(ctx, "select "+roundColumns+" from deid.review_round r where r.id = $1", id)
	if err != nil {
		return review.Round{}, fault.New("read a round of review", err, upHint)
	}
	r, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (review.Round, error) { return s.scanRound(row) })
	return r, fault.New("read a round of review", none(err), sealedHint)
}

// Named returns the number of the round with a name.
func (s *Store) Named(ctx context.Context, name string) (id int64, err error) {
	err = s.db.QueryRow(ctx, "select id from deid.review_round where name = $1", name).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNoRound
	}
	return id, fault.New("find round "+strconv.Quote(name), err, "'pgdeid review status' lists the rounds")
}

// Rounds returns all rounds, and how far they have come for a reader.
func (s *Store) Rounds(ctx context.Context, reader string) ([]review.Progress, error) {
	const op = "read the rounds of review"
	rows, err := s.db.Query(ctx, `
		select `+roundColumns+`, i.items, d.done, d.mine, d.begun, d.away
		from deid.review_round r
		cross join lateral (select count(*) as items from deid.review_item i where i.round = r.id) i
		cross join lateral (
			select count(*) filter (where n.finished >= r.readers) as done, count(*) filter (where n.mine) as mine,
				count(*) filter (where n.begun) as begun,
				count(*) filter (where not n.begun and (n.mine or n.finished + n.hands >= r.readers)) as away
			from (select g.place, count(*) filter (where g.part = 'reviewer' and g.finished_at is not null) as finished,
					count(*) filter (where g.reader <> $1 and g.part = 'reviewer' and g.finished_at is null and `+inHand+`) as hands,
					bool_or(g.reader = $1 and g.finished_at is not null) as mine,
					bool_or(g.reader = $1 and g.finished_at is null and g.part = 'reviewer') as begun
				from deid.review_reading g where g.round = r.id group by g.place) n) d
		order by r.closed_at nulls first, r.id desc`, reader)
	if err != nil {
		return nil, fault.New(op, err, upHint)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (p review.Progress, err error) {
		var away int
		p.Round, err = s.scanRound(row, &p.Items, &p.Finished, &p.Mine, &p.Begun, &away)
		p.Left = p.Items - away
		return p, err
	})
	if err != nil {
		return nil, fault.New(op, err, sealedHint)
	}
	differ, err := s.toSettle(ctx, reader)
	for i := range list {
		list[i].Differ = differ[list[i].ID]
	}
	return list, fault.New(op, err, sealedHint)
}

// inHand is the condition of a reading that somebody is at: who leaves a note unfinished does not keep it from others for long.
const inHand = "g.saved_at > now() - interval '1 hour'"

// Item returns a note of a round.
func (s *Store) Item(ctx context.Context, round int64, place int) (review.Item, error) {
	it := review.Item{Round: round, Place: place}
	var sealed []byte
	err := s.db.QueryRow(ctx, `
		select table_name, column_name, row_key, patient, sealed from deid.review_item where round = $1 and place = $2`,
		round, place).Scan(&it.Note.Table, &it.Note.Column, &it.Note.Row, &it.Patient, &sealed)
	if err == nil {
		err = s.openItem(&it, sealed)
	}
	return it, fault.New("read a note of a round", none(err), sealedHint)
}

// Items passes the notes of a round in their order.
func (s *Store) Items(ctx context.Context, round int64, each func(review.Item) error) error {
	const op = "read the notes of a round"
	rows, err := s.db.Query(ctx, `
		select place, table_name, column_name, row_key, patient, sealed from deid.review_item where round = $1 order by place`, round)
	if err != nil {
		return fault.New(op, err, upHint)
	}
	it := review.Item{Round: round}
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&it.Place, &it.Note.Table, &it.Note.Column, &it.Note.Row, &it.Patient, &sealed}, func() error {
		if err := s.openItem(&it, sealed); err != nil {
			return err
		}
		return each(it)
	})
	return fault.New(op, err, sealedHint)
}

// TextHash returns the keyed hash of a text that was read.
func (s *Store) TextHash(text string) []byte { return review.Hashes{Key: s.key}.Text(text) }

// WordsHash returns the keyed hash of words of a patient's note.
func (s *Store) WordsHash(patient, words string) []byte {
	return review.Hashes{Key: s.key}.Words(patient, words)
}

func (s *Store) seal(v any, purpose string, of ...string) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil // texts and numbers can't fail to marshal
	}
	return s.key.Seal(data, purpose, of...)
}

var errValue = errors.New("a value of the vault is not what this version of pgdeid writes")

func (s *Store) open(sealed []byte, into any, purpose string, of ...string) error {
	data, err := s.key.Open(sealed, purpose, of...)
	if err != nil {
		return err
	}
	if json.Unmarshal(data, into) != nil {
		return errValue
	}
	return nil
}

// none returns ErrNone where a query found nothing.
func none(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%w", ErrNone)
	}
	return err
}

func rollback(tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // after a commit there is nothing to undo
}
