package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Report is a plan with what it was made of.
type Report struct {
	Hospital  Hospital     `json:"hospital"`
	Rates     Rates        `json:"rates"`
	Plan      *Estimate    `json:"plan"`
	Simulated *Simulated   `json:"simulated"`
	Curve     []CurvePoint `json:"curve"`
	Remarks   []string     `json:"remarks"`
}

// CurvePoint is a copy with one number of machines.
type CurvePoint struct {
	*Estimate

	Simulated *Simulated `json:"simulated"`
}

// CurveMachines are the numbers of machines of the curve.
var CurveMachines = []int{1, 2, 4, 8, 16}

const seed = 1

// Make plans a copy: with f's machines, or, where these are 0, with as few as keep to the hospital's hours.
func Make(h Hospital, r Rates, f Fleet) (*Report, error) {
	out := &Report{Hospital: h, Rates: r}
	var err error
	if f.Machines > 0 {
		out.Plan, err = New(h, r, f)
	} else {
		out.Plan, err = Fewest(h, r, f)
	}
	if err != nil {
		return nil, err
	}
	if out.Simulated, err = Simulate(h, r, out.Plan.Fleet, seed); err != nil {
		return nil, err
	}
	points, err := Curve(h, r, f, CurveMachines...)
	if err != nil {
		return nil, err
	}
	for _, e := range points {
		s, err := Simulate(h, r, e.Fleet, seed)
		if err != nil {
			return nil, err
		}
		out.Curve = append(out.Curve, CurvePoint{e, s})
	}
	out.remark()
	return out, nil
}

// day is what the largest fleet of the curve should not take longer than, in hours.
const day = 24

// remark says what has to change where the plan keeps to no limit.
func (r *Report) remark() {
	e := r.Plan
	if e.Hours > r.Hospital.Hours {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%.1f hours are more than %g: %s", e.Hours, r.Hospital.Hours, change(e, r.Hospital.Hours)))
	}
	if last := r.Curve[len(r.Curve)-1].Estimate; last.Hours > day {
		r.Remarks = append(r.Remarks, fmt.Sprintf("%d machines take longer than a day: %s", last.Fleet.Machines, change(last, day)))
	}
	if e.Behind {
		r.Remarks = append(r.Remarks, "notes come in faster than one stream takes them: "+faster(&e.Stream))
	}
}

// faster says what has to change for a stream to take what comes in.
func faster(s *Stream) string {
	if s.Needed < 0 {
		return "it needs a machine with more cores, or fewer networks"
	}
	return fmt.Sprintf("it needs %s (detect.workers, --detection-workers)", count(s.Needed, "detection worker"))
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// worth says what detection workers are worth to a stream.
func (s *Stream) worth() string {
	if s.Helpful == 0 {
		return "none would make it faster"
	}
	return fmt.Sprintf("%.0f alone, at most %.0f, with %d of them", s.Alone, s.Most, s.Helpful)
}

// change says what has to change for a copy to take so many hours.
func change(e *Estimate, hours float64) string {
	by := e.Hours / hours
	switch e.Bound {
	case Writing:
		return fmt.Sprintf("writing bounds it, which workers do in turn. The replica's server has to write %.1f times as fast "+
			"(faster cores, and a disk that commits sooner), or writers of different patients have to write at the same time", by)
	case Reading:
		return fmt.Sprintf("reading bounds it: %.1f times as many cores of the source may read (--source-cores), or a standby does", by)
	}
	return fmt.Sprintf("searching bounds it: %.1f times as many cores, or machines that remember more sentences (--cache)", by)
}

// WriteJSON prints the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText prints the report for people.
func (r *Report) WriteText(w io.Writer) error {
	e, h := r.Plan, &r.Hospital
	fmt.Fprintf(w, "%.4g notes of %.0f bytes, %.4g sentences of which %.0f%% are different ones, %.4g patients\n\n",
		h.Notes, h.BytesPerNote, h.Notes*h.SentencesPerNote, 100*h.DistinctShare, h.Patients)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "machines\t%d of %d cores\n", e.Fleet.Machines, e.Fleet.Cores)
	fmt.Fprintf(t, "first copy\t%.1f hours (%.1f in a simulation)\tbounded by %s\n", e.Hours, r.Simulated.Hours, e.Bound)
	if e.Behind {
		fmt.Fprintf(t, "until it is live\tnever\n")
	} else {
		fmt.Fprintf(t, "until it is live\t%.1f hours more, for what came in meanwhile\n", e.CatchUp)
	}
	fmt.Fprintf(t, "stream\t%.0f notes/s with %s\t%s\n", e.Stream.Rate, count(e.Fleet.Detection, "detection worker"), e.Stream.worth())
	fmt.Fprintf(t, "a note\t%.1f ms of a core, %.1f runs of networks\t%.0f%% of its sentences were met before by the same process\n",
		1000*e.Search, e.Runs, 100*e.Hits)
	fmt.Fprintf(t, "disk, source\t%.1f GB of WAL kept for the slot\tmax_slot_wal_keep_size has to be larger\n", e.Disk.SlotWAL/gigabyte)
	fmt.Fprintf(t, "disk, replica\t%.0f GB of notes with indexes, %.0f GB of the vault\tand the largest table once more, to put it in order\n",
		e.Disk.Replica/gigabyte, e.Disk.Vault/gigabyte)
	if h.Prices != (Prices{}) {
		fmt.Fprintf(t, "cost\t%.0f for machines, %.0f a month for disks\n", e.Cost, e.Storage)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "machines\thours\tsimulated\tbounded by\tnotes/s: reading\tsearching\twriting")
	for _, p := range r.Curve {
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t%s\t%.0f\t%.0f\t%.0f\n", p.Fleet.Machines, p.Hours, p.Simulated.Hours, p.Bound,
			p.Stations[0].Rate, p.Stations[1].Rate, p.Stations[2].Rate)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, remark := range r.Remarks {
		fmt.Fprintf(w, "\n%s\n", remark)
	}
	return nil
}
