package patient

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Read loads patients from the databases.
func (l *Lookups) Read(ctx context.Context, keys []string) ([]*Patient, error) {
	records, parts, err := l.readRecords(ctx, keys)
	if err != nil {
		return nil, err
	}
	byPseudonym := map[string]*Patient{}
	var list []*Patient
	var pseudonyms []string
	for _, key := range keys {
		name, err := l.PseudonymOf(key)
		if err != nil {
			return nil, err
		}
		p := &Patient{Key: key, Pseudonym: name, Ledger: &Ledger{}}
		if y := records[key]; y != nil && len(y.Record) > 0 {
			p.Gazetteer, p.record, p.rest = record.NewGazetteer(y.Record), hashRecord(l.Key, y.Record), y.rest
			if p.members, err = l.membersOf(parts[key]); err != nil {
				return nil, err
			}
		}
		byPseudonym[name] = p
		list = append(list, p)
		pseudonyms = append(pseudonyms, name)
	}
	if err := l.readVault(ctx, pseudonyms, byPseudonym); err != nil {
		return nil, err
	}
	if err := l.readFormer(ctx, pseudonyms, byPseudonym); err != nil {
		return nil, err
	}
	if err := l.readRepairs(ctx, byPseudonym); err != nil {
		return nil, err
	}
	return list, l.readBefore(ctx, list)
}

// PseudonymOf returns the published key of a patient.
func (r *Register) PseudonymOf(key string) (string, error) {
	return Pseudonym(r.Key, r.Plan.Config.PatientKey, config.PatientDomain, key)
}

// Records reads what the tables tell of patients, by source key.
func (l *Lookups) Records(ctx context.Context, keys []string) (map[string]*Tally, error) {
	records, _, err := l.readRecords(ctx, keys)
	return records, err
}

// readRecords is [Lookups.Records], and returns what rows tell of each id where other ids stand for a patient.
func (l *Lookups) readRecords(ctx context.Context, keys []string) (records map[string]*Tally, parts map[string]map[string]*Tally, err error) {
	records, parts = map[string]*Tally{}, map[string]map[string]*Tally{}
	for _, key := range keys {
		if ids := l.Merges.Members(key); len(ids) > 1 {
			parts[key] = map[string]*Tally{}
			for _, id := range ids {
				parts[key][id] = newTally()
			}
		}
	}
	for _, t := range l.Plan.Tables {
		if !t.TellsPatient() {
			continue
		}
		clause, patient, alias := t.From(l.at)
		sql := fmt.Sprintf("select %s, %s from %s where %s order by %s",
			patient.List(alias), t.TellingColumns(), clause, patient.In(alias, 1), t.NewestFirst())
		err := schema.QueryText(ctx, l.Tables, sql, func(row [][]byte) error {
			value, _ := patient.Read(row)
			id := l.canonical(value)
			key := l.Merges.Survivor(id)
			if records[key] == nil {
				records[key] = newTally()
			}
			addRow(records[key], t, row[patient.Width():])
			if part := parts[key][id]; part != nil {
				addRow(part, t, row[patient.Width():])
			}
			return nil
		}, patient.Args(l.Merges.under(keys))...)
		if err != nil {
			return nil, nil, readFault(t, err)
		}
	}
	for _, y := range records {
		y.done()
	}
	return records, parts, nil
}

// membersOf returns what records have of ids, in their order.
func (r *Register) membersOf(parts map[string]*Tally) ([]member, error) {
	var list []member
	for _, id := range slices.Sorted(maps.Keys(parts)) {
		name, err := r.PseudonymOf(id)
		if err != nil {
			return nil, err
		}
		list = append(list, member{key: id, pseudonym: name, tally: parts[id]})
	}
	return list, nil
}

func readFault(t *schema.Table, err error) error {
	hint := "run 'pgdeid migrate up', which makes the foreign tables and grants the reader's role"
	if fault.State(err) == "08001" || fault.State(err) == "HV00N" {
		hint = "check source.foreign_host: the replica's server must reach the source's; or set gazetteers: direct"
	}
	return fault.New("read what table "+t.ID+" tells of patients", err, hint)
}

// addRow adds a row of tellingColumns to a record.
func addRow(y *Tally, t *schema.Table, row [][]byte) {
	for i, value := range row {
		if value == nil {
			continue
		}
		t.Columns[t.Telling[i]].EachRole(string(value), func(role record.Role, v string) {
			if role == record.BirthDate && len(v) > len("2006-01-02") {
				v = v[:len("2006-01-02")] // of a timestamp
			}
			y.add(role, v)
		})
	}
}

// hashRecord returns a keyed hash that two records share only if they say the same.
func hashRecord(key *surrogate.Key, rec record.Record) string {
	sorted := make(map[record.Role][]string, len(rec))
	for role, values := range rec {
		sorted[role] = slices.Sorted(slices.Values(values))
	}
	data, err := json.Marshal(sorted) // maps are written in the order of their keys
	if err != nil {
		return "" // strings can't fail to marshal
	}
	return string(key.HMAC("record", string(data)))
}
