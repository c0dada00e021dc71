package deid

import (
	"slices"

	"github.com/pgdeid/pgdeid/ensemble/record"
	"github.com/pgdeid/pgdeid/replicator/schema"
	"github.com/pgdeid/pgdeid/surrogate"
)

// addressOf returns the state and the ZIP code that a row has for the town in a column, so that the surrogates of one row's columns go together.
// Other columns need nothing of the sort, a key has to be the same when nothing else of its row is there, and of columns
// that hold many values it is not known which go together.
func addressOf(t *schema.Table, row []schema.Value, col int) surrogate.Address {
	if c := &t.Columns[col]; c.Tells != record.City || c.Element != nil || t.Identifies(col) {
		return surrogate.Address{}
	}
	return surrogate.Address{State: ofAddress(t, row, col, record.State), Zip: ofAddress(t, row, col, record.Zip)}
}

// ofAddress returns the value of a role that belongs to a town: the next one behind the town's column and before
// another town's, else the only one before it. It is "" where the row has none.
func ofAddress(t *schema.Table, row []schema.Value, col int, role record.Role) string {
	isRole := func(c schema.Column) bool { return c.Tells == role }
	isTown := func(c schema.Column) bool { return c.Tells == record.City }
	behind := t.Columns[col+1:]
	if next := slices.IndexFunc(behind, isTown); next >= 0 {
		behind = behind[:next]
	}
	at := slices.IndexFunc(behind, isRole)
	switch {
	case at >= 0:
		at += col + 1
	case slices.ContainsFunc(t.Columns[:col], isTown) || slices.ContainsFunc(t.Columns[col+1:], isTown):
		return ""
	default:
		at = slices.IndexFunc(t.Columns, isRole)
	}
	if at < 0 || row[at].State != schema.Present || t.Columns[at].Element != nil {
		return ""
	}
	return row[at].Text
}

// addressIn returns the state and the ZIP code of the object in JSON that has a town.
func addressIn(rule *schema.Column, member func(name string) string) surrogate.Address {
	var at surrogate.Address
	if rule.Address.State != "" {
		at.State = member(rule.Address.State)
	}
	if rule.Address.Zip != "" {
		at.Zip = member(rule.Address.Zip)
	}
	return at
}
