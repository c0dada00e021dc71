package plan

import (
	"errors"
	"fmt"
)

// Hospital is what is to be copied, and with what.
type Hospital struct {
	Notes            float64 `json:"notes"`
	BytesPerNote     float64 `json:"bytes_per_note"`
	SentencesPerNote float64 `json:"sentences_per_note"`
	Patients         float64 `json:"patients"`
	DistinctShare    float64 `json:"distinct_share"` // of the sentences: how many are different ones
	NotesPerDay      float64 `json:"notes_per_day"`  // that come in while the copy runs
	WALRate          float64 `json:"wal_bytes_per_second"`
	Hours            float64 `json:"hours"`        // that the copy may take
	SourceCores      int     `json:"source_cores"` // of the source's server that reading may keep busy
	Prices           Prices  `json:"prices"`
}

// Prices are of machines and disks.
type Prices struct {
	MachineHour float64 `json:"machine_hour"`
	GBMonth     float64 `json:"gb_month"`
}

// Fleet is machines that run workers.
type Fleet struct {
	Machines int     `json:"machines"`
	Cores    int     `json:"cores"`        // of each
	Cache    float64 `json:"cached_texts"` // sentences that the process of a machine remembers
	// Detection is how many machines run networks for the stream afterwards, besides the one that streams.
	Detection int `json:"detection_workers"`
}

// Check reports what is missing or can't be.
func (h *Hospital) Check() error {
	positive := func(name string, value float64) error {
		if value > 0 {
			return nil
		}
		return fmt.Errorf("%s is %g, and has to be above 0", name, value)
	}
	errs := []error{
		positive("notes", h.Notes), positive("bytes per note", h.BytesPerNote), positive("sentences per note", h.SentencesPerNote),
		positive("patients", h.Patients), positive("hours", h.Hours), positive("source cores", float64(h.SourceCores)),
	}
	if h.DistinctShare <= 0 || h.DistinctShare >= 1 {
		errs = append(errs, ErrDistinct)
	}
	if h.NotesPerDay < 0 || h.WALRate < 0 || h.Prices.MachineHour < 0 || h.Prices.GBMonth < 0 {
		errs = append(errs, errors.New("rates and prices can't be below 0"))
	}
	return errors.Join(errs...)
}

// Rates are what was measured on a machine like those of the fleet. Times are seconds of one core.
type Rates struct {
	BytesPerNote  float64 `json:"bytes_per_note"`  // of the notes that it was measured with
	SearchPerNote float64 `json:"search_per_note"` // everything that pgdeid does for a note but networks
	NetworkRun    float64 `json:"network_run"`     // of one network over one sentence; 0: no networks
	// AwayRun is what of NetworkRun stays with a machine whose networks others run: choosing, cutting and keeping
	// sentences, the CRF, and no more for sending windows than for making numbers of them here; 0: it was not measured.
	AwayRun        float64 `json:"network_run_away"`
	Networks       int     `json:"networks"`         // that look at each sentence
	Reads          float64 `json:"reads_per_second"` // notes through one connection
	Writes         float64 `json:"writes_per_second"`
	WALPerNote     float64 `json:"wal_per_note"` // bytes
	ReplicaPerNote float64 `json:"replica_per_note"`
	VaultPerNote   float64 `json:"vault_per_note"`
}

// Check reports what was not measured.
func (r *Rates) Check() error {
	for name, value := range map[string]float64{
		"bytes per note": r.BytesPerNote, "search": r.SearchPerNote, "reading": r.Reads, "writing": r.Writes,
		"WAL": r.WALPerNote, "the replica's size": r.ReplicaPerNote, "the vault's size": r.VaultPerNote,
	} {
		if !(value > 0) {
			return fmt.Errorf("the rates have nothing of %s: measure with 'pgdeid bench --out FOLDER'", name)
		}
	}
	if r.Networks > 0 != (r.NetworkRun > 0) || r.NetworkRun < 0 || r.AwayRun < 0 || r.AwayRun > r.NetworkRun {
		return errors.New("the rates of networks do not fit together: measure again with more notes, 'pgdeid bench --network-notes 600'")
	}
	return nil
}
