package plan

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// Report is a plan with what it was made of.
type Report struct {
	Hospital  Hospital     `json:"hospital"`
	Rates     Rates        `json:"rates"`
	Plan      *Estimate    `json:"plan"`
	Simulated *Simulated   `json:"simulated"`
	Curve     []CurvePoint `json:"curve"`
	Workers   []CurvePoint `json:"workers"` // of a core each
	Remarks   []string     `json:"remarks"`
}

// CurvePoint is a copy with one number of machines, or of workers of a core each.
type CurvePoint struct {
	*Estimate

	Simulated *Simulated `json:"simulated"`
	Rate      float64    `json:"notes_per_second"` // in the simulation
	Share     float64    `json:"share_of_linear"`  // of as many times what the first point of the curve makes
}

// CurveMachines are the numbers of machines, and of workers, of the curves.
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
	if out.Curve, err = simulatedCurve(h, r, f); err != nil {
		return nil, err
	}
	f.Cores = 1
	if out.Workers, err = simulatedCurve(h, r, f); err != nil {
		return nil, err
	}
	out.remark()
	return out, nil
}

// simulatedCurve runs the copy with each number of machines.
func simulatedCurve(h Hospital, r Rates, f Fleet) ([]CurvePoint, error) {
	points, err := Curve(h, r, f, CurveMachines...)
	if err != nil {
		return nil, err
	}
	var list []CurvePoint
	for _, e := range points {
		s, err := Simulate(h, r, e.Fleet, seed)
		if err != nil {
			return nil, err
		}
		p := CurvePoint{Estimate: e, Simulated: s, Rate: h.Notes / s.Hours / 3600, Share: 1}
		if len(list) > 0 {
			p.Share = p.Rate / list[0].Rate * float64(list[0].Fleet.Machines) / float64(e.Fleet.Machines)
		}
		list = append(list, p)
	}
	return list, nil
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
	more := ""
	if e.Fleet.Cores > 1 {
		more = fmt.Sprintf(", %d machines", int(math.Ceil(by*float64(e.Fleet.Machines))))
	}
	return fmt.Sprintf("searching bounds it: %.1f times as many cores%s, networks that run as many times as fast, or machines that remember "+
		"more sentences (--cache)", by, more)
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
	if err := writeCurve(w, "machines", r.Curve); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := writeCurve(w, "workers of a core each", r.Workers); err != nil {
		return err
	}
	for _, remark := range r.Remarks {
		fmt.Fprintf(w, "\n%s\n", remark)
	}
	return nil
}

// writeCurve prints what each number of machines comes to, and what each station alone would bear.
func writeCurve(w io.Writer, of string, curve []CurvePoint) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\thours\tsimulated\tnotes/s\tof linear\tbounded by\tnotes/s: reading\tsearching\twriting\n", of)
	for _, p := range curve {
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t%.0f\t%.0f%%\t%s\t%.0f\t%.0f\t%.0f\n", p.Fleet.Machines, p.Hours, p.Simulated.Hours, p.Rate, 100*p.Share, p.Bound,
			p.Stations[0].Rate, p.Stations[1].Rate, p.Stations[2].Rate)
	}
	return t.Flush()
}
