package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/pgdeid/pgdeid/ensemble/harvest"
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/internal/config"
	"github.com/pgdeid/pgdeid/internal/connect"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/metrics"
	"github.com/pgdeid/pgdeid/replicator/patient"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/session"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Notes reads the notes of a mapping from the source, for package harvest: tables in
// the order of the mapping, rows in the order of their keys, as they are at that
// moment. It writes nothing, to neither database. It belongs to one goroutine.
type Notes struct {
	run     *session.Session
	look    *patient.Lookups
	tables  []*schema.Table
	authors map[*schema.Table][]int // columns that tell who wrote a row
	site    *record.Gazetteer

	unreadable sync.Once // says that some notes are
}

// OpenNotes connects to the source, and to the replica for what leads to the patients'
// records. author names the column of the note tables with who wrote a note; ""
// means those that tell a provider's name or login. Notes of a table without one count
// for no author; where no table has one, unsigned must be true. Close must be called.
func OpenNotes(ctx context.Context, cfg *config.Config, author string, unsigned bool, log *slog.Logger) (_ *Notes, err error) {
	r := &session.Session{Cfg: cfg, Opts: &session.Options{Config: cfg, Log: log, Metrics: metrics.New()}, Log: log}
	n := &Notes{run: r, authors: map[*schema.Table][]int{}}
	defer func() {
		if err != nil {
			n.Close()
		}
	}()
	if err = r.Connect(ctx); err != nil {
		return nil, err
	}
	p, err := schema.NewPlan(ctx, cfg, r.Source, r.Control)
	if err != nil {
		return nil, err
	}
	site, err := r.ReadSite(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(site) > 0 {
		n.site = record.NewGazetteer(site)
	}
	r.Plan = p
	if r.Reg, err = n.register(ctx, &patient.Directory{Gazetteer: n.site}); err != nil {
		return nil, err
	}
	if err = n.choose(author, unsigned); err != nil {
		return nil, err
	}
	n.look, err = r.NewLookups(ctx)
	return n, err
}

// register knows patients and, where some stay out of the replica, who they are.
func (n *Notes) register(ctx context.Context, site *patient.Directory) (*patient.Register, error) {
	p := n.run.Plan
	purged, err := patient.ReadPurged(ctx, n.run.Control)
	if err != nil {
		return nil, err
	}
	var key *surrogate.Key
	if p.Config.Filtered() || p.Config.Merging() || purged.Any { // the vault names patients by hashes
		if key, err = surrogate.ReadKey(p.Config.KeyFile); err != nil {
			return nil, err
		}
	}
	reg, err := patient.NewRegister(p, key, nil, site)
	if err != nil {
		return nil, err
	}
	reg.Purged = purged
	if err := reg.ReadMerges(ctx, n.run.Control); err != nil {
		return nil, err
	}
	return reg, n.checkFilters(ctx)
}

// checkFilters makes sure that the replica knows which patients stay out: it does so once their tables were copied.
func (n *Notes) checkFilters(ctx context.Context) error {
	const op = "find out which patients stay out"
	cfg := n.run.Plan.Config
	for _, f := range cfg.Filters {
		var done bool
		err := n.run.Control.QueryRow(ctx, "select exists (select from deid.snapshot where slot = $1 and table_name = $2 and done)",
			cfg.Source.Slot, f.Table).Scan(&done)
		if err != nil {
			return fault.New(op, connect.Lost(n.run.Control, err), "run 'pgdeid migrate up'")
		}
		if !done {
			return fault.New(op, fmt.Errorf("table %s was not copied yet, whose rows say so", f.Table), "run 'pgdeid run' or 'pgdeid snapshot' first")
		}
	}
	return nil
}

// choose lists the tables with notes, and the columns that tell who wrote them.
func (n *Notes) choose(author string, unsigned bool) error {
	signed := false
	for _, t := range n.run.Plan.Tables {
		if !t.IsNote() {
			continue
		}
		n.tables, n.authors[t] = append(n.tables, t), authorColumns(t, author)
		if signed = signed || len(n.authors[t]) > 0; len(n.authors[t]) == 0 && !unsigned {
			n.run.Log.Warn("nothing tells who wrote the notes of a table: they count for no author", "table", t.ID)
		}
	}
	if signed || unsigned {
		return nil
	}
	err := errors.New("no column of a table with notes tells a provider's name or login")
	if author != "" {
		err = fmt.Errorf("the mapping has no column %s in a table with notes", author)
	}
	return fault.New("find out who wrote the notes", err, "say which mapped column tells authors apart, --author COLUMN, or do without: --authors 0")
}

// authorColumns returns the column of that name, or those that tell a provider.
func authorColumns(t *schema.Table, name string) []int {
	var list []int
	for i, c := range t.Columns {
		if name != "" && c.Name == name || name == "" && slices.Contains([]record.Role{"provider.name", "username"}, c.Tells) {
			list = append(list, i)
		}
	}
	return list
}

// Close closes the connections.
func (n *Notes) Close() { n.run.Close() }

// Identity names the database, the tables and what is read of them.
func (n *Notes) Identity() (string, error) {
	var b strings.Builder
	conf := n.run.Source.Config()
	_, _ = fmt.Fprintf(&b, "%s %d %s\n", conf.Host, conf.Port, conf.Database)
	for _, t := range n.tables {
		_, _ = fmt.Fprintf(&b, "%q %s %v %v\n", t.ID, t.ColumnList(), t.Texts, n.authors[t])
		if t.Note != nil {
			_, _ = fmt.Fprintf(&b, "%v\n", *t.Note)
		}
	}
	return b.String(), nil
}

// Estimate adds up what the source's statistics say.
func (n *Notes) Estimate(ctx context.Context) int64 {
	var sum int64
	for _, t := range n.tables {
		sum += n.run.Estimate(ctx, t)
	}
	return sum
}

// notePosition is where a batch begins: behind a key of a table.
type notePosition struct {
	phi.Redacted

	Table string   `json:"table"`
	Key   []string `json:"key"`
}

// Read passes the notes on, a page of rows at a time.
func (n *Notes) Read(ctx context.Context, after string, records bool, do func(harvest.Batch) error) error {
	var at notePosition
	if after != "" {
		if err := json.Unmarshal([]byte(after), &at); err != nil {
			return fault.New("go on reading notes", errors.New("the position is not one"), "start over: --restart")
		}
	}
	for _, t := range n.tables {
		if at.Table != "" && at.Table != t.ID {
			continue
		}
		if err := n.readTable(ctx, t, at.Key, records, do); err != nil {
			return err
		}
		at = notePosition{}
	}
	return nil
}

func (n *Notes) readTable(ctx context.Context, t *schema.Table, after []string, records bool, do func(harvest.Batch) error) error {
	for {
		rows, err := n.page(ctx, t, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		after, _ = t.UnitKey(rows[len(rows)-1])
		position, err := json.Marshal(notePosition{Table: t.ID, Key: after})
		if err != nil {
			return err
		}
		notes, err := n.notesOf(ctx, t, rows, records)
		if err != nil {
			return err
		}
		if err := do(harvest.Batch{Notes: notes, After: string(position)}); err != nil {
			return err
		}
	}
}

// page reads rows of t behind a key. Lines of a note come as one row, its first with the readable text of all.
func (n *Notes) page(ctx context.Context, t *schema.Table, after []string) (rows [][]schema.Value, err error) {
	if t.Lines != nil {
		return n.notePage(ctx, t, after)
	}
	err = t.ReadAmong(ctx, n.run.Source, schema.Among{}, after, replicator.PageRows, func(row []schema.Value) error {
		rows = append(rows, row)
		return nil
	})
	return rows, fault.New("read notes of table "+t.ID, err, "grant the role of source.dsn SELECT on it: 'pgdeid migrate up'")
}

func (n *Notes) notePage(ctx context.Context, t *schema.Table, after []string) (rows [][]schema.Value, err error) {
	for done := false; !done && len(rows) == 0 && err == nil; { // a page may have nothing but notes that are too large
		after, done, err = deid.ReadNotes(ctx, n.run.Source, t, schema.Among{}, after, replicator.PageRows, func(lines schema.NoteRows) error {
			if lines.TooLarge || len(lines.Rows) == 0 {
				return nil
			}
			first := slices.Clone(lines.Rows[0])
			first[t.Lines.Text] = schema.Value{State: schema.Null}
			if whole, err := t.Lines.Whole(lines.Rows); err == nil {
				first[t.Lines.Text] = schema.Value{Text: whole.Text(), State: schema.Present}
			} else {
				n.warnUnreadable(t)
			}
			rows = append(rows, first)
			return nil
		})
	}
	return rows, err
}

// notesOf makes notes of rows. What is known of the patients is read now and made
// ready for matching where the notes go.
func (n *Notes) notesOf(ctx context.Context, t *schema.Table, rows [][]schema.Value, records bool) (func() ([]harvest.Note, error), error) {
	keys, _, err := n.look.PatientKeys(ctx, slices.Repeat([]*schema.Table{t}, len(rows)), rows)
	if err != nil {
		return nil, err
	}
	if rows, keys, err = n.published(ctx, t, rows, keys); err != nil {
		return nil, err
	}
	known := map[string]*patient.Tally{}
	if records {
		wanted := slices.Compact(slices.Sorted(slices.Values(keys)))
		wanted = slices.DeleteFunc(wanted, func(k string) bool { return k == "" })
		if known, err = n.look.Records(ctx, wanted); err != nil {
			return nil, err
		}
	}
	return func() ([]harvest.Note, error) {
		gazetteers := map[string]*record.Gazetteer{}
		for key, rec := range known {
			gazetteers[key] = record.NewGazetteer(rec.Record)
		}
		notes := make([]harvest.Note, len(rows))
		for i, row := range rows {
			notes[i] = harvest.Note{Patient: keys[i], Author: n.author(t, row), Record: gazetteers[keys[i]], Directory: n.site}
			for _, c := range t.Texts {
				if row[c].State != schema.Present {
					continue
				}
				if t.Lines != nil && c == t.Lines.Text {
					notes[i].Texts = append(notes[i].Texts, row[c].Text)
					continue
				}
				opened, err := t.Columns[c].Form.Open(row[c].Text)
				if err != nil {
					n.warnUnreadable(t)
					continue
				}
				notes[i].Texts = append(notes[i].Texts, opened.Text())
			}
		}
		return notes, nil
	}, nil
}

// warnUnreadable says once that some notes are left out.
func (n *Notes) warnUnreadable(t *schema.Table) {
	n.unreadable.Do(func() {
		n.run.Log.Warn("notes that are no documents of their column's format are left out", "table", t.ID)
	})
}

// published returns the rows whose patients do not stay out, with these. Where somebody does, a note of a patient who is not
// known may be theirs.
func (n *Notes) published(ctx context.Context, t *schema.Table, rows [][]schema.Value, keys []string) ([][]schema.Value, []string, error) {
	if !n.look.LeavesOut() || !t.HasPatient() {
		return rows, keys, nil
	}
	excluded, err := n.look.Excluded(ctx, n.look.Replica, keys)
	if err != nil {
		return nil, nil, err
	}
	var in [][]schema.Value
	var whose []string
	for i, key := range keys {
		if key != "" && !excluded[key] {
			in, whose = append(in, rows[i]), append(whose, key)
		}
	}
	return in, whose, nil
}

func (n *Notes) author(t *schema.Table, row []schema.Value) string {
	var parts []string
	for _, c := range n.authors[t] {
		if row[c].State == schema.Present && row[c].Text != "" {
			parts = append(parts, row[c].Text)
		}
	}
	return strings.Join(parts, "\x00")
}
