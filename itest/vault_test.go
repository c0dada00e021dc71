package itest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/sql"
	"github.com/pgdeid/pgdeid/sql/migrations"
)

func (r *replication) vault() *vault.Reader { return vault.NewReader(r.dst, r.key) }

// opened returns the shifts and rows set aside of the vault, a line each, and, if wanted,
// the spans of texts.
func (r *replication) opened(t *testing.T, spans bool) []string {
	t.Helper()
	var lines []string
	err := r.vault().Shifts(t.Context(), vault.Filter{}, func(s vault.Shift) error {
		lines = append(lines, fmt.Sprint("shift ", s.Patient, " ", s.Days))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = r.vault().Quarantine(t.Context(), vault.Filter{}, func(a vault.Quarantined) error {
		lines = append(lines, fmt.Sprint("aside ", a.Table, a.Key, a.Patient, " ", a.Reason))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if spans {
		tookOver := texts(t, r.dst, "select distinct patient from deid.patient_former") // see madeOf
		for _, text := range r.made(t, vault.Filter{}) {
			if slices.Contains(tookOver, text.Patient) {
				continue
			}
			lines = append(lines, fmt.Sprint("spans ", text.Table, text.Column, text.Key, text.Patient, text.Spans))
		}
	}
	slices.Sort(lines)
	return lines
}

// made returns how texts were made.
func (r *replication) made(t *testing.T, of vault.Filter) []vault.MadeText {
	t.Helper()
	var list []vault.MadeText
	err := r.vault().Texts(t.Context(), of, func(text vault.MadeText) error {
		list = append(list, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// foundBy returns the detectors that found what of a type was replaced.
func (r *replication) foundBy(t *testing.T, phi string) []string {
	t.Helper()
	var by []string
	for _, text := range r.made(t, vault.Filter{}) {
		for _, s := range text.Spans {
			if s.Type == phi {
				by = append(by, s.By...)
			}
		}
	}
	slices.Sort(by)
	return slices.Compact(by)
}

// A vault of the time before it was sealed is refused: its values would stay readable.
func TestPlainVaultIsRefused(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cfg := p.hospital(t)
	migrateUp(t, cfg)
	do(t, p.onReplica(t), `update deid.schema_migrations set version = 4; insert into deid.date_shift values ('1', '\x01')`)
	err := sqlUp(t, cfg, migrations.Replica, sql.Options{})
	if err == nil || !strings.Contains(err.Error(), "in plain") || !strings.Contains(fault.Hint(err), "migrate down") {
		t.Errorf("over a vault in plain: %v", err)
	}
	want(t, p.onReplica(t), "(4,f)", "select (version, dirty)::text from deid.schema_migrations")
}
