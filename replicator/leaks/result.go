package leaks

import (
	"cmp"
	"slices"
)

// Result is what a scan found: counts, and names of columns.
type Result struct {
	Patients int64 `json:"patients"` // of whom tables of the source tell something
	Tables   int   `json:"tables"`
	Columns  int   `json:"columns"`
	Rows     int64 `json:"rows"`
	Values   int64 `json:"values"`
	Bytes    int64 `json:"bytes"`
	// Unread are documents that could not be read again; they count as leaks.
	Unread int64 `json:"unread"`
	// Unknown are rows of patients of whom the source tells nothing, or does not know any more.
	Unknown int64   `json:"unknown"`
	Found   []Count `json:"found,omitempty"`
}

// Count is how many values of a column show a word of their patient's record.
type Count struct {
	Column string `json:"column"`
	Leaks  int64  `json:"leaks"`
	Chance int64  `json:"chance"` // within what was put there, alike by chance
	Kept   int64  `json:"kept"`   // the mapping publishes it as it is
}

// Leaks returns the number of values with a word of the record that no surrogate put there.
func (r *Result) Leaks() int64 {
	n := r.Unread
	for _, c := range r.Found {
		n += c.Leaks
	}
	return n
}

// Chance returns the number of values that are like a word of the record by chance.
func (r *Result) Chance() int64 {
	var n int64
	for _, c := range r.Found {
		n += c.Chance
	}
	return n
}

// count adds up hits: a value counts once, by the worst of its verdicts.
func (r *Result) count(hits []*hit, verdicts []verdict) {
	type value struct{ column, row string }
	worst := map[value]verdict{}
	for i, h := range hits {
		v := value{h.column.id(), h.row}
		if before, ok := worst[v]; !ok || verdicts[i] < before {
			worst[v] = verdicts[i]
		}
	}
	for v, verdict := range worst {
		at := slices.IndexFunc(r.Found, func(c Count) bool { return c.Column == v.column })
		if at < 0 {
			r.Found = append(r.Found, Count{Column: v.column})
			at = len(r.Found) - 1
		}
		switch c := &r.Found[at]; verdict {
		case leak:
			c.Leaks++
		case madeUp:
			c.Chance++
		case kept:
			c.Kept++
		}
	}
	slices.SortFunc(r.Found, func(a, b Count) int { return cmp.Compare(a.Column, b.Column) })
}
