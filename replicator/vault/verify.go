package vault

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Checked says how many values of a table of the vault were opened, and how many another key made.
type Checked struct {
	Table   string `json:"table"`
	Values  int64  `json:"values"`
	Foreign int64  `json:"foreign"`
}

// sealedRow is a sealed value with what it was sealed for.
type sealedRow struct {
	phi.Redacted

	a, b, c, d   string
	hash, sealed []byte
}

// sealedTables are the tables with sealed values. A value that opens was made by the key for just its row: what names the
// row, pseudonyms and hashes, is the key's as well.
var sealedTables = []struct {
	table, columns string // the latter: four texts, a hash, the value
	open           func(Seals, *sealedRow) error
}{
	{"surrogate", "patient, kind, '', '', original_hmac, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.openSurrogate(r.a, r.b, r.hash, r.sealed)
		return err
	}},
	{"date_shift", "patient, '', '', '', ''::bytea, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.openShift(r.a, r.sealed)
		return err
	}},
	{"note_provenance", "table_name, column_name, row_key, patient, ''::bytea, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.openMaking(place{r.a, r.b, r.c, r.d}, r.sealed)
		return err
	}},
	{"quarantine", "table_name, '', '', '', key_hmac, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.OpenOrigin(r.sealed, r.a, r.hash)
		return err
	}},
	{"requeue", "patient, '', '', '', ''::bytea, source_key", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("requeue", r.sealed, r.a)
		return err
	}},
	{"requeue_path", "'', '', '', '', path_hmac, source_key", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("path", r.sealed, string(r.hash))
		return err
	}},
	{"patient_filter", "filter, '', '', '', row_hmac, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("filter", r.sealed, r.a, string(r.hash))
		return err
	}},
	{"patient_merge", "filter, '', '', '', row_hmac, sealed", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("merge", r.sealed, r.a, string(r.hash))
		return err
	}},
	{"snapshot", "table_name, '', '', '', ''::bytea, last_key", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("cursor", r.sealed, r.a)
		return err
	}},
	{"directory", "pass_table, '', '', '', ''::bytea, pass_key", func(s Seals, r *sealedRow) error {
		_, err := s.OpenKey("pass "+r.a, r.sealed)
		return err
	}},
}

// Verify opens every sealed value of the vault, and returns how many of them do not open with the key.
func Verify(ctx context.Context, db Querier, key *surrogate.Key) ([]Checked, error) {
	const op = "open what the vault has"
	seals := NewSeals(key)
	var list []Checked
	for _, t := range sealedTables {
		c := Checked{Table: "deid." + t.table}
		rows, _ := db.Query(ctx, "select "+t.columns+" from deid."+t.table)
		var r sealedRow
		var a *string
		_, err := pgx.ForEachRow(rows, []any{&a, &r.b, &r.c, &r.d, &r.hash, &r.sealed}, func() error {
			if r.sealed == nil {
				return nil
			}
			if r.a = ""; a != nil {
				r.a = *a
			}
			c.Values++
			if t.open(seals, &r) != nil {
				c.Foreign++
			}
			return nil
		})
		if err != nil {
			return nil, fault.New(op, err, "run 'pgdeid migrate up'")
		}
		list = append(list, c)
	}
	return list, nil
}

// oldHashes count hashes that the key before made and that are still there.
var oldHashes = []struct{ table, query string }{
	{"surrogate (words of records)", `select count(*), count(w.hash) from deid.surrogate s
		left join deid.rotation_word w on w.kind = 'record' and w.patient = s.patient and w.hash = s.original_hmac where s.kind = 'record'`},
	{"directory_word", "select count(*), count(w.hash) from deid.directory_word d left join deid.rotation_word w on w.kind = 'directory' and w.hash = d.hash"},
	{"purged", "select count(*), count(w.hash) from deid.purged p left join deid.rotation_word w on w.kind = 'purged' and w.hash = p.patient_hmac"},
}

// VerifyHashes looks for hashes of the key before, while the key is changed, and returns how many are left.
func VerifyHashes(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
},
) ([]Checked, error) {
	var list []Checked
	for _, t := range oldHashes {
		c := Checked{Table: "deid." + t.table}
		if err := db.QueryRow(ctx, t.query).Scan(&c.Values, &c.Foreign); err != nil {
			return nil, fault.New("look for hashes of the key before", err, "run 'pgdeid migrate up'")
		}
		list = append(list, c)
	}
	return list, nil
}
