package backfill

import (
	"github.com/pgdeid/pgdeid/ensemble/phi"
	"github.com/pgdeid/pgdeid/replicator/schema"
)

// PartRows is how many rows a part has, about: some minutes with networks, seconds without.
const PartRows = 2000

// Counted is a part and how many rows it had when it was planned, 0 if they were not counted.
type Counted struct {
	phi.Redacted

	schema.Part

	Rows int64
}

// Patients gathers patients into parts. All ids that stand for one patient come into one part: so
// surrogates of a patient are chosen by one process, in the order of the table's keys. The zero
// value is ready for use. It holds keys of the source and prints itself redacted.
type Patients struct {
	phi.Redacted

	index map[string]int
	list  []Counted // one for each patient
}

// Add adds an id with its rows, which stands for a patient; for itself where patient is "".
func (p *Patients) Add(id, patient string, rows int64) {
	if p.index == nil {
		p.index = map[string]int{}
	}
	name := "patient " + patient
	if patient == "" {
		name = "id " + id
	}
	at, ok := p.index[name]
	if !ok {
		at = len(p.list)
		p.index[name] = at
		p.list = append(p.list, Counted{})
	}
	p.list[at].Patients = append(p.list[at].Patients, id)
	p.list[at].Rows += rows
}

// Parts returns parts of at least size rows, but for the last one, and one with the rows of no
// patient if there are such.
func (p *Patients) Parts(size, alone int64) []Counted {
	var parts []Counted
	var next Counted
	for _, one := range p.list {
		next.Patients, next.Rows = append(next.Patients, one.Patients...), next.Rows+one.Rows
		if next.Rows >= size {
			parts, next = append(parts, next), Counted{}
		}
	}
	if len(next.Patients) > 0 {
		parts = append(parts, next)
	}
	if alone > 0 {
		parts = append(parts, Counted{Part: schema.Part{Alone: true}, Rows: alone})
	}
	return parts
}

// Between returns the parts that end with these keys, and one with the rows behind the last of them.
func Between(keys [][]string, size int64) []Counted {
	var parts []Counted
	var after []string
	for _, key := range keys {
		parts = append(parts, Counted{Part: schema.Part{After: after, Until: key}, Rows: size})
		after = key
	}
	return append(parts, Counted{Part: schema.Part{After: after}})
}
