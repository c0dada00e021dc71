package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pgdeid/pgdeid/internal/plan"
)

// Report is what was measured.
type Report struct {
	Version          string  `json:"version"`
	Machine          Machine `json:"machine"`
	Notes            int     `json:"notes"` // a run of most stages
	NetworkNotes     int     `json:"network_notes,omitempty"`
	Networks         int     `json:"networks,omitempty"`
	Patients         int     `json:"patients"`
	BytesPerNote     float64 `json:"bytes_per_note"`
	SentencesPerNote float64 `json:"sentences_per_note"`
	Rounds           int     `json:"rounds"`
	Stages           []Stage `json:"stages"`
	Crews            []Crew  `json:"workers,omitempty"`
	Sizes            Sizes   `json:"sizes"`
}

// Machine is where it was measured, and what else it did: the load averages of 1, 5 and 15 minutes.
type Machine struct {
	CPUs       int        `json:"cpus"`
	System     string     `json:"system"`
	PostgreSQL string     `json:"postgresql"`
	LoadBefore [3]float64 `json:"load_before"`
	LoadAfter  [3]float64 `json:"load_after"`
}

// Sizes are bytes on disk that a note takes, on average.
type Sizes struct {
	WALPerNote     float64 `json:"wal_per_note"`     // at the source
	ReplicaPerNote float64 `json:"replica_per_note"` // with indexes
	VaultPerNote   float64 `json:"vault_per_note"`
}

// Stage is a part of the way, or a limit that parts are compared with.
type Stage struct {
	Name  string `json:"name"`
	What  string `json:"what"`
	Limit string `json:"limit,omitempty"` // the name of the stage that bounds it
	// By round.
	Rates []float64 `json:"notes_per_second"`
	// CPU is what this process used of a core for a note, in seconds, and ServerCPU what both servers did.
	CPU       []float64 `json:"cpu_seconds_per_note,omitempty"`
	ServerCPU []float64 `json:"server_cpu_seconds_per_note,omitempty"`
	Median    float64   `json:"median"`
	Share     float64   `json:"share_of_limit,omitempty"` // the median of the rounds' shares
	// RunsPerNote is how often a network ran over a window of a note.
	RunsPerNote float64 `json:"network_runs_per_note,omitempty"`
}

// Find returns a stage by its name, or nil.
func (r *Report) Find(name string) *Stage {
	i := slices.IndexFunc(r.Stages, func(s Stage) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Stages[i]
}

// summarize fills in medians and shares.
func (r *Report) summarize() {
	for i := range r.Stages {
		s := &r.Stages[i]
		s.Median = median(s.Rates)
		limit := r.Find(s.Limit)
		if limit == nil {
			continue
		}
		var shares []float64
		for n := range min(len(s.Rates), len(limit.Rates)) {
			shares = append(shares, s.Rates[n]/limit.Rates[n])
		}
		s.Share = median(shares)
	}
}

// Rates returns what a plan is made from.
func (r *Report) Rates() plan.Rates {
	rates := plan.Rates{
		BytesPerNote: r.BytesPerNote, Networks: r.Networks,
		WALPerNote: r.Sizes.WALPerNote, ReplicaPerNote: r.Sizes.ReplicaPerNote, VaultPerNote: r.Sizes.VaultPerNote,
	}
	if s := r.Find(Reading); s != nil {
		rates.Reads = s.Median
	}
	if s := r.Find(Writing); s != nil {
		rates.Writes = s.Median
	}
	if s := r.Find(StreamRules); s != nil {
		rates.SearchPerNote, _ = s.MedianCPU()
	}
	if s := r.Find(NetworksCold); s != nil && s.RunsPerNote > 0 {
		own, _ := s.MedianCPU()
		rates.NetworkRun = max(0, own-rates.SearchPerNote) / s.RunsPerNote
		if graphs := r.graphs(); graphs > 0 {
			rates.AwayRun = max(0, own-rates.SearchPerNote-graphs) / s.RunsPerNote
		}
	}
	return rates
}

// graphs returns the seconds of a core that the networks' graphs take for a note, 0 if that was not measured. The rest
// stays with a process whose networks others run: to send a window costs no more than to make numbers of it and read the answer.
func (r *Report) graphs() float64 {
	s := r.Find(GraphsAlone)
	if s == nil || s.Median == 0 {
		return 0
	}
	return float64(r.Machine.CPUs) / s.Median
}

// median returns the middle of the values, or the mean of the two in the middle; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// MedianCPU returns the medians of the seconds of CPU that a note took: in this process, and in both servers.
func (s *Stage) MedianCPU() (own, servers float64) { return median(s.CPU), median(s.ServerCPU) }

// WriteTable prints the report for people.
func (r *Report) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%d notes of %.0f bytes on average, %d patients; %s, %d cores; PostgreSQL %s, both servers on this machine\n",
		r.Notes, r.BytesPerNote, r.Patients, r.Machine.System, r.Machine.CPUs, r.Machine.PostgreSQL)
	fmt.Fprintf(w, "medians of %d rounds in which stages took turns; load %.1f before, %.1f after\n\n",
		r.Rounds, r.Machine.LoadBefore[0], r.Machine.LoadAfter[0])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "stage\tnotes/s\tfrom - to\tCPU ms/note: own\tservers\tshare\tof\twhat")
	for i := range r.Stages {
		s := &r.Stages[i]
		share, cpu := "", "\t"
		if s.Share > 0 {
			share = fmt.Sprintf("%.0f%%", 100*s.Share)
		}
		if len(s.CPU) > 0 {
			own, servers := s.MedianCPU()
			cpu = fmt.Sprintf("%.2f\t%.2f", 1000*own, 1000*servers)
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.0f - %.0f\t%s\t%s\t%s\t%s\n", s.Name, s.Median, slices.Min(s.Rates), slices.Max(s.Rates), cpu, share, s.Limit, s.What)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := r.writeCrews(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\non disk, a note: %.1f KB of WAL at the source, %.1f KB in the replica, %.1f KB in the vault\n",
		r.Sizes.WALPerNote/1e3, r.Sizes.ReplicaPerNote/1e3, r.Sizes.VaultPerNote/1e3)
	return err
}

// WriteJSON prints the report for programs, "pgdeid plan" among them.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// ReadReport reads what [Report.WriteJSON] wrote.
func ReadReport(in io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return nil, fmt.Errorf("no report of 'pgdeid bench --json': %w", err)
	}
	return &r, nil
}

// WriteGo prints the report in the format of Go's benchmarks, a line a round, for benchstat.
func (r *Report) WriteGo(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\npkg: github.com/pgdeid/pgdeid\n", strings.Fields(r.Machine.System + " unknown")[0])
	for i := range r.Stages {
		s := &r.Stages[i]
		for n, rate := range s.Rates {
			fmt.Fprintf(&b, "BenchmarkStage/%s-%d 1 %.0f ns/note %.1f notes/s", s.Name, r.Machine.CPUs, 1e9/rate, rate)
			if n < len(s.CPU) && n < len(s.ServerCPU) {
				fmt.Fprintf(&b, " %.0f cpu-ns/note %.0f server-cpu-ns/note", 1e9*s.CPU[n], 1e9*s.ServerCPU[n])
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
