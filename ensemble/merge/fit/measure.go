package fit

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pgdeid/pgdeid/ensemble/eval/score"
	"github.com/pgdeid/pgdeid/ensemble/merge"
	"github.com/pgdeid/pgdeid/ensemble/phi"
)

// WriteReport measures settings on the notes and writes tables in Markdown: how true the
// probabilities are, recall and precision by recall bias, and what gates save and lose.
func (f *Fitter) WriteReport(w io.Writer, s *merge.Settings) error {
	for _, t := range []struct {
		title string
		rows  func(*merge.Settings) ([][]string, error)
	}{
		{fmt.Sprintf("Probabilities of %d notes", len(f.notes)), f.reliability},
		{"Recall/precision of words by recall_bias", f.curve},
		{"Gates (second stage from and to, third stage from and to), words of group C", f.gates},
	} {
		rows, err := t.rows(s)
		if err != nil {
			return err
		}
		if err := writeTable(w, t.title, rows); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes a table with aligned columns, whose first row is its head.
func writeTable(w io.Writer, title string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 1, ' ', 0)
	fmt.Fprintf(t, "\n%s:\n\n", title)
	for _, row := range slices.Insert(rows, 1, slices.Repeat([]string{"---"}, len(rows[0]))) {
		fmt.Fprintln(t, "| "+strings.Join(row, "\t| ")+"\t|")
	}
	return t.Flush()
}

// edges are the borders of the ranges of probabilities whose calibration is measured.
var edges = []float64{0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1}

// bin holds the tokens of a range of probabilities.
type bin struct{ tokens, said, true float64 }

// bins sorts the tokens by their combined probabilities.
func (f *Fitter) bins(s *merge.Settings) ([]bin, error) {
	e, err := f.ens.WithMerge(s, merge.Bias{}, true)
	if err != nil {
		return nil, err
	}
	bins := make([]bin, len(edges)-1)
	for _, n := range f.notes {
		for _, v := range n.ballot.Verdicts(f.ens.Models()) {
			if n.skip[v.Token] {
				continue
			}
			p := e.Probability(&v)
			b := &bins[binOf(p)]
			b.tokens++
			b.said += p
			if n.gold[v.Token] {
				b.true++
			}
		}
	}
	return bins, nil
}

// binOf returns the number of the range that a probability is in.
func binOf(p float64) int {
	last := len(edges) - 2
	for last > 0 && p < edges[last] {
		last--
	}
	return last
}

// reliability compares the combined probabilities with the truth.
func (f *Fitter) reliability(s *merge.Settings) ([][]string, error) {
	bins, err := f.bins(s)
	rows := [][]string{{"probability", "tokens", "said", "true"}}
	for i, b := range bins {
		n := max(b.tokens, 1)
		rows = append(rows, []string{
			fmt.Sprintf("%g to %g", edges[i], edges[i+1]), fmt.Sprint(b.tokens), fmt.Sprintf("%.3f", b.said/n), fmt.Sprintf("%.3f", b.true/n),
		})
	}
	return rows, err
}

// measure scores a setting on the votes, and returns the share of the words that the models of each
// stage read.
func (f *Fitter) measure(s *merge.Settings, bias float64, gateOff bool) (r score.Report, read []float64, err error) {
	e, err := f.ens.WithMerge(s, merge.Bias{All: bias}, gateOff)
	if err != nil {
		return r, nil, err
	}
	scorer := score.NewScorer(false)
	total := 0
	for i := range f.notes {
		n := &f.notes[i]
		spans, tokens := n.ballot.Under(e)
		phi.SortSpans(spans)
		scorer.Add(&n.doc, spans)
		if read == nil {
			read = make([]float64, len(tokens))
		}
		for k := range tokens {
			read[k] += float64(tokens[k])
		}
		total += len(n.gold)
	}
	for k := range read {
		read[k] /= float64(max(total, 1))
	}
	return scorer.Report(), read, nil
}

// biases are those of the curve.
var biases = []float64{-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4}

// curve measures recall and precision by recall bias, ungated: of group C, then of each class.
func (f *Fitter) curve(s *merge.Settings) ([][]string, error) {
	var rows [][]string
	for _, b := range biases {
		r, _, err := f.measure(s, b, true)
		if err != nil {
			return nil, err
		}
		head, row := []string{"recall_bias", "C"}, []string{fmt.Sprintf("%+.1f", b), rates(r.Groups["C"])}
		for _, class := range slices.Sorted(maps.Keys(r.Classes)) {
			if r.Classes[class].Gold > 0 {
				head, row = append(head, class), append(row, rates(r.Classes[class]))
			}
		}
		if rows == nil {
			rows = append(rows, head)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func rates(r score.Rates) string { return fmt.Sprintf("%.3f/%.3f", r.Recall, r.Precision) }

// otherGates are measured besides the chosen one.
var otherGates = []merge.Gate{
	{Low: 0.002, High: 0.999, AgainLow: 0.01, AgainHigh: 0.99},
	{Low: 0.005, High: 0.999, AgainLow: 0.02, AgainHigh: 0.98},
	{Low: 0.01, High: 0.995, AgainLow: 0.05, AgainHigh: 0.95},
	{Low: 0.02, High: 0.99, AgainLow: 0.05, AgainHigh: 0.95},
	{Low: 0.03, High: 0.99, AgainLow: 0.1, AgainHigh: 0.9},
	{Low: 0.05, High: 0.98, AgainLow: 0.1, AgainHigh: 0.9},
	{Low: 0.05, High: 0.95, AgainLow: 0.2, AgainHigh: 0.8},
}

// gates measures what gates save and lose: no gate, that of the settings, then others.
func (f *Fitter) gates(s *merge.Settings) ([][]string, error) {
	off, read, err := f.measure(s, 0, true)
	if err != nil {
		return nil, err
	}
	head := []string{"gate", "recall", "precision", "recall lost"}
	for k := range read {
		head = append(head, fmt.Sprintf("read in stage %d", k+1))
	}
	rows := [][]string{head, gateRow("off", off, off, read)}
	for _, g := range slices.Concat([]merge.Gate{s.Gate}, otherGates) {
		other := *s
		other.Gate = g
		r, read, err := f.measure(&other, 0, false)
		if err != nil {
			return nil, err
		}
		rows = append(rows, gateRow(fmt.Sprintf("%g to %g, %g to %g", g.Low, g.High, g.AgainLow, g.AgainHigh), r, off, read))
	}
	return rows, nil
}

func gateRow(name string, r, off score.Report, read []float64) []string {
	c := r.Groups["C"]
	row := []string{name, fmt.Sprintf("%.4f", c.Recall), fmt.Sprintf("%.4f", c.Precision), fmt.Sprintf("%.4f", off.Groups["C"].Recall-c.Recall)}
	for _, share := range read {
		row = append(row, fmt.Sprintf("%.1f%%", 100*share))
	}
	return row
}
