package deid

import (
	"slices"

	"github.com/pgdeid/pgdeid/replicator/schema"
)

// Unit names what is published as a whole: the row of an item, or the note of which it is a line or the end.
func (it *Item) Unit() string {
	c := it.Change
	row := c.Row
	if row == nil {
		row = c.Old
	}
	key, _ := c.Table.UnitKey(row)
	return c.Table.ID + " " + schema.KeyString(key)
}

// Unchanged returns those of items that were made of what now has: the same rows, read and resolved again. Of a note
// it returns all items or none.
func Unchanged(items, now []*Item) []*Item {
	before, after := byUnit(items), byUnit(now)
	return slices.DeleteFunc(slices.Clone(items), func(it *Item) bool {
		unit := it.Unit()
		return !slices.EqualFunc(before[unit], after[unit], (*Item).madeOf)
	})
}

func byUnit(items []*Item) map[string][]*Item {
	units := map[string][]*Item{}
	for _, it := range items {
		units[it.Unit()] = append(units[it.Unit()], it)
	}
	return units
}

// madeOf reports whether it has what other has, which decides its outcome: the row, the patient, and what is published.
func (it *Item) madeOf(other *Item) bool {
	a, b := it.Change, other.Change
	switch {
	case a.Op != b.Op || a.Table != b.Table || !slices.Equal(a.Row, b.Row) || !slices.Equal(a.Old, b.Old):
		return false
	case it.LeftOut != other.LeftOut || it.Absent != other.Absent || it.Reason != other.Reason || it.Owner != other.Owner:
		return false
	case (it.Patient == nil) != (other.Patient == nil):
		return false
	case it.Patient != nil && !it.Patient.Same(other.Patient):
		return false
	}
	return slices.EqualFunc(it.known, other.known, known.equal)
}

func (k known) equal(other known) bool {
	return string(k.hmac) == string(other.hmac) && string(k.published) == string(other.published) && k.config == other.config && k.null == other.null
}
