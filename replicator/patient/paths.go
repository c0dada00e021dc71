package patient

import (
	"context"
	"fmt"
	"maps"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pglogrepl"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Step returns what the rows with these values of a target lead to.
func (l *Lookups) Step(ctx context.Context, to schema.Target, values []string) (map[string]string, error) {
	via := to.Table.Leads()
	sql := fmt.Sprintf("select %s, %s from %s t0 where %s", to.List("t0"), via.List("t0"), l.at(to.Table), to.In("t0", 1))
	found := map[string]string{}
	err := schema.QueryText(ctx, l.Tables, sql, func(row [][]byte) error {
		value, _ := to.Read(row)
		if next, ok := via.Read(row[to.Width():]); ok {
			found[value] = next
		}
		return nil
	}, to.Args(values)...)
	return found, fault.New("follow paths through table "+to.Table.ID, err, "run 'pgdeid migrate up'")
}

// PathKey is a value that another table's path looks up.
type PathKey struct {
	phi.Redacted

	target schema.Target
	value  string
}

// pathCache remembers which patient such a value leads to: PHI, in memory only.
type pathCache = lru.Cache[PathKey, string]

// pathEntries bounds the cache: some 30 MB.
const pathEntries = 200_000

// PatientKeys finds the source key of each row's patient; "" where there is none, or
// where there are several, whose keys are returned by the row's index. rows and tables
// run in parallel; a nil row has no patient.
func (l *Lookups) PatientKeys(ctx context.Context, tables []*schema.Table, rows [][]schema.Value) (keys []string, several map[int][]string, err error) {
	keys, several, err = l.PatientIDs(ctx, tables, rows)
	if err == nil {
		l.FollowMerges(keys, several)
	}
	return keys, several, err
}

// PatientIDs is [Lookups.PatientKeys] without regard to ids that stand for others.
func (l *Lookups) PatientIDs(ctx context.Context, tables []*schema.Table, rows [][]schema.Value) (keys []string, several map[int][]string, err error) {
	keys, several = make([]string, len(rows)), map[int][]string{}
	wanted := map[schema.Target]map[string][]int{}
	for i, row := range rows {
		t := tables[i]
		if row == nil {
			continue
		}
		v, ok := t.Leading(row)
		if !ok {
			continue
		}
		to := schema.Target{Table: t.Next, Column: t.Into}
		if t.Holds(row) {
			keys[i] = l.canonical(v)
		} else if key, ok := l.Paths.Get(PathKey{target: to, value: v}); ok {
			keys[i] = key
		} else {
			if wanted[to] == nil {
				wanted[to] = map[string][]int{}
			}
			wanted[to][v] = append(wanted[to][v], i)
		}
	}
	gen := l.PathGen.Load()
	for to, values := range wanted {
		found, err := l.followPath(ctx, to, slices.Collect(maps.Keys(values)))
		if err != nil {
			return nil, nil, err
		}
		for v, owners := range found {
			if len(owners) > 1 {
				for _, i := range values[v] {
					several[i] = owners
				}
				continue
			}
			for _, i := range values[v] {
				keys[i] = owners[0]
			}
			if l.PathGen.Load() == gen { // nothing was forgotten since
				l.Paths.Add(PathKey{target: to, value: v}, owners[0])
			}
		}
	}
	return keys, several, nil
}

// FollowMerges puts those in the place of ids for whom they stand.
func (l *Lookups) FollowMerges(keys []string, several map[int][]string) {
	if !l.Plan.Config.Merging() {
		return
	}
	for i, key := range keys {
		owners := several[i]
		if key != "" {
			owners = []string{key}
		}
		if len(owners) == 0 {
			continue
		}
		var survivors []string
		for _, id := range owners {
			if who := l.Merges.Survivor(id); !slices.Contains(survivors, who) {
				survivors = append(survivors, who)
			}
		}
		delete(several, i)
		if keys[i] = survivors[0]; len(survivors) > 1 || survivors[0] == "" {
			keys[i], several[i] = "", slices.DeleteFunc(owners, func(id string) bool { return id == "" })
		}
	}
}

// followPath looks up the keys of the patients that values of a target lead to.
func (l *Lookups) followPath(ctx context.Context, to schema.Target, values []string) (map[string][]string, error) {
	clause, patient, alias := to.Table.From(l.at)
	sql := fmt.Sprintf("select %s, %s from %s where %s", to.List("t0"), patient.List(alias), clause, to.In("t0", 1))
	found := map[string][]string{}
	err := schema.QueryText(ctx, l.Tables, sql, func(row [][]byte) error {
		value, _ := to.Read(row)
		if key, ok := patient.Read(row[to.Width():]); ok {
			addOwner(found, value, l.canonical(key))
		}
		return nil
	}, to.Args(values)...)
	return found, fault.New("follow paths through table "+to.Table.ID, err, "run 'pgdeid migrate up'")
}

// addOwner takes in a row that leads a value to a patient. Several rows may lead to one.
func addOwner(found map[string][]string, value, key string) {
	if !slices.Contains(found[value], key) {
		found[value] = append(found[value], key)
	}
}

// ForgetPath drops what is remembered of a row that changed.
func (r *Register) ForgetPath(c *schema.Change) {
	t := c.Table
	if len(t.Lookups) == 0 {
		return
	}
	r.PathGen.Add(1)
	if r.Plan.Inner[t] {
		r.Paths.Purge()
		return
	}
	for _, i := range t.Lookups {
		if c.Op != schema.InsertOp && !t.InKey(i) { // the stream does not say what it was before
			r.Paths.Purge()
			return
		}
		for _, row := range [][]schema.Value{c.Old, c.Row} {
			if row != nil {
				r.Paths.Remove(PathKey{target: schema.Target{Table: t, Column: i}, value: row[i].Text})
			}
		}
	}
}

// PathChange says that a row changed which leads others to their patient, so that those
// must be read again, of whichever patients they were and are. Its value is the source's: it prints
// itself redacted.
type PathChange struct {
	phi.Redacted

	Target schema.Target
	Value  string
	Hash   string // keyed: identifies the row in the vault
	LSN    pglogrepl.LSN
	Fresh  bool // the row is new: only rows that were set aside can be under it
}

// Key returns what names the row, as the vault seals it.
func (p *PathChange) Key() []string {
	return []string{p.Target.Table.ID, p.Target.Table.Columns[p.Target.Column].Name, p.Value}
}

// PathChange returns the change of the row that a value leads to.
func (r *Register) PathChange(to schema.Target, value string) PathChange {
	p := PathChange{Target: to, Value: value}
	p.Hash = string(r.Key.HMAC("path", p.Key()...))
	return p
}

// OpenPath is the inverse of key. A row of a table that is not mapped any more has no
// rows under it.
func OpenPath(p *schema.Plan, key []string) *PathChange {
	if len(key) != 3 || p.ByID[key[0]] == nil {
		return &PathChange{Target: schema.Target{Table: &schema.Table{}}}
	}
	t := p.ByID[key[0]]
	return &PathChange{Target: schema.Target{Table: t, Column: t.ColumnIndex(key[1])}, Value: key[2]}
}

// Leads returns what a change of the stream means for the rows that find their patient
// through its row, also through one that is deleted: they have no patient then.
func (r *Register) Leads(c *schema.Change) []PathChange {
	if c.Read {
		return nil
	}
	var list []PathChange
	for _, i := range c.Table.Lookups {
		for _, row := range [][]schema.Value{c.Old, c.Row} { // what the row led to before lost its patient
			if row == nil || row[i].State != schema.Present {
				continue
			}
			p := r.PathChange(schema.Target{Table: c.Table, Column: i}, row[i].Text)
			p.LSN, p.Fresh = c.LSN, c.Op == schema.InsertOp
			list = append(list, p)
		}
	}
	return list
}
