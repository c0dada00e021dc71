package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
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
func (q Reprocess) Run(ctx context.Context, o session.Options, progress func(table string, read, total int64)) (ReprocessResult, error) {
	var res ReprocessResult
	for _, name := range q.Tables {
		if !strings.Contains(name, ".") {
			return res, fault.New("choose tables", fmt.Errorf("%q is no table", name), "write schema.table, as in the mapping")
		}
	}
	err := session.Once(ctx, o, func(r *session.Session, w *apply.Writer) error {
		for _, t := range r.Plan.Tables {
			if !t.IsNote() || len(q.Tables) > 0 && !slices.Contains(q.Tables, t.ID) {
				continue
			}
			total := r.Estimate(ctx, t)
			err := q.table(ctx, w, t, &res, func(read int64) {
				if progress != nil {
					progress(t.ID, read, total)
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
func (q Reprocess) table(ctx context.Context, w *apply.Writer, t *schema.Table, res *ReprocessResult, progress func(int64)) error {
	var after []string
	var total int64
	for {
		next, err := q.page(ctx, w, t, after, res)
		if err != nil {
			return err
		}
		total += int64(len(next.Items))
		progress(total)
		if next.Done {
			return nil
		}
		after = next.After
	}
}

// page works on one page and returns it.
func (q Reprocess) page(ctx context.Context, w *apply.Writer, t *schema.Table, after []string, res *ReprocessResult) (p deid.Page, err error) {
	read := func(ctx context.Context) ([]*deid.Item, error) {
		p, err = deid.ReadPage(ctx, w.Look.Source, t, after, q.All, rewriteRows)
		return p.Items, err
	}
	if q.DryRun {
		if _, err := read(ctx); err != nil {
			return p, err
		}
		return p, compareAll(ctx, w, p.Items, res)
	}
	if err := w.RedoAll(ctx, read, nil); err != nil {
		return p, err
	}
	for _, it := range p.Items {
		if it.Ends == nil {
			res.count(it, made(it) > 0)
		}
	}
	return p, nil
}

// compareAll de-identifies items and compares them with what is published,
// without writing anything.
func compareAll(ctx context.Context, w *apply.Writer, items []*deid.Item, res *ReprocessResult) error {
	g, published := apply.NewGroup(), map[deid.TextAt]string{}
	if err := w.Redo(ctx, items, g); err != nil {
		return err
	}
	if err := readGroupBodies(ctx, w, g, published); err != nil {
		return err
	}
	for _, v := range g.Order {
		res.count(v.Item, differs(v, published))
	}
	return nil
}

func (r *ReprocessResult) count(it *deid.Item, changed bool) {
	r.Read++
	if it.Out.Reason != "" {
		r.Aside++
	} else if changed {
		r.Changed++
	}
}

// made returns how many texts of an item were de-identified.
func made(it *deid.Item) int {
	n := 0
	for i, keep := range it.Out.Keep {
		if !keep && !it.Out.Texts[i].Null {
			n++
		}
	}
	return n
}

// differs compares the texts of v with what is published.
func differs(v *apply.Version, published map[deid.TextAt]string) bool {
	for n := range v.Table.Texts {
		was, there := published[deid.TextAt{RowKey: v.RowKey, Nth: n}]
		if v.Keep == nil || v.Keep[n] || !there {
			continue
		}
		if now := v.Values[v.Table.TextIndex(n)]; now == nil || *now != was {
			return true
		}
	}
	return false
}

// readGroupBodies reads the published texts of a group's rows.
func readGroupBodies(ctx context.Context, w *apply.Writer, g *apply.Group, into map[deid.TextAt]string) error {
	byTable := map[*schema.Table][][]string{}
	for _, v := range g.Order {
		if !v.Remove {
			byTable[v.Table] = append(byTable[v.Table], v.Key)
		}
	}
	for t, keys := range byTable {
		if err := deid.ReadBodies(ctx, w.Conn, t, keys, into); err != nil {
			return err
		}
	}
	return nil
}
