package risk

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/pgdeid/pgdeid/ensemble/eval/chart"
	"github.com/pgdeid/pgdeid/internal/page"
)

// body is the report as it stands on its own page and in a dossier.
//
//go:embed report.html
var body string

// drawing is a chart with its caption.
type drawing struct {
	Caption string
	SVG     template.HTML
}

// WriteHTML writes the report as one page that refers to nothing outside of itself.
func (r *Report) WriteHTML(w io.Writer) error {
	section, err := r.Section()
	if err != nil {
		return err
	}
	return page.Write(w, "What is left in the tables", section)
}

// Section returns the report as a part of a page.
func (r *Report) Section() (template.HTML, error) {
	sizes, err := draw(r.sizesChart(), sizesCaption)
	if err != nil {
		return "", err
	}
	traces, err := draw(r.tracesChart(), tracesCaption)
	if err != nil {
		return "", err
	}
	plan, err := draw(r.planChart(), r.planCaption())
	if err != nil {
		return "", err
	}
	return page.Section("risk", body, template.FuncMap{
		"share":  func(n int64) string { return percent(share(n, r.Patients)) },
		"less":   func(l Left) string { return percent(share(l.Contradicted, l.Contradicted+l.Patients)) },
		"digits": func(x float64) string { return fmt.Sprintf("%.3f", x) },
	}, struct {
		*Report
		SizesChart, TracesChart, PlanChart drawing
	}{r, sizes, traces, plan})
}

// chartable is a chart of package chart.
type chartable interface {
	Marks() int
	SVG() (template.HTML, error)
}

// draw draws a chart unless it is empty.
func draw(c chartable, caption string) (drawing, error) {
	if c == nil || c.Marks() == 0 {
		return drawing{}, nil
	}
	svg, err := c.SVG()
	return drawing{caption, svg}, err
}

const (
	sizesCaption  = "Patients by the size of their class"
	tracesCaption = "Patients singled out by known visits"
)

func (r *Report) planCaption() string {
	return fmt.Sprintf("Patients in classes below %d, step by step", r.Smallest)
}

func (r *Report) sizesChart() chartable {
	c := chart.Columns{
		Heading: chart.Heading{ID: "risk-sizes", Title: sizesCaption, Desc: "A column for each range of sizes. The table has the numbers."},
		Axis:    "patients who show the same values", Values: "patients",
	}
	for _, b := range r.Bins {
		c.Labels, c.Counts = append(c.Labels, b.Label()), append(c.Counts, int(b.Records))
	}
	return c
}

// tracesChart shows for each number of known visits which share of patients is singled out, at three grains.
func (r *Report) tracesChart() chartable {
	d := chart.Dots{
		Heading: chart.Heading{ID: "risk-visits", Title: tracesCaption, Desc: "A dot with its 95% interval for each number of visits and grain of dates."},
		Axis:    "percent of patients", Floor: 0, Ceil: 100, Zero: true,
	}
	if r.Visits == nil {
		return d
	}
	grains := []Grain{WholeDay, Week, Month}
	if r.Visits.TimeOfDay {
		grains[2] = Second
	}
	for n := 2; n <= maxPoints; n++ {
		d.Labels = append(d.Labels, fmt.Sprintf("%d visits", n))
	}
	for _, g := range grains {
		s := chart.Series{Name: g.String()}
		for n := 2; n <= maxPoints; n++ {
			point := chart.Missing()
			if u, ok := r.Visits.of(g, n); ok {
				point = chart.Within(100*u.Share, [2]float64{100 * u.Within[0], 100 * u.Within[1]})
			}
			s.Points = append(s.Points, point)
		}
		d.Series = append(d.Series, s)
	}
	return d
}

// planChart shows what is left after each step of the plan.
func (r *Report) planChart() chartable {
	d := chart.Dots{
		Heading: chart.Heading{ID: "risk-plan", Title: r.planCaption(), Desc: "A dot for the replica as it is, and one after each step of the plan."},
		Axis:    "percent of patients", Floor: 0, Ceil: 100, Zero: true,
	}
	if len(r.Plan) == 0 {
		return d
	}
	below, unique := chart.Series{Name: fmt.Sprintf("below %d", r.Smallest)}, chart.Series{Name: "unique"}
	add := func(label string, a Anonymity) {
		d.Labels = append(d.Labels, label)
		below.Points = append(below.Points, chart.At(100*a.Share(a.AtRisk)))
		unique.Points = append(unique.Points, chart.At(100*a.Share(a.Unique)))
	}
	add("as it is", r.Together)
	for i, e := range r.Plan {
		add(fmt.Sprintf("step %d", i+1), e.After)
	}
	d.Series = []chart.Series{below, unique}
	return d
}

// effects is a table of changes.
type effects struct {
	Caption  string
	Smallest int64
	Now      Anonymity
	List     []Effect
}

// Effects returns a table of changes for the page.
func (r *Report) Effects(caption string, list []Effect) any {
	return effects{caption, r.Smallest, r.Together, list}
}
