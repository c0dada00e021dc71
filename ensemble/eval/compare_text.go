package eval

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteTable prints a comparison: for each row both rates of both runs, in percent, their
// difference and its interval. + and - mark what rose and fell.
func (c Comparison) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "%d documents; points of a hundred, with the 95%% interval of the change", c.Docs)
	if !c.Paired {
		fmt.Fprint(w, ": none, since a run was saved without the counts of each document")
	}
	fmt.Fprint(w, "\n\n")
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "words of\trecall before\tafter\tchange\t95%%\t\tprecision before\tafter\tchange\t95%%\t\tgold\t\n")
	for _, r := range c.Rows {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t\n", r.Name, c.cells(r.Recall, r.Before.Recall(), r.After.Recall()),
			c.cells(r.Precision, r.Before.Precision(), r.After.Precision()), r.Before.Gold)
	}
	c.writeErrors(tw)
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fell, rose := c.Fell(), c.rose()
	fmt.Fprintf(w, "rose: %s\n", orNothing(rose))
	if c.Tolerance > 0 {
		fmt.Fprintf(w, "fell by more than %g points: %s\n", 100*c.Tolerance, orNothing(fell))
	} else {
		fmt.Fprintf(w, "fell: %s\n", orNothing(fell))
	}
	return nil
}

// writeErrors prints the missed instances by category.
func (c Comparison) writeErrors(w io.Writer) {
	if len(c.Errors) == 0 {
		return
	}
	fmt.Fprintf(w, "\nmissed instances of PII\tbefore\tafter\tchange\t\n")
	for _, e := range append(slices.Clone(c.Errors), c.NotesWith) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%+d\t\n", e.Name, e.Before, e.After, e.After-e.Before)
	}
}

// cells are before, after, change, interval and sign.
func (c Comparison) cells(d Delta, before, after float64) string {
	if !d.Measured {
		return "\t\t\t\t"
	}
	cells := fmt.Sprintf("%.2f\t%.2f\t%+.2f\t", 100*before, 100*after, 100*d.By)
	if c.Paired {
		cells += fmt.Sprintf("%+.2f %+.2f", 100*d.CI[0], 100*d.CI[1])
	}
	switch {
	case c.Paired && d.Rose():
		return cells + "\t+"
	case c.Paired && d.Fell(c.Tolerance):
		return cells + "\t-"
	}
	return cells + "\t"
}

func (c Comparison) rose() []string {
	var out []string
	for _, r := range c.Rows {
		if r.Recall.Rose() {
			out = append(out, "recall of "+r.Name)
		}
		if r.Precision.Rose() {
			out = append(out, "precision of "+r.Name)
		}
	}
	return out
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}
