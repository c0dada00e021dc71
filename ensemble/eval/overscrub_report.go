package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
)

// WriteTable prints what was taken, by half and category and then each term.
func (r OverscrubReport) WriteTable(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "half\tterms in a text\ttaken\tpercent\t1 in\tterms\ttaken at least once\tpercent\t\n")
	for _, c := range r.Halves {
		if c.Cases > 0 {
			fmt.Fprintf(tw, "%s\t%s\n", c.Name, c.cells())
		}
	}
	fmt.Fprintf(tw, "\ncategory\tterms in a text\ttaken\tpercent\t1 in\tterms\ttaken at least once\tpercent\t\n")
	for _, c := range r.Categories {
		fmt.Fprintf(tw, "%s\t%s\n", c.Name, c.cells())
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nof the %d words around them %d were taken (%s)\n", r.Words, r.Scrubbed,
		percent(float64(r.Scrubbed)/float64(max(r.Words, 1))))
	for _, t := range r.Taken {
		fmt.Fprintf(w, "%2d of %d  %-4s %-34s %s by %s: %s\n", t.Times, t.Of, t.Half, t.Term, strings.Join(t.Types, ","), strings.Join(t.By, ","),
			oneLine(t.Example))
	}
	return nil
}

func (c OverscrubCounts) cells() string {
	oneIn := "-"
	if c.CasesTaken > 0 {
		oneIn = fmt.Sprint(c.Cases / c.CasesTaken)
	}
	return fmt.Sprintf("%d\t%d\t%s\t%s\t%d\t%d\t%s\t", c.Cases, c.CasesTaken, percent(c.Rate()), oneIn, c.Terms, c.TermsTaken,
		percent(c.TermRate()))
}

// WriteJSON writes the report.
func (r OverscrubReport) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// overscrubPage is the data of the HTML page.
type overscrubPage struct {
	OverscrubReport
	Title string
	Chart drawn
}

// WriteHTML writes the report as one self-contained HTML file.
func (r OverscrubReport) WriteHTML(w io.Writer, title string) error {
	d := chart.Dots{
		Heading: chart.Heading{
			ID: "overscrub", Title: "Clinical terms that are taken, by category",
			Desc: fmt.Sprintf("%d categories, each with the percent of its terms in a text that are taken. The table beside the chart "+
				"has the numbers.", len(r.Categories)),
		},
		Axis: "percent of terms in a text that are taken; wanted: less than 0.5", Floor: 0, Ceil: 100, Zero: true,
		Series: []chart.Series{{Name: "taken"}},
	}
	for _, c := range r.Categories {
		d.Labels = append(d.Labels, c.Name)
		d.Series[0].Points = append(d.Series[0].Points, chart.At(100*c.Rate()))
	}
	picture, err := drawChart(d, "Terms taken, by category")
	if err != nil {
		return err
	}
	return writePage(w, "report_overscrub.html", overscrubPage{r, title, picture})
}
