package patient

import (
	"context"

	"github.com/pgdeid/pgdeid/internal/review"
	"github.com/pgdeid/pgdeid/internal/review/repair"
	"github.com/pgdeid/pgdeid/internal/review/store"
)

// readRepairs fills in what people decided about single places of patients' notes, also as long as these were of patients
// whose rows they have taken over.
func (l *Lookups) readRepairs(ctx context.Context, into map[string]*Patient) error {
	whose := map[string][]*Patient{}
	var names []string
	for name, p := range into {
		whose[name] = append(whose[name], p)
		for _, f := range p.formers {
			whose[f.pseudonym] = append(whose[f.pseudonym], p)
		}
	}
	for name := range whose {
		names = append(names, name)
	}
	list, err := store.New(l.Replica, l.Key).RepairsOf(ctx, names)
	if err != nil {
		return err
	}
	for i := range list {
		for _, p := range whose[list[i].Patient] {
			p.AddRepair(list[i])
		}
	}
	return nil
}

// AddRepair adds a repair of a place in one of the patient's notes.
func (p *Patient) AddRepair(r review.Repair) {
	if p.repairs == nil {
		p.repairs = map[string]repair.List{}
	}
	p.repairs[string(r.NoteID)] = append(p.repairs[string(r.NoteID)], r)
}

// Repairs returns what people decided about places of a note, by [review.Hashes.Note].
func (p *Patient) Repairs(note []byte) repair.List {
	if p == nil {
		return nil
	}
	return p.repairs[string(note)]
}

// HasRepairs reports whether people decided something about a note of the patient.
func (p *Patient) HasRepairs() bool { return p != nil && len(p.repairs) > 0 }
