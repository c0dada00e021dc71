package plan

import (
	"fmt"
	"math"
)

// The stations of the copy.
const (
	Reading   = "reading"   // from the source
	Searching = "searching" // on the machines' cores
	Writing   = "writing"   // to the replica, one at a time
)

// Station is a part of the line.
type Station struct {
	Name  string  `json:"name"`
	Rate  float64 `json:"notes_per_second"`
	Hours float64 `json:"hours"` // if all others took no time
}

// Disk is bytes.
type Disk struct {
	SlotWAL float64 `json:"slot_wal"` // that the source keeps for the slot until the stream has caught up
	Replica float64 `json:"replica"`
	Vault   float64 `json:"vault"`
}

// Estimate is what a copy with a fleet takes.
type Estimate struct {
	Fleet    Fleet     `json:"fleet"`
	Stations []Station `json:"stations"`
	Bound    string    `json:"bound"` // the slowest station
	Hours    float64   `json:"hours"`
	Stream   Stream    `json:"stream"`
	CatchUp  float64   `json:"catch_up_hours"`     // of the stream afterwards
	Behind   bool      `json:"never_catches_up"`   // notes come in faster than the stream takes them
	Hits     float64   `json:"cache_hits"`         // the share of sentences that a machine has searched before
	Runs     float64   `json:"network_runs"`       // for a note
	Search   float64   `json:"core_seconds"`       // for a note, networks included
	Disk     Disk      `json:"disk_bytes"`         // replica and vault as large as after the copy
	Cost     float64   `json:"cost"`               // machines for the copy and the catching up
	Storage  float64   `json:"storage_each_month"` // of replica and vault
}

// planner is a hospital with rates that fit its notes.
type planner struct {
	Hospital

	rates Rates
	law   *Law
}

// newPlanner takes what a note costs to grow with its bytes.
func newPlanner(h Hospital, r Rates) (*planner, error) {
	if err := h.Check(); err != nil {
		return nil, fmt.Errorf("the hospital: %w", err)
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	law, err := Fit(h.Notes*h.SentencesPerNote, h.Notes*h.SentencesPerNote*h.DistinctShare)
	if err != nil {
		return nil, err
	}
	by := h.BytesPerNote / r.BytesPerNote
	r.SearchPerNote *= by
	r.WALPerNote *= by
	r.ReplicaPerNote *= by
	r.VaultPerNote *= by
	r.Reads /= by
	r.Writes /= by
	return &planner{h, r, law}, nil
}

// searchPerNote returns the seconds of a core that a note takes where that share of its sentences was
// searched before, and how often networks run for it.
func (p *planner) searchPerNote(hits float64) (seconds, runs float64) {
	runs = p.SentencesPerNote * float64(p.rates.Networks) * (1 - hits)
	return p.rates.SearchPerNote + runs*p.rates.NetworkRun, runs
}

// New estimates the copy with a fleet.
func New(h Hospital, r Rates, f Fleet) (*Estimate, error) {
	p, err := newPlanner(h, r)
	if err != nil {
		return nil, err
	}
	return p.estimate(f), nil
}

func (p *planner) estimate(f Fleet) *Estimate {
	e := &Estimate{Fleet: f}
	if p.rates.Networks > 0 {
		e.Hits = p.law.Hits(p.Notes*p.SentencesPerNote/float64(f.Machines), f.Cache)
	}
	e.Search, e.Runs = p.searchPerNote(e.Hits)
	slowest := math.Inf(1)
	for _, s := range []Station{
		{Name: Reading, Rate: p.rates.Reads * float64(min(f.Machines, p.SourceCores))},
		{Name: Searching, Rate: float64(f.Machines*f.Cores) / e.Search},
		{Name: Writing, Rate: p.rates.Writes},
	} {
		s.Hours = p.Notes / s.Rate / 3600
		e.Stations = append(e.Stations, s)
		if s.Rate < slowest {
			slowest, e.Bound, e.Hours = s.Rate, s.Name, s.Hours
		}
	}
	p.catchUp(e)
	p.price(e)
	return e
}

// catchUp says how long the one stream takes for what came in during the copy.
func (p *planner) catchUp(e *Estimate) {
	arriving := p.NotesPerDay / 86400
	e.Stream = p.stream(e, arriving)
	if arriving >= e.Stream.Rate {
		e.Behind = true
		return
	}
	e.CatchUp = e.Hours * arriving / (e.Stream.Rate - arriving)
}

const gigabyte = 1e9

func (p *planner) price(e *Estimate) {
	wal := p.WALRate
	if wal == 0 {
		wal = p.NotesPerDay / 86400 * p.rates.WALPerNote
	}
	e.Disk = Disk{SlotWAL: wal * 3600 * (e.Hours + e.CatchUp), Replica: p.Notes * p.rates.ReplicaPerNote, Vault: p.Notes * p.rates.VaultPerNote}
	e.Cost = p.Prices.MachineHour * (float64(e.Fleet.Machines)*e.Hours + float64(1+e.Fleet.Detection)*e.CatchUp)
	e.Storage = p.Prices.GBMonth * (e.Disk.Replica + e.Disk.Vault) / gigabyte
}

// mostMachines is where Fewest stops looking.
const mostMachines = 1024

// Fewest estimates the copy with as few machines as keep to the hospital's hours; where none do, with as
// few as are as fast as any number.
func Fewest(h Hospital, r Rates, f Fleet) (*Estimate, error) {
	p, err := newPlanner(h, r)
	if err != nil {
		return nil, err
	}
	var best *Estimate
	for f.Machines = 1; f.Machines <= mostMachines; f.Machines++ {
		e := p.estimate(f)
		if best == nil || e.Hours < best.Hours*0.999 {
			best = e
		}
		if e.Hours <= h.Hours || e.Bound == Writing {
			break
		}
	}
	return best, nil
}

// Curve estimates the copy with several numbers of machines.
func Curve(h Hospital, r Rates, f Fleet, machines ...int) ([]*Estimate, error) {
	p, err := newPlanner(h, r)
	if err != nil {
		return nil, err
	}
	var list []*Estimate
	for _, n := range machines {
		f.Machines = n
		list = append(list, p.estimate(f))
	}
	return list, nil
}
