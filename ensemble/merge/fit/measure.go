package fit

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"

	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// Bin is a range of probabilities with the calibration of its tokens.
type Bin struct {
	Low, High float64
	Tokens    int
	Said      float64 // mean probability
	True      float64 // share that is PHI
}

// edges are the borders of the bins.
var edges = []float64{0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}

// Reliability compares the combined probabilities with the truth.
func (f *Fitter) Reliability(s *merge.Settings) ([]Bin, error) {
	e, err := f.ens.WithMerge(s, merge.Bias{}, true)
	if err != nil {
		return nil, err
	}
	bins := make([]Bin, len(edges)-1)
	for i := range bins {
		bins[i].Low, bins[i].High = edges[i], edges[i+1]
	}
	for i := range f.notes {
		for _, v := range f.notes[i].ballot.Verdicts(f.ens.Models()) {
			if f.notes[i].skip[v.Token] {
				continue
			}
			p := e.Probability(&v)
			at := min(len(bins)-1, max(0, len(edges)-1-countAbove(p)))
			b := &bins[at]
			b.Tokens++
			b.Said += p
			if f.notes[i].gold[v.Token] {
				b.True++
			}
		}
	}
	for i := range bins {
		if n := float64(bins[i].Tokens); n > 0 {
			bins[i].Said /= n
			bins[i].True /= n
		}
	}
	return bins, nil
}

// countAbove returns how many edges are above a probability.
func countAbove(p float64) int {
	n := 0
	for _, e := range edges {
		if e > p {
			n++
		}
	}
	return n
}

// Point is the effect of one setting on the notes.
type Point struct {
	Name    string
	Groups  map[string]score.Rates
	Classes map[string]score.Rates
	Read    []float64 // share of the words that the models of each stage read
}

// measure scores a setting on the votes.
func (f *Fitter) measure(name string, s *merge.Settings, bias float64, gateOff bool) (Point, error) {
	e, err := f.ens.WithMerge(s, merge.Bias{All: bias}, gateOff)
	if err != nil {
		return Point{}, err
	}
	scorer := score.NewScorer(false)
	p := Point{Name: name}
	total := 0
	for i := range f.notes {
		n := &f.notes[i]
		spans, read := n.ballot.Under(e)
		phi.SortSpans(spans)
		scorer.Add(&n.doc, spans)
		if p.Read == nil {
			p.Read = make([]float64, len(read))
		}
		for k, r := range read {
			p.Read[k] += float64(r)
		}
		total += len(n.gold)
	}
	for k := range p.Read {
		p.Read[k] /= float64(max(total, 1))
	}
	r := scorer.Report()
	p.Groups, p.Classes = r.Groups, r.Classes
	return p, nil
}

// Biases are those of the curve.
var Biases = []float64{-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4}

// Curve measures recall and precision by recall bias, ungated.
func (f *Fitter) Curve(s *merge.Settings) ([]Point, error) {
	var points []Point
	for _, b := range Biases {
		p, err := f.measure(fmt.Sprintf("%+.1f", b), s, b, true)
		if err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	return points, nil
}

// gates are measured besides the chosen one.
var gates = []merge.Gate{
	{Low: 0.002, High: 0.999, AgainLow: 0.01, AgainHigh: 0.99},
	{Low: 0.005, High: 0.999, AgainLow: 0.02, AgainHigh: 0.98},
	{Low: 0.01, High: 0.995, AgainLow: 0.05, AgainHigh: 0.95},
	{Low: 0.02, High: 0.99, AgainLow: 0.05, AgainHigh: 0.95},
	{Low: 0.03, High: 0.99, AgainLow: 0.1, AgainHigh: 0.9},
	{Low: 0.05, High: 0.98, AgainLow: 0.1, AgainHigh: 0.9},
	{Low: 0.05, High: 0.95, AgainLow: 0.2, AgainHigh: 0.8},
}

// Gates measures what gates save and lose: first without a gate, then with that of the settings,
// then with others.
func (f *Fitter) Gates(s *merge.Settings) ([]Point, error) {
	first, err := f.measure("off", s, 0, true)
	if err != nil {
		return nil, err
	}
	points := []Point{first}
	for _, g := range slices.Concat([]merge.Gate{s.Gate}, gates) {
		other := *s
		other.Gate = g
		p, err := f.measure(fmt.Sprintf("%g to %g, %g to %g", g.Low, g.High, g.AgainLow, g.AgainHigh), &other, 0, false)
		if err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	return points, nil
}

// WriteReliability prints a table in Markdown.
func WriteReliability(w io.Writer, bins []Bin) error {
	t := newTable(w, "probability", "tokens", "said", "true")
	for _, b := range bins {
		t.row(fmt.Sprintf("%g to %g", b.Low, b.High), fmt.Sprint(b.Tokens), fmt.Sprintf("%.3f", b.Said), fmt.Sprintf("%.3f", b.True))
	}
	return t.flush()
}

// WriteCurve prints recall and precision by bias: of group C, then of each class.
func WriteCurve(w io.Writer, points []Point) error {
	classes := classesOf(points)
	t := newTable(w, append([]string{"recall_bias", "C"}, classes...)...)
	for _, p := range points {
		cells := []string{p.Name, rates(p.Groups["C"])}
		for _, c := range classes {
			cells = append(cells, rates(p.Classes[c]))
		}
		t.row(cells...)
	}
	return t.flush()
}

// WriteGates prints what gates save and lose.
func WriteGates(w io.Writer, points []Point) error {
	head := []string{"gate", "recall", "precision", "recall lost"}
	for k := range points[0].Read {
		head = append(head, fmt.Sprintf("read in stage %d", k+1))
	}
	t := newTable(w, head...)
	for _, p := range points {
		c, open := p.Groups["C"], points[0].Groups["C"]
		cells := []string{p.Name, fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", open.Recall-c.Recall)}
		for _, share := range p.Read {
			cells = append(cells, fmt.Sprintf("%.1f%%", 100*share))
		}
		t.row(cells...)
	}
	return t.flush()
}

// classesOf returns the classes in the notes, sorted.
func classesOf(points []Point) []string {
	var classes []string
	for name, r := range points[0].Classes {
		if r.Gold > 0 {
			classes = append(classes, name)
		}
	}
	slices.Sort(classes)
	return classes
}

func rates(r score.Rates) string { return fmt.Sprintf("%.3f/%.3f", r.Recall, r.Precision) }

// table is a Markdown table with aligned columns.
type table struct{ w *tabwriter.Writer }

func newTable(w io.Writer, head ...string) *table {
	t := &table{tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)}
	t.row(head...)
	t.row(slices.Repeat([]string{"---"}, len(head))...)
	return t
}

func (t *table) row(cells ...string) {
	_, _ = fmt.Fprintln(t.w, "| "+strings.Join(cells, "\t| ")+"\t|") // Flush says what went wrong
}

func (t *table) flush() error { return t.w.Flush() }
