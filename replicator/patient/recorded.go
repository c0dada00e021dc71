package patient

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgdeid/pgdeid/replicator/schema"
)

// PatientsWithRecords returns the source keys of all patients of whom tables tell something, each once, as those under whom their rows are published.
func (l *Lookups) PatientsWithRecords(ctx context.Context) ([]string, error) {
	seen := map[string]bool{}
	for _, t := range l.Plan.Tables {
		if !t.TellsPatient() {
			continue
		}
		clause, patient, alias := t.From(l.at)
		query := fmt.Sprintf("select distinct %s from %s", patient.List(alias), clause)
		err := schema.QueryText(ctx, l.Tables, query, func(row [][]byte) error {
			if value, ok := patient.Read(row); ok {
				if key := l.Merges.Survivor(l.canonical(value)); key != "" {
					seen[key] = true
				}
			}
			return nil
		})
		if err != nil {
			return nil, readFault(t, err)
		}
	}
	keys := make([]string, 0, len(seen))
	for key := range seen {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys, nil
}
