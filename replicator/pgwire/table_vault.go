package pgwire

import (
	"context"
	"errors"
	"io"

	"github.com/pgdeid/pgdeid/replicator"
)

// Columns of the vault's tables.
const colPseudonym = "patient"

var pseudonymColumn = column{colPseudonym, oidText, true, "patient as the replica has it, in text form"}

// vaultOpener is an [Engine] that can open the replica's vault.
type vaultOpener interface {
	// OpenVault calls do with the vault of the replica.
	OpenVault(ctx context.Context, do func(*replicator.Vault) error) error
}

// OpenVault implements vaultOpener.
func (c *Collector) OpenVault(ctx context.Context, do func(*replicator.Vault) error) error {
	if v, ok := c.engine.(vaultOpener); ok {
		return v.OpenVault(ctx, do)
	}
	return errNoVault
}

var errNoVault = errors.New("this engine has no vault")

func shiftTable() *table {
	return &table{
		name:    "vault_shift",
		comment: "By how many days a patient's dates were moved, for stewards: SELECT days FROM vault_shift WHERE patient = …",
		columns: []column{pseudonymColumn, {"days", oidInt4, false, "days, negative into the past"}},
		needs:   []string{colPseudonym},
		how:     "say WHERE patient = …, as the replica has it",
		rows:    1,
		open: func(q *query) (source, *failure) {
			return openVault(q, func(ctx context.Context, v *replicator.Vault, of replicator.VaultOf, add func(row) error) error {
				return v.Shifts(ctx, of, func(s replicator.VaultShift) error { return add(row{textDatum(s.Patient), intDatum(s.Days)}) })
			})
		},
	}
}

func vaultSpanTable() *table {
	return &table{
		name:    "vault_span",
		comment: "Where surrogates stand in a patient's published texts, for stewards: SELECT * FROM vault_span WHERE patient = …",
		columns: []column{
			pseudonymColumn,
			{"table_name", oidText, false, "table of the replica, schema.name"},
			{"column_name", oidText, false, "text column"},
			{"row_key", oidText, false, "published primary key as a JSON array of texts"},
			{"span_start", oidInt4, false, "characters of the published text before the surrogate"},
			{"span_end", oidInt4, false, "characters before the surrogate's end"},
			{"phi_type", oidText, false, "type of protected health information, as i2b2 2014 names it"},
			{"detectors", oidTextArray, false, "which detectors found the original"},
		},
		needs: []string{colPseudonym},
		how:   "say WHERE patient = …, as the replica has it",
		rows:  1000,
		open: func(q *query) (source, *failure) {
			return openVault(q, func(ctx context.Context, v *replicator.Vault, of replicator.VaultOf, add func(row) error) error {
				return v.Texts(ctx, of, func(t replicator.VaultText) error {
					for _, s := range t.Spans {
						err := add(row{
							textDatum(t.Patient), textDatum(t.Table), textDatum(t.Column), textDatum(t.Key), intDatum(s.Start), intDatum(s.End),
							textDatum(s.Type), textList(s.By),
						})
						if err != nil {
							return err
						}
					}
					return nil
				})
			})
		},
	}
}

// vaultRows reads the vault, one patient at a time.
type vaultRows struct {
	*query
	patients []datum
	read     func(ctx context.Context, v *replicator.Vault, of replicator.VaultOf, add func(row) error) error
}

// openVault begins a scan of the vault, which only a steward may see.
func openVault(q *query, read func(context.Context, *replicator.Vault, replicator.VaultOf, func(row) error) error) (source, *failure) {
	if !q.account.steward() {
		return nil, failf(stateNoRight, "permission denied for table %s", q.table.name).
			hinted("the user's line in the file of 'pgdeid serve --users' must say steward as well")
	}
	return &vaultRows{query: q, patients: q.input(colPseudonym), read: read}, nil
}

func (r *vaultRows) next(ctx context.Context, _ int) ([]row, error) {
	if len(r.patients) == 0 {
		return nil, io.EOF
	}
	patient := r.patients[0].text
	r.patients = r.patients[1:]
	if patient == "" { // means all patients to the vault
		return nil, nil
	}
	if limit, err := r.account.take(0, []string{patient}); err != nil {
		r.countLimited(r.table, limit, 0)
		return nil, err
	}
	var rows []row
	var held int64
	defer func() { r.budget.giveBack(held) }()
	opener, ok := r.engine.(vaultOpener)
	if !ok {
		return nil, errNoVault
	}
	err := opener.OpenVault(ctx, func(v *replicator.Vault) error {
		rows = rows[:0] // a connection that broke may have given some
		return r.read(ctx, v, replicator.VaultOf{Patient: patient}, func(one row) error {
			if err := r.budget.take(spanBytes); err != nil { // until the scan accounts for the rows
				return err
			}
			held += spanBytes
			rows = append(rows, one)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	r.count(r.table, []string{patient}, 0, 0, 0)
	if len(r.patients) == 0 {
		return rows, io.EOF
	}
	return rows, nil
}
