package apply

import (
	"github.com/pgdeid/pgdeid/replicator/deid"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// remaking lists versions that are made anew before they are written.
type remaking struct {
	list []*Version
	was  map[*deid.Item]string // the patients whose rows they were
}

func (r *remaking) add(v *Version, was string) {
	if r.was == nil {
		r.was = map[*deid.Item]string{}
	}
	r.list = append(r.list, v)
	r.was[v.Item] = was
}

// items returns what makes the versions anew: rows by themselves, and of lines of notes all
// those lines that the group still writes.
func (r *remaking) items(g *Group) []*deid.Item {
	var items []*deid.Item
	done := map[*deid.Note]bool{}
	for _, v := range r.list {
		n := v.Item.Note()
		if n == nil {
			items = append(items, r.again(v.Item))
			continue
		}
		if done[n] {
			continue
		}
		done[n] = true
		items = append(items, n.Again(func(it *deid.Item) *deid.Item {
			if now := g.versions[versionKey{it.Change.Table, it.Out.RowKey}]; now == nil || now.Item != it {
				return nil
			}
			return r.again(it)
		})...)
	}
	return items
}

// again returns an item that reads an item's row from the source.
func (r *remaking) again(it *deid.Item) *deid.Item {
	c := *it.Change
	c.Op, c.Old, c.Read = schema.InsertOp, nil, true // of an insert, nothing is there to keep
	return &deid.Item{Change: &c, Request: deid.Request{Only: it.Only, Fresh: true, Was: r.was[it]}, Done: make(chan struct{})}
}
