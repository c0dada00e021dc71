package replicator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// lookups reads what a row alone does not tell. It belongs to one goroutine; the
// cache is shared.
type lookups struct {
	*register
	replica *pgx.Conn // the vault; outside of transactions
	tables  *pgx.Conn // gazetteers: the replica with its foreign tables, or the source
	source  *pgx.Conn // rows that are read again
}

// queryText runs a query and passes its rows, all values in text format; nil is
// NULL. The slices are valid during the call only.
func queryText(ctx context.Context, conn *pgx.Conn, sql string, each func(row [][]byte) error, args ...any) error {
	rows, err := conn.Query(ctx, sql, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, args...)...)
	if err != nil {
		return connect.Lost(conn, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.RawValues()); err != nil {
			return err
		}
	}
	return connect.Lost(conn, rows.Err())
}

// load returns the patients with these source keys, pinned. What the cache does
// not hold is read in one query for each table.
func (l *lookups) load(ctx context.Context, keys []string) (map[string]*patient, error) {
	found := make(map[string]*patient, len(keys))
	var missing []string
	for _, key := range keys {
		if _, ok := found[key]; ok || slices.Contains(missing, key) {
			continue
		}
		if p := l.cache.pin(key); p != nil {
			found[key] = p
		} else {
			missing = append(missing, key)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	gen := l.cache.generation()
	loaded, err := l.read(ctx, missing)
	if err != nil {
		for _, p := range found {
			l.cache.unpin(p)
		}
		return nil, err
	}
	for _, p := range loaded {
		found[p.key] = l.cache.put(p, gen)
	}
	return found, nil
}

// read loads patients from the databases.
func (l *lookups) read(ctx context.Context, keys []string) ([]*patient, error) {
	records, err := l.records(ctx, keys)
	if err != nil {
		return nil, err
	}
	byPseudonym := map[string]*patient{}
	var list []*patient
	var pseudonyms []string
	for _, key := range keys {
		name, err := l.pseudonymOf(key)
		if err != nil {
			return nil, err
		}
		p := &patient{key: key, pseudonym: name, ledger: &ledger{}}
		if y := records[key]; y != nil && len(y.record) > 0 {
			p.gazetteer, p.record, p.rest = record.NewGazetteer(y.record), hashRecord(l.key, y.record), y.rest
		}
		byPseudonym[name] = p
		list = append(list, p)
		pseudonyms = append(pseudonyms, name)
	}
	if err := l.readVault(ctx, pseudonyms, byPseudonym); err != nil {
		return nil, err
	}
	return list, l.readFormer(ctx, pseudonyms, byPseudonym)
}

// pseudonymOf returns the published key of a patient.
func (r *register) pseudonymOf(key string) (string, error) {
	return pseudonym(r.key, r.plan.config.PatientKey, config.PatientDomain, key)
}

// records reads what the tables tell of patients, by source key.
func (l *lookups) records(ctx context.Context, keys []string) (map[string]*tally, error) {
	records := map[string]*tally{}
	for _, t := range l.plan.tables {
		if !t.tellsPatient() {
			continue
		}
		clause, patient, holder := t.from(l.at)
		typ := arrayType(holder.columns[holder.via].typ)
		sql := fmt.Sprintf("select %s, %s from %s where %s = any($1::%s) order by %s",
			patient, t.tellingColumns(), clause, patient, typ, t.newestFirst())
		err := queryText(ctx, l.tables, sql, func(row [][]byte) error {
			key := l.canonical(string(row[0]))
			if records[key] == nil {
				records[key] = newTally()
			}
			addRow(records[key], t, row[1:])
			return nil
		}, arrayLiteral(keys))
		if err != nil {
			return nil, readFault(t, err)
		}
	}
	for _, y := range records {
		y.done()
	}
	return records, nil
}

func readFault(t *table, err error) error {
	hint := "run 'pgdeid migrate up', which makes the foreign tables and grants the reader's role"
	if fault.State(err) == "08001" || fault.State(err) == "HV00N" {
		hint = "check source.foreign_host: the replica's server must reach the source's; or set gazetteers: direct"
	}
	return fault.New("read what table "+t.id+" tells of patients", err, hint)
}

func (t *table) tellingColumns() string {
	names := make([]string, len(t.telling))
	for i, c := range t.telling {
		names[i] = "t0." + quote(t.columns[c].Name)
	}
	return strings.Join(names, ", ")
}

// newestFirst orders rows by their keys, downwards: what was added last has the highest.
func (t *table) newestFirst() string {
	names := make([]string, len(t.key))
	for i, k := range t.key {
		names[i] = "t0." + quote(t.columns[k].Name) + " desc"
	}
	return strings.Join(names, ", ")
}

// addRow adds a row of tellingColumns to a record.
func addRow(y *tally, t *table, row [][]byte) {
	for i, c := range t.telling {
		if row[i] == nil {
			continue
		}
		v := string(row[i])
		if t.columns[c].Tells == record.BirthDate && len(v) > len("2006-01-02") {
			v = v[:len("2006-01-02")] // of a timestamp
		}
		y.add(t.columns[c].Tells, v)
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
