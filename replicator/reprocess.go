package replicator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
)

// rewriteRows is how many notes are rewritten in one transaction: more would hold
// up the stream.
const rewriteRows = 100

// Reprocess says which notes to de-identify again.
type Reprocess struct {
	Tables []string // "schema.name"; none means all
	All    bool     // also notes that were made with this very version and configuration
	DryRun bool     // only count the notes that would look different
}

// ReprocessResult counts notes.
type ReprocessResult struct {
	Read    int64 `json:"read"`
	Changed int64 `json:"changed"` // rewritten, or with DryRun: would be
	Aside   int64 `json:"aside"`   // could not be de-identified: set aside, or would be
}

// Run goes through the source's notes and rewrites those whose published version
// was made from another text, record, version or configuration. Notes that are
// done already are passed quickly, so that it can be stopped and started again.
func (q Reprocess) Run(ctx context.Context, o Options, progress func(table string, read, total int64)) (ReprocessResult, error) {
	var res ReprocessResult
	for _, name := range q.Tables {
		if !strings.Contains(name, ".") {
			return res, fault.New("choose tables", fmt.Errorf("%q is no table", name), "write schema.table, as in the mapping")
		}
	}
	err := once(ctx, o, func(r *session, w *writer) error {
		for _, t := range r.plan.tables {
			if !t.isNote() || len(q.Tables) > 0 && !slices.Contains(q.Tables, t.id) {
				continue
			}
			total := r.estimate(ctx, t)
			err := q.table(ctx, w, t, &res, func(read int64) {
				if progress != nil {
					progress(t.id, read, total)
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return res, err
}

// table goes through one table in the order of its key.
func (q Reprocess) table(ctx context.Context, w *writer, t *table, res *ReprocessResult, progress func(int64)) error {
	var after []string
	var total int64
	for {
		items, err := q.page(ctx, w, t, after, res)
		if err != nil {
			return err
		}
		total += int64(len(items))
		progress(total)
		if len(items) < rewriteRows {
			return nil
		}
		after, _ = t.keyTexts(items[len(items)-1].change.row)
	}
}

// page works on one page and returns its items.
func (q Reprocess) page(ctx context.Context, w *writer, t *table, after []string, res *ReprocessResult) (items []*item, err error) {
	read := func(ctx context.Context) ([]*item, error) {
		items, err = readPage(ctx, w.look.source, t, after, q.All, rewriteRows)
		return items, err
	}
	if q.DryRun {
		if _, err := read(ctx); err != nil {
			return nil, err
		}
		return items, compareAll(ctx, w, items, res)
	}
	if err := w.redoAll(ctx, read, nil); err != nil {
		return nil, err
	}
	for _, it := range items {
		res.count(it, made(it) > 0)
	}
	return items, nil
}

// compareAll de-identifies items and compares them with what is published,
// without writing anything.
func compareAll(ctx context.Context, w *writer, items []*item, res *ReprocessResult) error {
	g, published := newGroup(), map[textAt]string{}
	if err := w.redo(ctx, items, g); err != nil {
		return err
	}
	if err := readGroupBodies(ctx, w, g, published); err != nil {
		return err
	}
	for _, v := range g.order {
		res.count(v.item, differs(v, published))
	}
	return nil
}

func (r *ReprocessResult) count(it *item, changed bool) {
	r.Read++
	if it.out.reason != "" {
		r.Aside++
	} else if changed {
		r.Changed++
	}
}

// made returns how many texts of an item were de-identified.
func made(it *item) int {
	n := 0
	for i, keep := range it.out.keep {
		if !keep && !it.out.texts[i].null {
			n++
		}
	}
	return n
}

// differs compares the texts of v with what is published.
func differs(v *version, published map[textAt]string) bool {
	for n := range v.table.texts {
		was, there := published[textAt{v.rowKey, n}]
		if v.keep == nil || v.keep[n] || !there {
			continue
		}
		if now := v.values[v.table.textIndex(n)]; now == nil || *now != was {
			return true
		}
	}
	return false
}

// readGroupBodies reads the published texts of a group's rows.
func readGroupBodies(ctx context.Context, w *writer, g *group, into map[textAt]string) error {
	byTable := map[*table][][]string{}
	for _, v := range g.order {
		if !v.remove {
			byTable[v.table] = append(byTable[v.table], v.key)
		}
	}
	for t, keys := range byTable {
		if err := readBodies(ctx, w.conn, t, keys, into); err != nil {
			return err
		}
	}
	return nil
}

// readPage reads a page of t's rows after a key.
func readPage(ctx context.Context, source *pgx.Conn, t *table, after []string, fresh bool, limit int) ([]*item, error) {
	where, args := "", []any(nil)
	if after != nil {
		where = "where " + t.afterKey(1)
		for _, v := range after {
			args = append(args, v)
		}
	}
	sql := fmt.Sprintf("select %s from %s t0 %s order by %s limit %d", t.columnList(), t.source(), where, t.keyList(), limit)
	var items []*item
	err := queryText(ctx, source, sql, func(raw [][]byte) error {
		it := rowItem(&change{op: insertOp, table: t, row: t.rowOf(raw), read: true})
		it.only, it.fresh = true, fresh
		items = append(items, it)
		return nil
	}, args...)
	return items, fault.New("read notes of table "+t.id, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}
