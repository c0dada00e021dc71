package admin

import (
	"context"
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/internal/fault"
	"github.com/pgdeid/pgdeid/replicator/apply"
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/replicator/vault"
	"github.com/pgdeid/pgdeid/surrogate"
)

// reprocessing is a Reprocess at work.
type reprocessing struct {
	Reprocess

	m     *apply.Remaker
	seals vault.Seals
	res   ReprocessResult
}

// findings say what is to be done about the notes of a page.
type findings struct {
	phi.Redacted

	rewrite [][]string       // keys in the source of rows of notes that come out otherwise
	same    []*apply.Version // rows of notes that come out as they are published
}

// unit is what is published as a whole: a row, or the lines of a note.
type unit struct {
	items []*deid.Item
	rows  []*apply.Version
}

// compare counts the notes of a page, and finds those that are to be written.
func (p *reprocessing) compare(ctx context.Context, t *schema.Table, items []*deid.Item, g *apply.Group) (findings, error) {
	stale, err := p.stale(ctx, t, g.Order)
	if err != nil {
		return findings{}, err
	}
	var seen findings
	var changed []*apply.Version
	for _, u := range units(t, items, g) {
		p.res.Read++
		verdict := u.verdict(stale)
		*verdict.counter(&p.res)++
		switch verdict {
		case otherwise, aside:
			for _, it := range u.items {
				if key, ok := t.KeyTexts(it.Change.Row); ok {
					seen.rewrite = append(seen.rewrite, key)
				}
			}
			changed = append(changed, u.rows...)
		case same:
			seen.same = append(seen.same, u.rows...)
		}
	}
	return seen, p.countSpans(ctx, t, changed)
}

// units gathers the rows of a page by what is published as a whole.
func units(t *schema.Table, items []*deid.Item, g *apply.Group) []*unit {
	byKey, byItem := map[string]*unit{}, map[*deid.Item]*unit{}
	var list []*unit
	for _, it := range items {
		if it.Ends != nil {
			continue
		}
		key, _ := t.UnitKey(it.Change.Row)
		u := byKey[schema.KeyString(key)]
		if u == nil {
			u = &unit{}
			byKey[schema.KeyString(key)] = u
			list = append(list, u)
		}
		u.items = append(u.items, it)
		byItem[it] = u
	}
	for _, v := range g.Order {
		if u := byItem[v.Item]; u != nil {
			u.rows = append(u.rows, v)
		}
	}
	return list
}

// verdict is what becomes of a note.
type verdict int

const (
	upToDate  verdict = iota // it was not made anew
	same                     // it was, and comes out as it is published
	otherwise                // it comes out otherwise
	aside                    // it can't be published
	absent                   // the replica does not have it
)

func (v verdict) counter(r *ReprocessResult) *int64 {
	return [...]*int64{&r.UpToDate, &r.Unchanged, &r.Changed, &r.Aside, &r.Absent}[v]
}

// verdict compares a note with what is published. stale has the rows that the replica has, and whether
// something else than their texts differs.
func (u *unit) verdict(stale map[string]bool) verdict {
	if slices.ContainsFunc(u.items, func(it *deid.Item) bool { return it.Out.Reason != "" }) {
		return aside
	}
	there := func(v *apply.Version) bool {
		_, ok := stale[v.RowKey]
		return ok && !v.Remove
	}
	if !slices.ContainsFunc(u.rows, there) {
		return absent
	}
	became := upToDate
	for _, v := range u.rows {
		if stale[v.RowKey] || !there(v) {
			return otherwise
		}
		for n, made := range v.Item.Out.Texts {
			switch {
			case made.Null || v.Keep[n] && made.HMAC == nil:
			case v.Keep[n]:
				became = same
			default:
				return otherwise
			}
		}
	}
	return became
}

// stale returns the rows that the replica has, by their published keys, and whether anything but their
// texts differs from what would be written.
func (p *reprocessing) stale(ctx context.Context, t *schema.Table, list []*apply.Version) (map[string]bool, error) {
	found := map[string]bool{}
	all := make([]bool, len(t.Texts))
	for n := range all {
		all[n] = true
	}
	want := t.Without(all)
	args, some := apply.Given(t, list, want)
	if !some {
		return found, nil
	}
	keys := len(t.SQL.Keys)
	err := schema.QueryText(ctx, p.m.Conn, t.SQL.Stale(want), func(raw [][]byte) error {
		key := make([]string, keys)
		for i := range key {
			key[i] = string(raw[i])
		}
		found[schema.RowKey(key)] = string(raw[keys]) == "t"
		return nil
	}, args...)
	return found, fault.New("compare rows with what is published of table "+t.ID, err, "")
}

// countSpans counts what was found otherwise in texts that changed.
func (p *reprocessing) countSpans(ctx context.Context, t *schema.Table, list []*apply.Version) error {
	byKey, keys, rows := map[deid.TextAt]*apply.Version{}, [][]string(nil), []string(nil)
	for _, v := range list {
		if v.Values == nil {
			continue
		}
		keys, rows = append(keys, v.Key), append(rows, v.RowKey)
		for n := range t.Texts {
			byKey[deid.TextAt{RowKey: v.RowKey, Nth: n}] = v
		}
	}
	bodies := map[deid.TextAt]string{}
	if err := deid.ReadBodies(ctx, p.m.Conn, t, keys, bodies); err != nil || len(bodies) == 0 {
		return err
	}
	names := t.TextNames()
	return vault.ReadSpans(ctx, p.m.Conn, p.seals, t.ID, rows, func(column, row string, spans []surrogate.Span) {
		at := deid.TextAt{RowKey: row, Nth: slices.Index(names, column)}
		v, text := byKey[at], bodies[at]
		if v == nil || v.Keep[at.Nth] {
			return
		}
		after := marked{spans: v.Item.Out.Texts[at.Nth].Spans}
		if now := v.Values[t.TextIndex(at.Nth)]; now != nil {
			after.text = *now
		}
		if t.Columns[t.Texts[at.Nth]].Form.Wrapped() { // the places are not those of characters
			p.res.Spans.addHunk(types(spans), types(after.spans))
			return
		}
		p.res.Spans.add(marked{text: text, spans: spans}, after)
	})
}
