package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
)

// A page of notes is made anew without a turn to write, so that the stream does not wait for detectors, and
// compared with what is published. Notes that come out as they are published are noted in their provenance as
// made by this version; no row is written for them. The others are made again, and written under the write lock,
// as all that does not come in the stream. What was seen without the lock decides nothing but which these
// are: where the stream writes a note in between, its provenance is left alone.

// pageNotes is about how many notes are made, and at most rewritten in one transaction: more would hold up the stream.
const pageNotes = 100

// Reprocess says which notes to de-identify again.
type Reprocess struct {
	Tables []string // "schema.name"; none means all
	All    bool     // also notes that were made with this very version and configuration
	DryRun bool     // write nothing
}

// Run goes through the source's notes and rewrites those that come out otherwise than they are published,
// made with this version and configuration. Notes that are done already are passed quickly, so that it can be stopped and started again.
func (q Reprocess) Run(ctx context.Context, o session.Options, progress func(table string, read, total int64)) (ReprocessResult, error) {
	p := reprocessing{Reprocess: q, res: ReprocessResult{Spans: newSpanChanges()}}
	for _, name := range q.Tables {
		if !strings.Contains(name, ".") {
			return p.res, fault.New("choose tables", fmt.Errorf("%q is no table", name), "write schema.table, as in the mapping")
		}
	}
	err := session.Once(ctx, o, func(r *session.Session) (err error) {
		if p.m, err = r.NewRemaker(ctx); err != nil {
			return err
		}
		p.seals = r.Seals
		for _, t := range r.Plan.Tables {
			if !t.IsNote() || len(q.Tables) > 0 && !slices.Contains(q.Tables, t.ID) {
				continue
			}
			total := r.Estimate(ctx, t)
			err := p.table(ctx, t, func(read int64) {
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
	return p.res, err
}

// table goes through one table in the order of its key.
func (p *reprocessing) table(ctx context.Context, t *schema.Table, progress func(int64)) error {
	var after []string
	var total int64
	for {
		page, err := p.page(ctx, t, after)
		if err != nil {
			return err
		}
		total += int64(len(page.Items))
		progress(total)
		if page.Done {
			return nil
		}
		after = page.After
	}
}

// asked is how rows are made anew.
func (p *reprocessing) asked() deid.Request { return deid.Request{Only: true, Anew: p.All} }

// page works on one page and returns it.
func (p *reprocessing) page(ctx context.Context, t *schema.Table, after []string) (page deid.Page, err error) {
	var seen findings
	err = p.m.Try(ctx, func(ctx context.Context) ([]*deid.Item, error) {
		page, err = deid.ReadPage(ctx, p.m.Look.Source, t, after, p.asked(), pageNotes)
		return page.Items, err
	}, func(ctx context.Context, g *apply.Group) (err error) {
		seen, err = p.compare(ctx, t, page.Items, g)
		return err
	})
	if err != nil || p.DryRun || len(seen.rewrite)+len(seen.same) == 0 {
		return page, err
	}
	return page, p.m.Remake(ctx, func(ctx context.Context) ([]*deid.Item, error) {
		if len(seen.rewrite) == 0 {
			return nil, nil
		}
		return readAgain(ctx, p.m.Look, t, seen.rewrite, p.asked())
	}, func(ctx context.Context, tx pgx.Tx) error {
		return p.m.Confirm(ctx, tx, seen.same)
	})
}
