package tables

import (
	"context"
	"errors"

	"github.com/pgdeid/pgdeid/replicator/desk"

	"github.com/pgdeid/pgdeid/internal/value"
	"github.com/pgdeid/pgdeid/replicator/pgwire"
	"github.com/pgdeid/pgdeid/replicator/vault"
)

// vaultOpener is an [Engine] that can open the replica's vault.
type vaultOpener interface {
	// OpenVault calls do with the vault of the replica.
	OpenVault(ctx context.Context, do func(*vault.Reader) error) error
}

var _ vaultOpener = (*desk.Desk)(nil)

var errNoVault = errors.New("this engine has no vault")

// readVault adds rows about one patient, whose pseudonym the replica has.
type readVault func(ctx context.Context, v *vault.Reader, of vault.Filter, add func(value.Row) error) error

func vaultTable(name string, estimate float64, read readVault, columns ...pgwire.Column) table {
	patient := pgwire.Column{Name: colPseudonym, Type: value.Text, Role: pgwire.Needed}
	return table{
		pgwire.Table{Name: name, Rows: estimate, Columns: append([]pgwire.Column{patient}, columns...), Hint: "say WHERE patient = …, as the replica has it"},
		func(ctx context.Context, c *call) ([]value.Row, error) { return c.vault(ctx, read) },
	}
}

func shiftTable() table {
	return vaultTable("vault_shift", 1, func(ctx context.Context, v *vault.Reader, of vault.Filter, add func(value.Row) error) error {
		return v.Shifts(ctx, of, func(s vault.Shift) error {
			return add(value.Row{text(s.Patient), number(s.Days)})
		})
	}, pgwire.Column{Name: "days", Type: value.Int4})
}

func vaultSpanTable() table {
	column := func(name string, typ value.Type) pgwire.Column { return pgwire.Column{Name: name, Type: typ} }
	return vaultTable("vault_span", 1000, func(ctx context.Context, v *vault.Reader, of vault.Filter, add func(value.Row) error) error {
		return v.Texts(ctx, of, func(t vault.MadeText) error {
			for _, s := range t.Spans {
				row := append(value.Row{text(t.Patient), text(t.Table), text(t.Column), text(t.Key)}, spanValues(s.Start, s.End, s.Type, s.By)...)
				if err := add(row); err != nil {
					return err
				}
			}
			return nil
		})
	}, column("table_name", value.Text), column("column_name", value.Text), column("row_key", value.Text),
		column("span_start", value.Int4), column("span_end", value.Int4), column("phi_type", value.Text), column("detectors", value.TextList))
}

// vault reads the vault, one patient at a time. Only a steward may see it.
func (c *call) vault(ctx context.Context, read readVault) ([]value.Row, error) {
	if !c.Who.Steward {
		return nil, &pgwire.Error{
			State: stateNoRight, Message: "permission denied for table " + c.table.Name,
			Hint: "the user's line in the file of 'pgdeid serve --users' must say steward as well",
		}
	}
	opener, ok := c.engine.(vaultOpener)
	if !ok {
		return nil, errNoVault
	}
	var rows []value.Row
	for _, r := range c.Inputs {
		patient := r[0].Text
		if patient == "" { // means all patients to the vault
			continue
		}
		if err := c.take(0, []string{patient}); err != nil {
			return nil, err
		}
		before := len(rows)
		err := opener.OpenVault(ctx, func(v *vault.Reader) error {
			rows = rows[:before] // a connection that broke may have given some
			return read(ctx, v, vault.Filter{Patient: patient}, func(one value.Row) error {
				rows = append(rows, one)
				return c.Room(spanBytes)
			})
		})
		if err != nil {
			return nil, err
		}
		c.counts.Patients = append(c.counts.Patients, patient)
	}
	return rows, nil
}
