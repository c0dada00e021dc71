package eval

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
)

//go:embed report.html
var reportHTML string

// page is what the HTML report shows.
type page struct {
	Report
	Title     string
	GroupRows []namedRates
	ClassRows []namedRates
	TypeRows  []typeRow
	Slices    []slicePart
	Cases     []casePart
}

type namedRates struct {
	Name string
	Rates
}

// Missed is Gold less Found.
func (c Counts) Missed() int { return c.Gold - c.Found }

type typeRow struct {
	Label string
	TypeCounts
}

// Recall is Found of Gold.
func (t TypeCounts) Recall() float64 { return ratio(t.Found, t.Gold) }

// Right is the share of Gold that was found as what it is.
func (t TypeCounts) Right() float64 { return ratio(t.Typed, t.Gold) }

// Missed is Gold less Found.
func (t TypeCounts) Missed() int { return t.Gold - t.Found }

// Width is the length of a bar in pixels.
func (t typeRow) Width() int { return int(120 * t.Recall()) }

type slicePart struct {
	Caption string
	Rows    []Slice
}

type casePart struct {
	Caption string
	Rows    []countedCase
}

// WriteHTML writes a result as one HTML file that needs no other. Up to show misses
// and false alarms are quoted: only for made-up data.
func (r Result) WriteHTML(w io.Writer, title string, show int) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"percent": func(x float64) string { return fmt.Sprintf("%.2f%%", 100*x) },
		"limits":  func(ci [2]float64) string { return fmt.Sprintf("%.1f–%.1f", 100*ci[0], 100*ci[1]) },
	}).Parse(reportHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, r.page(title, show))
}

func (r Result) page(title string, show int) page {
	p := page{Report: r.Report, Title: title}
	for g := A; g < numGroups; g++ {
		p.GroupRows = append(p.GroupRows, namedRates{g.String(), r.Groups[g.String()]})
	}
	for c := Class(0); c < numClasses; c++ {
		if rates, ok := r.Classes[c.String()]; ok {
			p.ClassRows = append(p.ClassRows, namedRates{c.String(), rates})
		}
	}
	for _, l := range r.labels() {
		p.TypeRows = append(p.TypeRows, typeRow{l, r.Types[l]})
	}
	for _, s := range []slicePart{{"Names, by the group of the patient's name", r.NameGroup}, {"Group C, by kind of note", r.Kinds}} {
		if len(s.Rows) > 0 {
			p.Slices = append(p.Slices, s)
		}
	}
	if show > 0 {
		p.Cases = []casePart{{"Missed", mostFrequent(r.Misses, show)}, {"False alarms", mostFrequent(r.Alarms, show)}}
	}
	return p
}

// labels lists the gold's types or labels, class by class.
func (r Report) labels() []string {
	return slices.SortedFunc(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[a].Class, r.Types[b].Class), cmp.Compare(a, b))
	})
}
