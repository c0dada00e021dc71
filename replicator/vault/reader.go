package vault

import (
	"context"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Reader opens what is sealed in a replica's vault, for holders of the key.
type Reader struct {
	seals Seals
	db    Querier
}

// NewReader returns a reader of the vault of the replica that db leads to.
func NewReader(db Querier, key *surrogate.Key) *Reader { return &Reader{NewSeals(key), db} }

// Surrogate is a surrogate of a patient. It prints itself redacted.
type Surrogate struct {
	phi.Redacted

	Patient   string `json:"patient"` // pseudonym
	Kind      string `json:"kind"`
	Surrogate string `json:"surrogate"`
}

// Shift is the number of days by which a patient's dates were moved. It prints
// itself redacted.
type Shift struct {
	phi.Redacted

	Patient string `json:"patient"` // pseudonym
	Days    int    `json:"days"`
}

// MadeText says how a published text was made.
type MadeText struct {
	phi.Redacted

	Table   string    `json:"table"`
	Column  string    `json:"column"`
	Key     string    `json:"key"`     // published primary key, a JSON array of texts
	Patient string    `json:"patient"` // pseudonym
	Version string    `json:"version"` // of pgdeid
	Config  string    `json:"config"`  // hash of the configuration
	At      time.Time `json:"at"`
	LSN     string    `json:"lsn,omitempty"` // of the source's commit
	Spans   []Span    `json:"spans"`
}

// Span is a surrogate in a published text: a range in characters, its type and who
// found the original.
type Span struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Type  string   `json:"type"`
	By    []string `json:"by,omitempty"`
}

// Quarantined is a row that was set aside. It prints itself redacted.
type Quarantined struct {
	phi.Redacted

	ID      int64     `json:"id"`
	Table   string    `json:"table"`
	Key     []string  `json:"key"`               // primary key in the source
	Patient string    `json:"patient,omitempty"` // pseudonym
	LSN     string    `json:"lsn,omitempty"`
	Reason  string    `json:"reason"`
	First   time.Time `json:"first_at"`
	Last    time.Time `json:"last_at"`
}

// Filter selects rows of the vault. An empty field selects all.
type Filter struct {
	Patient string   // pseudonym
	Table   string   // schema.name
	Key     string   // published primary key, a JSON array of texts
	Keys    []string // of texts: several of these; nil for all
}

const sealedHint = "name the key that the replica was written with: key_file"

// Surrogates passes the surrogates of a patient, or of all.
func (r *Reader) Surrogates(ctx context.Context, of Filter, each func(Surrogate) error) error {
	const op = "read the surrogates of the vault"
	rows, err := r.db.Query(ctx, `
		select patient, kind, original_hmac, sealed from deid.surrogate
		where sealed is not null and ($1 = '' or patient = $1) order by patient, kind, original_hmac`, of.Patient)
	if err != nil {
		return fault.New(op, err, "")
	}
	var s Surrogate
	var original, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&s.Patient, &s.Kind, &original, &sealed}, func() (err error) {
		if s.Surrogate, err = r.seals.openSurrogate(s.Patient, s.Kind, original, sealed); err != nil {
			return err
		}
		return each(s)
	})
	return fault.New(op, err, sealedHint)
}

// Shifts passes the shift of a patient, or of all.
func (r *Reader) Shifts(ctx context.Context, of Filter, each func(Shift) error) error {
	const op = "read the date shifts of the vault"
	rows, err := r.db.Query(ctx, `select patient, sealed from deid.date_shift where $1 = '' or patient = $1 order by 1`, of.Patient)
	if err != nil {
		return fault.New(op, err, "")
	}
	var s Shift
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&s.Patient, &sealed}, func() (err error) {
		if s.Days, err = r.seals.openShift(s.Patient, sealed); err != nil {
			return err
		}
		return each(s)
	})
	return fault.New(op, err, sealedHint)
}

// Texts passes how published texts were made.
func (r *Reader) Texts(ctx context.Context, of Filter, each func(MadeText) error) error {
	return r.texts(ctx, each, `
		from deid.note_provenance
		where ($1 = '' or patient = $1) and ($2 = '' or table_name = $2) and ($3 = '' or row_key = $3)
			and ($4::text[] is null or row_key = any($4))
		order by table_name, column_name, row_key`, of.Patient, of.Table, of.Key, of.Keys)
}

// Sample passes how some published texts were made, about n of them, chosen at random.
func (r *Reader) Sample(ctx context.Context, n int, each func(MadeText) error) error {
	const op = "count how many texts were made"
	rows, _ := r.db.Query(ctx, "select greatest(reltuples, 0)::float8 from pg_class where oid = 'deid.note_provenance'::regclass")
	texts, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[float64])
	if err != nil {
		return fault.New(op, err, "run 'pgdeid migrate up'")
	}
	percent := 100.0
	if texts > float64(n) { // else there are few, or they were never counted
		percent = 100 * float64(n) / texts
	}
	return r.texts(ctx, each, "from deid.note_provenance tablesample bernoulli ($1) limit $2", percent, 2*n)
}

// texts passes the rows of deid.note_provenance that the rest of a query chooses.
func (r *Reader) texts(ctx context.Context, each func(MadeText) error, from string, args ...any) error {
	const op = "read how texts were made"
	names, err := r.detectors(ctx)
	if err != nil {
		return err
	}
	rows, err := r.db.Query(ctx, "select table_name, column_name, row_key, patient, version, config_hash, sealed "+from, args...)
	if err != nil {
		return fault.New(op, err, "")
	}
	var t MadeText
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&t.Table, &t.Column, &t.Key, &t.Patient, &t.Version, &t.Config, &sealed}, func() error {
		m, err := r.seals.openMaking(place{t.Table, t.Column, t.Key, t.Patient}, sealed)
		if err != nil {
			return err
		}
		t.At, t.LSN, t.Spans = m.at, lsnText(m.lsn), make([]Span, len(m.spans))
		for i, s := range m.spans {
			t.Spans[i] = Span{s.Start, s.End, s.Type.String(), names.of(t.Config, uint32(s.By))}
		}
		return each(t)
	})
	return fault.New(op, err, sealedHint)
}

// detectorNames are the names of detectors, by configuration and bit.
type detectorNames map[string]map[int16]string

func (n detectorNames) of(config string, votes uint32) []string {
	var by []string
	for bit := range int16(32) {
		if name := n[config][bit]; name != "" && votes>>bit&1 == 1 {
			by = append(by, name)
		}
	}
	return by
}

func (r *Reader) detectors(ctx context.Context) (detectorNames, error) {
	const op = "read the names of the detectors"
	rows, _ := r.db.Query(ctx, "select config_hash, bit, name from deid.detector")
	names := detectorNames{}
	var config, name string
	var bit int16
	_, err := pgx.ForEachRow(rows, []any{&config, &bit, &name}, func() error {
		if names[config] == nil {
			names[config] = map[int16]string{}
		}
		names[config][bit] = name
		return nil
	})
	return names, fault.New(op, err, "run 'pgdeid migrate up'")
}

// Quarantine passes the rows that are set aside, with their keys in the source.
func (r *Reader) Quarantine(ctx context.Context, of Filter, each func(Quarantined) error) error {
	const op = "read the quarantine"
	rows, err := r.db.Query(ctx, `
		select id, table_name, key_hmac, sealed, reason, first_at, last_at from deid.quarantine
		where $1 = '' or table_name = $1 order by id`, of.Table)
	if err != nil {
		return fault.New(op, err, "")
	}
	var a Quarantined
	var hash, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&a.ID, &a.Table, &hash, &sealed, &a.Reason, &a.First, &a.Last}, func() error {
		what, err := r.seals.OpenOrigin(sealed, a.Table, hash)
		if err != nil || of.Patient != "" && what.Patient != of.Patient {
			return err
		}
		a.Key, a.Patient, a.LSN = what.Key, what.Patient, lsnText(what.LSN)
		return each(a)
	})
	return fault.New(op, err, sealedHint)
}

// lsnText writes a position; "" for none.
func lsnText(lsn pglogrepl.LSN) string {
	if lsn == 0 {
		return ""
	}
	return lsn.String()
}
