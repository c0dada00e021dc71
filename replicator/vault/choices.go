package vault

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/surrogate"
)

// Choices holds the surrogates and date shifts that were chosen for patients and are to be
// stored. The zero value is empty and ready for use. Patients are named by pseudonym.
type Choices struct {
	phi.Redacted

	entries map[entryID]surrogate.Entry
	shifts  map[string]int
}

type entryID struct{ patient, kind, hash string }

// compare orders entries as the index of deid.surrogate does.
func (id entryID) compare(other entryID) int {
	return cmp.Or(strings.Compare(id.patient, other.patient), strings.Compare(id.kind, other.kind), strings.Compare(id.hash, other.hash))
}

// AddEntries adds surrogates of a patient. Of two for one original the last one counts.
func (c *Choices) AddEntries(patient string, entries []surrogate.Entry) {
	if c.entries == nil && len(entries) > 0 {
		c.entries = map[entryID]surrogate.Entry{}
	}
	for _, e := range entries {
		c.entries[entryID{patient, e.Kind, string(e.Hash)}] = e
	}
}

// Among returns those of a patient's surrogates that are to be stored.
func (c *Choices) Among(patient string, entries []surrogate.Entry) (among []surrogate.Entry) {
	for _, e := range entries {
		if _, ok := c.entries[entryID{patient, e.Kind, string(e.Hash)}]; ok {
			among = append(among, e)
		}
	}
	return among
}

// AddShift adds by how many days a patient's dates are moved.
func (c *Choices) AddShift(patient string, days int) {
	if c.shifts == nil {
		c.shifts = map[string]int{}
	}
	c.shifts[patient] = days
}

// Empty reports whether there is nothing to store.
func (c *Choices) Empty() bool { return len(c.entries) == 0 && len(c.shifts) == 0 }

// HasEntries reports whether there are surrogates to store.
func (c *Choices) HasEntries() bool { return len(c.entries) > 0 }

// Clear removes everything.
func (c *Choices) Clear() {
	clear(c.entries)
	clear(c.shifts)
}

// Patients returns the patients that something is to be stored of, sorted.
func (c *Choices) Patients() []string {
	names := map[string]bool{}
	for id := range c.entries {
		names[id.patient] = true
	}
	for name := range c.shifts {
		names[name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Without returns the choices for all patients but those in leave.
func (c *Choices) Without(leave map[string]bool) *Choices {
	if len(leave) == 0 {
		return c
	}
	return c.choose(func(patient string) bool { return !leave[patient] })
}

// Leaving returns the choices for all patients but those who are out, of whom only names of the record stay, unless
// they are forgotten.
func (c *Choices) Leaving(out, forgotten map[string]bool) *Choices {
	left := &Choices{}
	for id, e := range c.entries {
		if id.kind == RecordKind && !forgotten[id.patient] || id.kind != RecordKind && !out[id.patient] {
			left.AddEntries(id.patient, []surrogate.Entry{e})
		}
	}
	for patient, days := range c.shifts {
		if !out[patient] {
			left.AddShift(patient, days)
		}
	}
	return left
}

// ByPatient returns the choices for each patient.
func (c *Choices) ByPatient() map[string]*Choices {
	parts := map[string]*Choices{}
	part := func(patient string) *Choices {
		if parts[patient] == nil {
			parts[patient] = &Choices{}
		}
		return parts[patient]
	}
	for id, e := range c.entries {
		part(id.patient).AddEntries(id.patient, []surrogate.Entry{e})
	}
	for patient, days := range c.shifts {
		part(patient).AddShift(patient, days)
	}
	return parts
}

// halves parts the choices between two halves of the patients.
func (c *Choices) halves() [2]*Choices {
	names := c.Patients()
	first := map[string]bool{}
	for _, name := range names[:len(names)/2] {
		first[name] = true
	}
	return [2]*Choices{
		c.choose(func(patient string) bool { return first[patient] }),
		c.choose(func(patient string) bool { return !first[patient] }),
	}
}

// choose returns the choices for the patients that wanted accepts.
func (c *Choices) choose(wanted func(patient string) bool) *Choices {
	part := &Choices{}
	for id, e := range c.entries {
		if wanted(id.patient) {
			part.AddEntries(id.patient, []surrogate.Entry{e})
		}
	}
	for patient, days := range c.shifts {
		if wanted(patient) {
			part.AddShift(patient, days)
		}
	}
	return part
}
