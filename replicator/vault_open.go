package replicator

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Vault opens what is sealed in a replica's vault, for holders of the key.
type Vault struct {
	seals

	conn *pgx.Conn
}

// NewVault returns the vault of the replica that conn leads to.
func NewVault(conn *pgx.Conn, key *surrogate.Key) *Vault { return &Vault{seals{key}, conn} }

// VaultSurrogate is a surrogate of a patient.
type VaultSurrogate struct {
	Patient   string `json:"patient"` // pseudonym
	Kind      string `json:"kind"`
	Surrogate string `json:"surrogate"`
}

// VaultShift is the number of days by which a patient's dates were moved.
type VaultShift struct {
	Patient string `json:"patient"` // pseudonym
	Days    int    `json:"days"`
}

// VaultText is how a published text was made.
type VaultText struct {
	Table   string      `json:"table"`
	Column  string      `json:"column"`
	Key     string      `json:"key"`     // published primary key, a JSON array of texts
	Patient string      `json:"patient"` // pseudonym
	Version string      `json:"version"` // of pgdeid
	At      time.Time   `json:"at"`
	LSN     string      `json:"lsn,omitempty"` // of the source's commit
	Spans   []VaultSpan `json:"spans"`
}

// VaultSpan is a surrogate in a published text: a range in characters, its type and who
// found the original.
type VaultSpan struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	Type  string   `json:"type"`
	By    []string `json:"by,omitempty"`
}

// VaultAside is a row that was set aside.
type VaultAside struct {
	ID      int64     `json:"id"`
	Table   string    `json:"table"`
	Key     []string  `json:"key"`               // primary key in the source
	Patient string    `json:"patient,omitempty"` // pseudonym
	LSN     string    `json:"lsn,omitempty"`
	Reason  string    `json:"reason"`
	First   time.Time `json:"first_at"`
	Last    time.Time `json:"last_at"`
}

// VaultOf chooses rows of the vault. What is "" is not asked for.
type VaultOf struct {
	Patient string // pseudonym
	Table   string // schema.name
	Key     string // published primary key, a JSON array of texts
}

const sealedHint = "name the key that the replica was written with: key_file"

// Surrogates passes the surrogates of a patient, or of all.
func (v *Vault) Surrogates(ctx context.Context, of VaultOf, each func(VaultSurrogate) error) error {
	const op = "read the surrogates of the vault"
	rows, err := v.conn.Query(ctx, `
		select patient, kind, original_hmac, sealed from deid.surrogate
		where sealed is not null and ($1 = '' or patient = $1) order by patient, kind, original_hmac`, of.Patient)
	if err != nil {
		return fault.New(op, err, "")
	}
	var s VaultSurrogate
	var original, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&s.Patient, &s.Kind, &original, &sealed}, func() (err error) {
		if s.Surrogate, err = v.openSurrogate(s.Patient, s.Kind, original, sealed); err != nil {
			return err
		}
		return each(s)
	})
	return fault.New(op, err, sealedHint)
}

// Shifts passes the shift of a patient, or of all.
func (v *Vault) Shifts(ctx context.Context, of VaultOf, each func(VaultShift) error) error {
	const op = "read the date shifts of the vault"
	rows, err := v.conn.Query(ctx, `select patient, sealed from deid.date_shift where $1 = '' or patient = $1 order by 1`, of.Patient)
	if err != nil {
		return fault.New(op, err, "")
	}
	var s VaultShift
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&s.Patient, &sealed}, func() (err error) {
		if s.Days, err = v.openShift(s.Patient, sealed); err != nil {
			return err
		}
		return each(s)
	})
	return fault.New(op, err, sealedHint)
}

// Texts passes how published texts were made.
func (v *Vault) Texts(ctx context.Context, of VaultOf, each func(VaultText) error) error {
	const op = "read how texts were made"
	names, err := v.detectors(ctx)
	if err != nil {
		return err
	}
	rows, err := v.conn.Query(ctx, `
		select table_name, column_name, row_key, patient, version, config_hash, sealed from deid.note_provenance
		where ($1 = '' or patient = $1) and ($2 = '' or table_name = $2) and ($3 = '' or row_key = $3)
		order by table_name, column_name, row_key`, of.Patient, of.Table, of.Key)
	if err != nil {
		return fault.New(op, err, "")
	}
	var t VaultText
	var config string
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&t.Table, &t.Column, &t.Key, &t.Patient, &t.Version, &config, &sealed}, func() error {
		m, err := v.openMaking(textPlace{t.Table, t.Column, t.Key, t.Patient}, sealed)
		if err != nil {
			return err
		}
		t.At, t.LSN, t.Spans = m.at, lsnText(m.lsn), make([]VaultSpan, len(m.spans))
		for i, s := range m.spans {
			t.Spans[i] = VaultSpan{s.Start, s.End, s.Type.String(), names.of(config, uint32(s.By))}
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

func (v *Vault) detectors(ctx context.Context) (detectorNames, error) {
	const op = "read the names of the detectors"
	rows, err := v.conn.Query(ctx, "select config_hash, bit, name from deid.detector")
	if err != nil {
		return nil, fault.New(op, err, "run 'pgdeid migrate up'")
	}
	names := detectorNames{}
	var config, name string
	var bit int16
	_, err = pgx.ForEachRow(rows, []any{&config, &bit, &name}, func() error {
		if names[config] == nil {
			names[config] = map[int16]string{}
		}
		names[config][bit] = name
		return nil
	})
	return names, fault.New(op, err, "")
}

// Quarantine passes the rows that are set aside, with their keys in the source.
func (v *Vault) Quarantine(ctx context.Context, of VaultOf, each func(VaultAside) error) error {
	const op = "read the quarantine"
	rows, err := v.conn.Query(ctx, `
		select id, table_name, key_hmac, sealed, reason, first_at, last_at from deid.quarantine
		where $1 = '' or table_name = $1 order by id`, of.Table)
	if err != nil {
		return fault.New(op, err, "")
	}
	var a VaultAside
	var hash, sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&a.ID, &a.Table, &hash, &sealed, &a.Reason, &a.First, &a.Last}, func() error {
		what, err := v.openAside(sealed, a.Table, hash)
		if err != nil || of.Patient != "" && what.Patient != of.Patient {
			return err
		}
		a.Key, a.Patient, a.LSN = what.Key, what.Patient, lsnText(what.LSN)
		return each(a)
	})
	return fault.New(op, err, sealedHint)
}

// OpenVault connects to the replica of a configuration, of the version that this program
// knows, and calls do with its vault.
func OpenVault(ctx context.Context, cfg *config.Config, key *surrogate.Key, do func(*Vault) error) error {
	return withVault(ctx, cfg, func(conn *pgx.Conn) error { return do(NewVault(conn, key)) })
}

// OpenVault calls do with the vault of the replica, again if the connection breaks.
func (d *Desk) OpenVault(ctx context.Context, do func(*Vault) error) error {
	return d.with(ctx, func(s *side) error { return do(NewVault(s.look.replica, s.look.key)) })
}
