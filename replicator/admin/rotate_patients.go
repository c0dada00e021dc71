package admin

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// patientHasher makes the keyed hashes that name patients where not even a pseudonym is kept.
type patientHasher struct {
	key  *surrogate.Key
	kind config.KeyType
}

func (h patientHasher) hash(patientKey string) ([]byte, error) {
	name, err := patient.Pseudonym(h.key, h.kind, config.PatientDomain, patientKey)
	if err != nil {
		return nil, err
	}
	return vault.NewSeals(h.key).PatientHash(name), nil
}

// purgedPatients returns, of the patients who were purged and are in the source, the hashes of the next key by those of
// the key before.
func purgedPatients(ctx context.Context, o session.Options, replica *pgx.Conn) (map[string][]byte, error) {
	const op = "find the purged patients in the source"
	rows, _ := replica.Query(ctx, "select patient_hmac from deid.purged")
	purged, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	found := map[string][]byte{}
	if err != nil || len(purged) == 0 {
		return found, fault.New(op, err, "")
	}
	wanted := map[string]bool{}
	for _, hash := range purged {
		wanted[string(hash)] = true
	}
	before, next := patientHasher{o.OldKey, o.Config.PatientKey}, patientHasher{o.Key, o.Config.PatientKey}
	return found, eachPatient(ctx, o.Config, func(key string) error {
		was, err := before.hash(key)
		if err != nil || !wanted[string(was)] {
			return fault.New(op, err, "check patient_key of the mapping")
		}
		found[string(was)], err = next.hash(key)
		return fault.New(op, err, "")
	})
}

// eachPatient passes the keys of the source's patients, from all tables that name them: some more than once.
func eachPatient(ctx context.Context, cfg *config.Config, do func(key string) error) error {
	source, err := connect.Source(ctx, cfg, config.Service)
	if err != nil {
		return err
	}
	defer connect.Close(source)
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		if !t.HasPatient() || !t.Patient.Direct() {
			continue
		}
		for _, column := range t.Patient.Columns() {
			name := schema.Quote(column)
			rows, _ := source.Query(ctx, fmt.Sprintf("select distinct %s::text from %s.%s where %[1]s is not null", name, schema.Quote(t.Schema), schema.Quote(t.Name)))
			var key string
			_, err := pgx.ForEachRow(rows, []any{&key}, func() error {
				if canonical := patient.CanonicalKey(cfg.PatientKey, key); canonical != "" {
					return do(canonical)
				}
				return nil
			})
			if err != nil {
				return fault.New("read the patients of table "+t.FullName(), err, "")
			}
		}
	}
	return nil
}
